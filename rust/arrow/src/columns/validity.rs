//! Validity bits of one column: made only once a NULL has come.

use arrow_buffer::{BooleanBuffer, MutableBuffer, NullBuffer};

/// Bits that grow, set where there is a value.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    words: MutableBuffer,
    current: u64,
    len: usize,
}

impl Bits {
    /// Adds one bit.
    #[inline(always)]
    pub fn push(&mut self, bit: bool) {
        self.current |= u64::from(bit) << (self.len % 64);
        self.len += 1;
        if self.len.is_multiple_of(64) {
            self.words.push(self.current);
            self.current = 0;
        }
    }

    /// Adds `count` bits of one kind.
    pub fn push_many(&mut self, count: usize, bit: bool) {
        (0..count).for_each(|_| self.push(bit));
    }

    /// Keeps the first `len`.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        let (word, bits) = (len / 64, len % 64);
        if let Some(kept) = self.words.typed_data::<u64>().get(word) {
            self.current = *kept;
        }
        self.current &= (1 << bits) - 1;
        self.words.truncate(word * 8);
        self.len = len;
    }

    /// All bits; none are left.
    pub fn take(&mut self) -> BooleanBuffer {
        let mut taken = std::mem::take(self);
        if !taken.len.is_multiple_of(64) {
            taken.words.push(taken.current);
        }
        BooleanBuffer::new(taken.words.into(), 0, taken.len)
    }
}

/// Which values of a column are there. A column that is NOT NULL keeps nothing.
#[derive(Debug, Default)]
pub(crate) struct Validity {
    bits: Bits,
    len: usize,
    nulls: bool,
}

impl Validity {
    /// Adds a value, or NULL.
    #[inline(always)]
    pub fn push(&mut self, is_null: bool) {
        if is_null && !self.nulls {
            self.materialize();
        }
        if self.nulls {
            self.bits.push(!is_null);
        }
        self.len += 1;
    }

    /// Adds `count` values.
    pub fn push_values(&mut self, count: usize) {
        if self.nulls {
            self.bits.push_many(count, true);
        }
        self.len += count;
    }

    #[cold]
    fn materialize(&mut self) {
        self.nulls = true;
        self.bits.push_many(self.len, true);
    }

    /// Keeps the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.len = len;
        self.bits.truncate(len);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// All bits, if some value is NULL; none are left.
    pub fn take(&mut self) -> Option<NullBuffer> {
        let mut taken = std::mem::take(self);
        let nulls = taken.nulls.then(|| NullBuffer::new(taken.bits.take()))?;
        (nulls.null_count() > 0).then_some(nulls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_after_any_cut() {
        for len in [0, 1, 63, 64, 65, 127, 128, 200] {
            for kept in [0, 1, 62, 63, 64, 65, 128, 199, 200] {
                let mut bits = Bits::default();
                (0..len).for_each(|at| bits.push(at % 3 == 0));
                bits.truncate(kept);
                bits.push(true);
                bits.push(false);
                let kept = kept.min(len);
                let wanted: Vec<bool> =
                    (0..kept).map(|at| at % 3 == 0).chain([true, false]).collect();
                assert_eq!(bits.take().iter().collect::<Vec<_>>(), wanted, "{kept} of {len}");
                assert_eq!(bits.take().len(), 0);
            }
        }
    }

    #[test]
    fn no_bits_without_a_null() {
        let mut validity = Validity::default();
        (0..100).for_each(|_| validity.push(false));
        assert!(validity.take().is_none());
        validity.push(false);
        validity.push(true);
        validity.push(false);
        let nulls = validity.take().unwrap();
        assert_eq!((nulls.len(), nulls.null_count(), nulls.is_null(1)), (3, 1, true));
        validity.push(false);
        validity.push(true);
        validity.truncate(1);
        assert!(validity.take().is_none());
    }
}
