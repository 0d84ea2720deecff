//! Log lines waiting for Java.
//!
//! Whatever the crates log through the `log` facade is kept here, process-wide, and moved to slf4j
//! by `NativeLog.drain` after cold calls. Bounded: when nobody drains, the oldest lines go, and
//! the next drain says how many.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use log::{Level, LevelFilter, Log, Metadata, Record};

const LINES_MAX: usize = 256;
const MESSAGE_BYTES_MAX: usize = 4096;

static BUFFER: LogBuffer = LogBuffer::new();

/// Makes the buffer the logger of this copy of the library.
pub fn install() {
    // A second call finds the same logger in place.
    if log::set_logger(&BUFFER).is_ok() {
        log::set_max_level(LevelFilter::Info);
    }
}

/// Takes all lines out, encoded for `NativeLog`: level (1 byte), then target and message, each a
/// big-endian 4-byte length and UTF-8.
pub fn drain() -> Vec<u8> {
    BUFFER.drain()
}

struct LogBuffer {
    waiting: Mutex<Waiting>,
}

struct Waiting {
    lines: VecDeque<Line>,
    lost: usize,
}

struct Line {
    level: Level,
    target: String,
    message: String,
}

impl LogBuffer {
    const fn new() -> LogBuffer {
        LogBuffer { waiting: Mutex::new(Waiting { lines: VecDeque::new(), lost: 0 }) }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, level: Level, target: &str, mut message: String) {
        if message.len() > MESSAGE_BYTES_MAX {
            let is_boundary = |at: &usize| message.is_char_boundary(*at);
            let cut = (0..=MESSAGE_BYTES_MAX).rev().find(is_boundary).unwrap_or(0);
            message.truncate(cut);
            message.push('…');
        }
        let mut waiting = self.waiting();
        if waiting.lines.len() == LINES_MAX {
            waiting.lines.pop_front();
            waiting.lost += 1;
        }
        waiting.lines.push_back(Line { level, target: target.to_string(), message });
    }

    fn drain(&self) -> Vec<u8> {
        let (lines, lost) = {
            let mut waiting = self.waiting();
            (std::mem::take(&mut waiting.lines), std::mem::take(&mut waiting.lost))
        };
        let mut out = Vec::new();
        if lost > 0 {
            let message = format!("{lost} earlier lines were lost: the buffer was full");
            encode(&mut out, Level::Warn, module_path!(), &message);
        }
        for line in lines {
            encode(&mut out, line.level, &line.target, &line.message);
        }
        out
    }
}

fn encode(out: &mut Vec<u8>, level: Level, target: &str, message: &str) {
    out.push(level as u8);
    for text in [target, message] {
        out.extend_from_slice(&(text.len() as u32).to_be_bytes());
        out.extend_from_slice(text.as_bytes());
    }
}

impl Log for LogBuffer {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Info
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            self.push(record.level(), record.target(), record.args().to_string());
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_leave_in_order_and_once() {
        let buffer = LogBuffer::new();
        buffer.push(Level::Warn, "a::b", "é".to_string());
        buffer.push(Level::Info, "c", String::new());
        let expected = b"\x02\0\0\0\x04a::b\0\0\0\x02\xc3\xa9\x03\0\0\0\x01c\0\0\0\0";
        assert_eq!(buffer.drain(), expected);
        assert!(buffer.drain().is_empty());
    }

    #[test]
    fn a_full_buffer_loses_the_oldest_and_says_so() {
        let buffer = LogBuffer::new();
        for number in 0..LINES_MAX + 3 {
            buffer.push(Level::Info, "t", format!("line {number}."));
        }
        let text = String::from_utf8_lossy(&buffer.drain()).into_owned();
        assert!(text.contains("3 earlier lines were lost"));
        assert!(!text.contains("line 2.") && text.contains("line 3."));
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let buffer = LogBuffer::new();
        buffer.push(Level::Info, "t", "€".repeat(MESSAGE_BYTES_MAX));
        assert!(buffer.drain().len() < MESSAGE_BYTES_MAX + 32);
    }
}
