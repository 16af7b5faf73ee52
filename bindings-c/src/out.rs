//! Out-parameters: where an answer goes, if the caller wants it.

use std::ptr::{self, NonNull};

use delayq_core::{Error, ErrorKind, Result};

/// An out-parameter that is NULL or may be written. Holds nothing until the call succeeds.
pub(crate) struct Out<T>(Option<NonNull<T>>);

impl<T> Out<T> {
    /// Takes over the caller's pointer and clears what it points to.
    ///
    /// # Safety
    /// `pointer` is NULL or may be written until the call returns; what it points to need not be initialised.
    pub(crate) unsafe fn new(pointer: *mut T, nothing: T) -> Self {
        let out = Out(NonNull::new(pointer));
        out.set(nothing);
        out
    }

    /// Refuses a NULL where the answer would be lost.
    pub(crate) fn required(&self, name: &str) -> Result<()> {
        match self.0 {
            Some(_) => Ok(()),
            None => Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("{name} is NULL; give the address of a variable for the result"),
            )),
        }
    }

    /// Hands out a value.
    pub(crate) fn set(&self, value: T) {
        if let Some(place) = self.0 {
            // SAFETY: by the promise of `new`; `write` does not drop what was there before.
            unsafe { place.write(value) };
        }
    }
}

impl<T> Out<*mut T> {
    /// The out-parameter of an owned object.
    ///
    /// # Safety
    /// As for [`new`](Self::new).
    pub(crate) unsafe fn object(pointer: *mut *mut T) -> Self {
        // SAFETY: by this function's own promise.
        unsafe { Out::new(pointer, ptr::null_mut()) }
    }

    /// Hands out an object that the caller must free, or drops it if it is not wanted.
    pub(crate) fn give(&self, object: T) {
        if self.0.is_some() {
            self.set(Box::into_raw(Box::new(object)));
        }
    }
}

/// An array for the answers about many jobs, if the caller wants it.
pub(crate) struct OutArray<T> {
    first: Option<NonNull<T>>,
    len: usize,
}

impl<T: Copy> OutArray<T> {
    /// Takes over the caller's array and clears it.
    ///
    /// # Safety
    /// `first` is NULL or `len` items may be written from there until the call returns; they need not be
    /// initialised.
    pub(crate) unsafe fn new(first: *mut T, len: usize, nothing: T) -> Self {
        // No array of jobs is that long, so the call refuses the length without another look at this one.
        let len = if len > isize::MAX as usize / size_of::<*const ()>() { 0 } else { len };
        let out = OutArray { first: NonNull::new(first), len };
        (0..if out.first.is_some() { len } else { 0 }).for_each(|place| out.set(place, nothing));
        out
    }

    /// Hands out a value.
    pub(crate) fn set(&self, place: usize, value: T) {
        if let Some(first) = self.first
            && place < self.len
        {
            // SAFETY: within the array, by the promise of `new`; `write` does not drop what was there before.
            unsafe { first.add(place).write(value) };
        }
    }
}
