//! The program `pinion`. All of its code is in the library.

use std::process::ExitCode;

/// Searches allocate many small lists, and mimalloc is faster at small allocations than the system's allocator.
#[cfg(not(target_family = "wasm"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    pinion::cli::run()
}
