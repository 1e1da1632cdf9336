//! Writes lists a register at a time.

/// Appends keys to a list, by whole registers. A store writes the full register even if only its first keys
/// stay: it may run past the end of the keys, where the list has room.
pub(super) struct Writer<'a, K> {
    list: &'a mut Vec<K>,
    /// Where the next key goes. A pointer, since an index into the list would reload its address after each store.
    end: *mut K,
}

impl<'a, K> Writer<'a, K> {
    /// Bytes of the longest register.
    const REGISTER_BYTES: usize = 64;

    /// A writer that appends at most `max_keys` keys to `list`.
    #[inline(always)]
    pub fn new(list: &'a mut Vec<K>, max_keys: usize) -> Self {
        let room = max_keys + Self::REGISTER_BYTES / size_of::<K>();
        // `reserve` makes the same check, but it is not inlined: without this one, kernels would call it each time.
        if list.capacity() - list.len() < room {
            list.reserve(room);
        }
        let end = list.spare_capacity_mut().as_mut_ptr().cast();
        Self { list, end }
    }

    /// Appends the first `len` keys of `register`.
    ///
    /// # Safety
    /// At most `max_keys` keys have been pushed, these included; the first `len` places of `register` hold keys.
    #[inline(always)]
    pub unsafe fn push<R: Copy>(&mut self, register: R, len: usize) {
        const { assert!(size_of::<R>() <= Self::REGISTER_BYTES) };
        // SAFETY: at most `max_keys` keys end up before `end`, and `new` made room for a whole register after these.
        unsafe {
            self.end.cast::<R>().write_unaligned(register);
            self.end = self.end.add(len);
        }
    }

    /// Ends the list after the last key pushed.
    ///
    /// # Safety
    /// At most `max_keys` keys have been pushed.
    #[inline(always)]
    pub unsafe fn finish(self) {
        // SAFETY: `end` is within the capacity, and every key before it was in the list or has been written.
        unsafe {
            let len = self.end.offset_from_unsigned(self.list.as_ptr());
            self.list.set_len(len);
        }
    }
}
