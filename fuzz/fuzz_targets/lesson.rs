//! cargo-fuzz target: see `schedscope_fuzz::lesson`.
#![no_main]
#![allow(unsafe_code)]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    schedscope_fuzz::lesson(&String::from_utf8_lossy(bytes));
});
