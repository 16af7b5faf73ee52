//! The version at run time.

use std::ffi::{CStr, c_char};

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// The version of the library that is running, e.g. to compare it with `DELAYQ_VERSION`, the version of the
/// header that a program was compiled with.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_version() -> *const c_char {
    VERSION.as_ptr()
}

#[cfg(test)]
mod tests {
    #[test]
    fn is_the_version_of_the_core() {
        assert_eq!(super::VERSION.to_str(), Ok(delayq_core::VERSION));
    }
}
