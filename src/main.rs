//! The binary: everything is in the library.

use std::process::ExitCode;

/// A search makes and drops many small lists.
#[cfg(not(target_family = "wasm"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    pinion::cli::run()
}
