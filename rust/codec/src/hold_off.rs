//! When a short way is not worth a try: after a record that it gave up, the next 1, 3, 7 ... up to 127
//! go the long way at once. For rows that are appended, and for columns.

/// Records that go the long way at once. One for each reader, whatever it reads.
#[derive(Debug, Default)]
pub struct HoldOff {
    left: u32,
    penalty: u32,
    given_up: u64,
}

impl HoldOff {
    /// Longest penalty, in records.
    const MAX: u32 = 127;

    /// Whether the next record may try the short way.
    #[inline(always)]
    pub fn allows(&mut self) -> bool {
        if self.left == 0 {
            return true;
        }
        self.left -= 1;
        false
    }

    /// The short way took a record: the next one that it gives up counts as the first.
    #[inline]
    pub fn succeeded(&mut self) {
        self.penalty = 0;
    }

    /// The short way gave a record up.
    #[cold]
    pub fn gave_up(&mut self) {
        self.penalty = (2 * self.penalty + 1).min(HoldOff::MAX);
        self.left = self.penalty;
        self.given_up += 1;
    }

    /// Records that were tried and given up.
    pub fn given_up(&self) -> u64 {
        self.given_up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of the next records are let through while all of them are given up.
    #[test]
    fn records_that_are_given_up_cost_one_try_in_128_at_last() {
        let mut hold_off = HoldOff::default();
        let mut tries = Vec::new();
        for record in 0..1000 {
            if hold_off.allows() {
                hold_off.gave_up();
                tries.push(record);
            }
        }
        assert_eq!(tries, [0, 2, 6, 14, 30, 62, 126, 254, 382, 510, 638, 766, 894]);
        assert_eq!(hold_off.given_up(), 13);
    }

    #[test]
    fn success_takes_the_penalty_back() {
        let mut hold_off = HoldOff::default();
        hold_off.gave_up();
        assert!(!hold_off.allows());
        assert!(hold_off.allows());
        hold_off.succeeded();
        assert!(hold_off.allows());
        hold_off.gave_up();
        assert!(!hold_off.allows());
        assert!(hold_off.allows());
    }
}
