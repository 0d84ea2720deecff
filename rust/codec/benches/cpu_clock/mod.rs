//! A clock that stands still while the thread does: figures from a busy machine stay comparable.
//!
//! Linux counts the nanoseconds of a thread on a CPU in `/proc/thread-self/schedstat`, up to its
//! last scheduling point; so the thread yields first. Elsewhere it is an ordinary clock.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// Time that the thread spent on a CPU.
pub struct CpuClock;

impl CpuClock {
    fn now() -> Duration {
        std::thread::yield_now();
        let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        match counted.and_then(|text| text.split(' ').next()?.parse().ok()) {
            Some(nanos) => Duration::from_nanos(nanos),
            None => {
                static START: OnceLock<Instant> = OnceLock::new();
                START.get_or_init(Instant::now).elapsed()
            }
        }
    }
}

impl Measurement for CpuClock {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        CpuClock::now()
    }

    fn end(&self, start: Duration) -> Duration {
        CpuClock::now().saturating_sub(start)
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
