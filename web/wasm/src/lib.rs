//! The engine behind one function. In: a request as JSON in memory that `room` gives. Out: the answer as JSON, and where it lies.
//! There is one engine; a page has as many workers as it wants, each with its own.

use pinion::playground::Playground;
use std::cell::RefCell;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
}

thread_local! {
    static ENGINE: RefCell<Playground> = RefCell::new(Playground::new(|| now()));
    /// What was asked, then what was answered.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a request of so many bytes, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(bytes, 0);
        text.as_mut_ptr()
    })
}

/// Answers the request that was written there; the length of the answer, whose place `answer` tells.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    let request = TEXT.with_borrow_mut(std::mem::take);
    let answer = ENGINE.with_borrow_mut(|engine| engine.call(&String::from_utf8_lossy(&request)));
    TEXT.with_borrow_mut(|text| {
        *text = answer.into_bytes();
        text.len()
    })
}

/// Where the answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}
