//! Data in the binary: the checked rulebook, the profiles, and the catalogues, which list names that other programs give to
//! techniques.

use pinion::lang::book::Book;
use pinion::lang::stored_book;
use pinion::solve::{Catalogue, DEFAULT, Profile, embedded};

#[test]
fn every_embedded_catalogue_is_read() {
    for (name, text) in embedded::CATALOGUES {
        let catalogue = Catalogue::read(name, text).unwrap();
        let mut codes: Vec<_> = catalogue.entries.iter().filter_map(|entry| entry.code.as_ref()).collect();
        let count = codes.len();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), count, "{name} has a code twice");
        assert!(catalogue.entries.iter().all(|entry| !entry.names.is_empty()), "{name}");
    }
}

#[test]
fn every_embedded_profile_is_read() {
    for (name, text) in embedded::PROFILES {
        let profile = Profile::read(name, text).unwrap();
        assert_eq!(Profile::embedded(&profile.name), Some(profile), "{name} has the name of its file");
    }
    assert!(Profile::embedded(DEFAULT).is_some());
}

#[test]
fn an_error_in_a_profile_has_its_line() {
    let text = "(name: \"x\", rows: [\n  (technique: \"a\", args: [\"many\"]),\n])";
    let error = Profile::read("mine.ron", text).unwrap_err();
    assert!(error.0.starts_with("mine.ron:2:"), "{error}");
    assert!(error.0.contains("not a range"), "{error}");
}

#[test]
fn the_checked_rulebook_matches_the_rule_texts() {
    let stored = stored_book::read(embedded::CHECKED, embedded::RULES).unwrap();
    let files = embedded::RULES.iter().map(|(name, text)| (name.to_string(), text.to_string()));
    let book = Book::default().with_files(files);
    assert!(book.files.iter().all(|file| file.diagnostics.is_empty()));
    assert_eq!(stored, book);
    // A stored rulebook is refused if it was made from other texts.
    assert!(stored_book::read(embedded::CHECKED, &embedded::RULES[1..]).is_none());
}

#[test]
fn a_rulebook_with_errors_is_not_stored() {
    let book = Book::default().with_files([("a.pinion".into(), "technique a \"A\" {".into())]);
    assert!(!book.files[0].diagnostics.is_empty());
    assert_eq!(stored_book::write(&book), None);
}
