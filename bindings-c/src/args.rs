//! Reads arguments: handles, texts, bytes, durations. What a value means is for the core to say.

use std::ffi::{CStr, c_char};
use std::slice;
use std::time::Duration;

use delayq_core::{Error, ErrorKind, Result, time};

/// A value that was set, not set, or set to something that no call can use. The refusal is kept until a call
/// can report it, since setters report nothing.
pub(crate) type Setting<T> = Result<Option<T>>;

pub(crate) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}

/// A handle that must be there.
pub(crate) fn given<'a, T>(handle: Option<&'a T>, name: &str) -> Result<&'a T> {
    handle.ok_or_else(|| invalid(format!("{name} is NULL; give a handle that was not freed")))
}

/// A text that must be there.
///
/// # Safety
/// `text` is NULL or NUL-terminated and unchanged until the call returns.
pub(crate) unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str> {
    // SAFETY: by this function's own promise.
    unsafe { optional_text(text, name) }?
        .ok_or_else(|| invalid(format!("{name} is NULL; give a NUL-terminated text")))
}

/// A text that may be NULL.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn optional_text<'a>(text: *const c_char, name: &str) -> Result<Option<&'a str>> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: not NULL, and NUL-terminated by this function's own promise.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Some).map_err(|_| invalid(format!("{name} is not valid UTF-8; encode it as UTF-8")))
}

/// A text for later, or NULL for none.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn text_setting(value: *const c_char, name: &str) -> Setting<String> {
    // SAFETY: by this function's own promise.
    Ok(unsafe { optional_text(value, name) }?.map(str::to_owned))
}

/// Bytes, copied.
///
/// # Safety
/// `bytes` is NULL or `len` bytes may be read from it.
pub(crate) unsafe fn bytes(bytes: *const u8, len: usize, name: &str) -> Result<Vec<u8>> {
    if len == 0 {
        return Ok(Vec::new());
    }
    if bytes.is_null() {
        return Err(invalid(format!("{name} is NULL but its length is {len}; give the bytes or length 0")));
    }
    if isize::try_from(len).is_err() {
        return Err(invalid(format!("{name} has an impossible length; give the number of its bytes")));
    }
    // SAFETY: not NULL, `len` readable bytes by this function's own promise, and not over isize::MAX.
    Ok(unsafe { slice::from_raw_parts(bytes, len) }.to_vec())
}

/// The pointers of an array.
///
/// # Safety
/// `items` is NULL or `len` pointers may be read from it, each NULL or valid until the call returns.
pub(crate) unsafe fn array<'a, T>(items: *const *const T, len: usize, name: &str) -> Result<Vec<&'a T>> {
    if len == 0 {
        return Ok(Vec::new());
    }
    if items.is_null() {
        return Err(invalid(format!("{name} is NULL but its length is {len}; give the array or length 0")));
    }
    if len > isize::MAX as usize / size_of::<*const T>() {
        return Err(invalid(format!("{name} has an impossible length; give the number of its items")));
    }
    // SAFETY: not NULL, `len` readable pointers by this function's own promise, and not over isize::MAX bytes.
    let items = unsafe { slice::from_raw_parts(items, len) };
    let item = |(place, item): (usize, &*const T)| {
        // SAFETY: NULL or valid by this function's own promise.
        unsafe { item.as_ref() }.ok_or_else(|| invalid(format!("{name}[{place}] is NULL; give a handle")))
    };
    items.iter().enumerate().map(item).collect()
}

/// A duration in ms, for later.
pub(crate) fn duration_setting(ms: i64, name: &str) -> Setting<Duration> {
    // Exact below 2^53; the core clamps what is longer.
    let ms = time::ms_from_ms_f64(name, ms as f64)?;
    Ok(Some(Duration::from_millis(ms.unsigned_abs())))
}

/// Passes a setting on to the core's builder.
pub(crate) fn apply<O, T: Clone>(options: O, setting: &Setting<T>, set: impl FnOnce(O, T) -> O) -> Result<O> {
    Ok(match setting.clone()? {
        Some(value) => set(options, value),
        None => options,
    })
}
