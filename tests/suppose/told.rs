//! Explanations.
