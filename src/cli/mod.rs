//! The command line. In: arguments and files. Out: text for people.

pub mod diagnostics;
