//! Built-in rules, profiles and catalogues, as (name, text) pairs that the build script writes.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Returns the rule files, sorted by name.
pub fn rules() -> &'static [(&'static str, &'static str)] {
    RULES
}

/// Returns the checked rulebook for [`kept::read`](crate::lang::kept::read); empty if a file has errors.
pub fn checked() -> &'static [u8] {
    CHECKED
}

/// Returns the profiles, sorted by name.
pub fn profiles() -> &'static [(&'static str, &'static str)] {
    PROFILES
}

/// Returns the catalogues of other programs, sorted by name.
pub fn catalogues() -> &'static [(&'static str, &'static str)] {
    CATALOGUES
}

/// Returns the record of proofs, for [`ProofRecord::read`](super::ProofRecord::read).
pub fn proved() -> &'static str {
    include_str!("../../rules/proved.txt")
}
