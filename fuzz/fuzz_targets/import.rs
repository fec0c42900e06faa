//! cargo-fuzz target: see `schedscope_fuzz::import`.
#![no_main]
#![allow(unsafe_code)]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    schedscope_fuzz::import(&String::from_utf8_lossy(bytes));
});
