//! The engine as a WebAssembly module. A request and a response are JSON texts in the memory of the module: the page calls
//! `allocate_request`, writes the request, calls `answer_request`, and reads the response at `response_address`. Each
//! worker of a page has an engine of its own.

use pinion::playground::Playground;
use std::cell::RefCell;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Returns milliseconds since an arbitrary moment.
    safe fn now() -> f64;
}

thread_local! {
    static ENGINE: RefCell<Playground> = RefCell::new(Playground::new(|| now()));
    /// The request, and after `answer_request` the response.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Allocates memory for a request of this many bytes and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn allocate_request(bytes: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(bytes, 0);
        text.as_mut_ptr()
    })
}

/// Answers the request in the memory that `allocate_request` allocated. Returns the length of the response in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_request() -> usize {
    let request = TEXT.with_borrow_mut(std::mem::take);
    let response = ENGINE.with_borrow_mut(|engine| engine.call(&String::from_utf8_lossy(&request)));
    TEXT.with_borrow_mut(|text| {
        *text = response.into_bytes();
        text.len()
    })
}

/// Returns the address of the response.
#[unsafe(no_mangle)]
pub extern "C" fn response_address() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}
