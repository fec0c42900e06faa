//! cargo-fuzz target: see `schedscope_fuzz::questions`.
#![no_main]
#![allow(unsafe_code)]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    schedscope_fuzz::questions(bytes);
});
