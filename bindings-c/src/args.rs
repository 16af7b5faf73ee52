//! Reads arguments: handles, texts, bytes, durations. What a value means is for the core to say.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_void};
use std::slice;
use std::time::Duration;

use delayq_core::{Error, ErrorKind, Result, time};

/// A value that was set, not set, or set to something that no call can use. The refusal is kept until a call
/// can report it, since setters report nothing.
pub(crate) type Setting<T> = Result<Option<T>>;

/// `DELAYQ_DEFAULT` in C. Not -1, which a caller may arrive at by mistake.
pub(crate) const DEFAULT: i64 = i64::MIN;

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

/// A text for people, such as an error's: NULL is none, and what is not UTF-8 is replaced, so that no failure
/// goes unreported for the way it is worded.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn lossy_text<'a>(text: *const c_char) -> Cow<'a, str> {
    if text.is_null() {
        return Cow::from("");
    }
    // SAFETY: not NULL, and NUL-terminated by this function's own promise.
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

/// Bytes, copied.
///
/// # Safety
/// `bytes` is NULL or `len` bytes may be read from it.
pub(crate) unsafe fn bytes(bytes: *const c_void, len: usize, name: &str) -> Result<Vec<u8>> {
    // SAFETY: by this function's own promise.
    unsafe { items(bytes.cast::<u8>(), len, name) }.map(<[u8]>::to_vec)
}

/// The items of an array, which may be NULL if it has none.
///
/// # Safety
/// `items` is NULL or `len` items may be read from it, unchanged until the call returns.
pub(crate) unsafe fn items<'a, T>(items: *const T, len: usize, name: &str) -> Result<&'a [T]> {
    if len == 0 {
        return Ok(&[]);
    }
    if items.is_null() {
        return Err(invalid(format!("{name} is NULL but its length is {len}; give the array or length 0")));
    }
    if len > isize::MAX as usize / size_of::<T>() {
        return Err(invalid(format!("{name} has an impossible length; give the number of its items")));
    }
    // SAFETY: not NULL, `len` readable items by this function's own promise, and not over isize::MAX bytes.
    Ok(unsafe { slice::from_raw_parts(items, len) })
}

/// The items of an array that goes with another one, or none at all.
///
/// # Safety
/// As for [`items`].
pub(crate) unsafe fn optional_items<'a, T>(
    array: *const T,
    len: usize,
    name: &str,
) -> Result<Option<&'a [T]>> {
    if array.is_null() {
        return Ok(None);
    }
    // SAFETY: by this function's own promise.
    unsafe { items(array, len, name) }.map(Some)
}

/// The handles of an array of pointers, none of which may be NULL.
///
/// # Safety
/// As for [`items`], and each pointer is NULL or valid until the call returns.
pub(crate) unsafe fn handles<'a, T>(array: *const *const T, len: usize, name: &str) -> Result<Vec<&'a T>> {
    // SAFETY: by this function's own promise.
    let array = unsafe { items(array, len, name) }?;
    let handle = |(place, handle): (usize, &*const T)| {
        // SAFETY: NULL or valid by this function's own promise.
        unsafe { handle.as_ref() }.ok_or_else(|| invalid(format!("{name}[{place}] is NULL; give a handle")))
    };
    array.iter().enumerate().map(handle).collect()
}

/// The texts of an array of pointers, none of which may be NULL.
///
/// # Safety
/// As for [`items`], and each pointer is as for [`text`].
pub(crate) unsafe fn texts<'a>(array: *const *const c_char, len: usize, name: &str) -> Result<Vec<&'a str>> {
    // SAFETY: by this function's own promise.
    let array = unsafe { items(array, len, name) }?;
    let one = |(place, one): (usize, &*const c_char)| {
        // SAFETY: by this function's own promise.
        unsafe { text(*one, &format!("{name}[{place}]")) }
    };
    array.iter().enumerate().map(one).collect()
}

/// A duration in ms.
pub(crate) fn duration(ms: i64, name: &str) -> Result<Duration> {
    // Exact below 2^53; the core clamps what is longer.
    let ms = time::ms_from_ms_f64(name, ms as f64)?;
    Ok(Duration::from_millis(ms.unsigned_abs()))
}

/// A duration in ms, or the default.
pub(crate) fn duration_or_default(ms: i64, name: &str) -> Result<Option<Duration>> {
    if ms == DEFAULT { Ok(None) } else { duration(ms, name).map(Some) }
}

/// A count, or the default.
pub(crate) fn count_or_default(count: i64, name: &str) -> Result<Option<u64>> {
    if count == DEFAULT {
        return Ok(None);
    }
    u64::try_from(count).map(Some).map_err(|_| invalid(format!("{name} is {count}; give 1 or more")))
}

/// A duration in ms, for later.
pub(crate) fn duration_setting(ms: i64, name: &str) -> Setting<Duration> {
    duration(ms, name).map(Some)
}

/// A count for later; signed, so that a -1 is refused instead of meaning four billion.
pub(crate) fn count_setting(count: i64, name: &str, least: u32) -> Setting<u32> {
    let refusal = |_| invalid(format!("{name} is {count}; give {least} to {}", u32::MAX));
    u32::try_from(count).map(Some).map_err(refusal)
}

/// Passes a setting on to the core's builder.
pub(crate) fn apply<O, T: Clone>(options: O, setting: &Setting<T>, set: impl FnOnce(O, T) -> O) -> Result<O> {
    Ok(match setting.clone()? {
        Some(value) => set(options, value),
        None => options,
    })
}
