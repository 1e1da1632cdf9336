//! Lists that are written a register at a time.

/// The end of a list. A register is stored whole, whatever of it is to stay: the store runs over the
/// end, for which there is room.
pub(super) struct Writer<'a, K> {
    list: &'a mut Vec<K>,
    /// Where the next key goes. Not in terms of the list, which would be looked up again after each store.
    end: *mut K,
}

impl<'a, K> Writer<'a, K> {
    /// Bytes of the longest register.
    const ROOM: usize = 64;

    /// Will append to `list`, at most `most` keys.
    #[inline(always)]
    pub fn new(list: &'a mut Vec<K>, most: usize) -> Self {
        let room = most + Self::ROOM / size_of::<K>();
        // `reserve` asks the same, but kernels would call it.
        if list.capacity() - list.len() < room {
            list.reserve(room);
        }
        let end = list.spare_capacity_mut().as_mut_ptr().cast();
        Self { list, end }
    }

    /// Appends the first `len` keys of `register`.
    ///
    /// # Safety
    /// With these, no more than `most` keys have been appended; `register` consists of keys.
    #[inline(always)]
    pub unsafe fn push<R: Copy>(&mut self, register: R, len: usize) {
        const { assert!(size_of::<R>() <= Self::ROOM) };
        // SAFETY: up to `most` keys are before this store, and `new` made room for a register more.
        unsafe {
            self.end.cast::<R>().write_unaligned(register);
            self.end = self.end.add(len);
        }
    }

    /// # Safety
    /// At most `most` keys have been pushed.
    #[inline(always)]
    pub unsafe fn finish(self) {
        // SAFETY: every element before `end` has been written, and the capacity is larger.
        unsafe {
            let len = self.end.offset_from_unsigned(self.list.as_ptr());
            self.list.set_len(len);
        }
    }
}
