//! Choices: a stream of numbers that a generator draws its decisions from.
//!
//! The generators of this module tree are plain functions over a stream, not combinators: a
//! message depends on its schema, so combinators would shrink the one apart from the other.
//! Shrinking works on the stream instead. Two rules keep it useful: a smaller number must mean a
//! simpler case, and an exhausted stream gives zeros for ever, so every loop must end on zeros.

/// A stream of decisions; see the module header.
#[derive(Debug)]
pub struct Choices<'a> {
    units: &'a [u32],
    at: usize,
    portable: bool,
}

impl<'a> Choices<'a> {
    /// A stream over `units`.
    pub fn new(units: &'a [u32]) -> Self {
        Choices { units, at: 0, portable: false }
    }

    /// The same stream for bytes that every Protobuf implementation reads alike: without tags and
    /// varints beyond their field's width, known fields under another wire type, or levels near the
    /// limit.
    pub fn portable(self) -> Self {
        Choices { portable: true, ..self }
    }

    /// Whether bytes must mean the same to every implementation; see [`Choices::portable`].
    pub fn is_portable(&self) -> bool {
        self.portable
    }

    fn unit(&mut self) -> u32 {
        let unit = self.units.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        unit
    }

    /// A number below `bound`; 0 when `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 { 0 } else { self.unit() % bound }
    }

    /// An index into `len` things.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u32) as usize
    }

    /// True once in `n` times, and never on an exhausted stream.
    pub fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == n - 1
    }

    /// True but once in `n` times, and always on an exhausted stream.
    pub fn mostly(&mut self, n: u32) -> bool {
        !self.once_in(n)
    }

    /// One of `options`.
    pub fn pick<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.index(options.len())]
    }

    /// 64 bits, biased to the edges of the integer kinds.
    pub fn bits(&mut self) -> u64 {
        const EDGES: [i64; 16] = [
            0,
            1,
            -1,
            2,
            127,
            128,
            255,
            i32::MAX as i64,
            i32::MIN as i64,
            u32::MAX as i64,
            1 << 32,
            (1 << 32) + 1,
            i64::MAX,
            i64::MIN,
            i64::MIN + 1,
            0x7ff8_0000_0000_0001,
        ];
        match self.below(3) {
            0 => self.pick(&EDGES) as u64,
            1 => self.unit() as u64 & 0xffff,
            _ => ((self.unit() as u64) << 32) | self.unit() as u64,
        }
    }

    /// Reorders `things`; an exhausted stream leaves them alone.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in 0..things.len() {
            let other = at + self.index(things.len() - at);
            things.swap(at, other);
        }
    }
}
