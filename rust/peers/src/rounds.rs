//! Contenders take turns: a slice of CPU time each, in as many rounds as asked for, every round beginning
//! with another one. What the machine does meanwhile hits all of them, and the median leaves a bad round
//! out. The Java bench does the same.

use std::error::Error;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::contenders::Contender;
use crate::payload::{BATCH, Payload};

/// How long and how often is measured.
pub struct Rounds {
    count: usize,
    warm: Duration,
    slice: Duration,
}

/// Of one contender, nanoseconds of the thread's CPU time per record.
pub struct Times {
    pub contender: &'static str,
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl Rounds {
    /// Rounds, milliseconds to warm up, milliseconds of a slice.
    pub fn of(numbers: &[String]) -> Result<Rounds, Box<dyn Error>> {
        let numbers = numbers.iter().map(|one| one.parse()).collect::<Result<Vec<u64>, _>>()?;
        let [count, warm, slice] = numbers[..] else {
            return Err("ROUNDS WARM_MILLIS SLICE_MILLIS".into());
        };
        let [warm, slice] = [warm, slice].map(Duration::from_millis);
        Ok(Rounds { count: count as usize, warm, slice })
    }

    pub fn run(&self, payload: &Payload, contenders: &mut [Box<dyn Contender>]) -> Vec<Times> {
        for contender in &mut *contenders {
            slice(payload, contender.as_mut(), self.warm);
        }
        let count = contenders.len();
        let mut nanos = vec![Vec::new(); count];
        for round in 0..self.count {
            for turn in 0..count {
                let at = (turn + round) % count;
                nanos[at].push(slice(payload, contenders[at].as_mut(), self.slice));
            }
        }
        let times = contenders.iter().zip(nanos).map(|(contender, mut nanos)| {
            nanos.sort_by(f64::total_cmp);
            let [min, median, max] = [0, nanos.len() / 2, nanos.len() - 1].map(|at| nanos[at]);
            Times { contender: contender.name(), median, min, max }
        });
        times.collect()
    }
}

/// Nanoseconds per record over at least so much CPU time, all batches as often as each other.
fn slice(payload: &Payload, contender: &mut dyn Contender, at_least: Duration) -> f64 {
    let start = ThreadTime::now();
    let mut records = 0;
    loop {
        for batch in &payload.batches {
            contender.run(batch);
            records += BATCH;
        }
        let spent = start.elapsed();
        if spent >= at_least {
            return spent.as_nanos() as f64 / records as f64;
        }
    }
}
