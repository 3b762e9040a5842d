//! The rulebook, the profiles and the catalogues of other programs that the binary carries. In: nothing. Out: (name, text) pairs, by name.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The rule files, sorted by name.
pub fn rules() -> &'static [(&'static str, &'static str)] {
    RULES
}

/// What [`kept::read`](crate::lang::kept::read) makes the rulebook of; empty if something is wrong with a file.
pub fn checked() -> &'static [u8] {
    CHECKED
}

/// The profiles, sorted by name.
pub fn profiles() -> &'static [(&'static str, &'static str)] {
    PROFILES
}

/// What other programs call techniques, sorted by name.
pub fn catalogues() -> &'static [(&'static str, &'static str)] {
    CATALOGUES
}

/// Where each of the rules is proved, as [`Standing`](super::Standing) reads it.
pub fn proved() -> &'static str {
    include_str!("../../rules/proved.txt")
}
