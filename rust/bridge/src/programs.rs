//! The programs of one session, by what its records begin with.
//!
//! The bytes before the message (the header) name schema and message, and most records of a topic
//! begin with the same ones; so headers are compared as bytes, and a frame is read only when its
//! bytes are met for the first time. No header is the beginning of another one, since a frame is
//! read from left to right. Records without frame have the empty header.
//!
//! A topic may have any number of schemas over time, so only so many frames are remembered. The
//! schema of one that was forgotten is asked for again when a record has it, and its program is
//! compiled anew unless another session has it.

use std::collections::HashMap;
use std::sync::Arc;

use sluice_codec::Slab;
use sluice_codec::frame::{self, Frame, SchemaKey};
use sluice_plan::{Failure, FailureCode};

use crate::program_cache::SharedProgram;
use crate::row_counts::{RowCount, RowCounts};

/// Headers that are compared as bytes; a topic seldom has more versions in use at once.
const KNOWN_MAX: usize = 8;

/// Frames that are remembered; beyond, a quarter of them goes, those used least recently.
pub const FRAMES_MAX: usize = 10_000;

/// The same for the serialized schemas of remembered frames, together: a program takes some ten times as
/// much.
pub const SCHEMA_BYTES_MAX: usize = 16 << 20;

/// See the module.
pub struct Programs {
    /// Everything that records have been found to be, and places that are free again.
    entries: Vec<Entry>,
    framing: Framing,
    counts: Arc<RowCounts>,
}

/// What the records of one frame are.
pub struct Entry {
    /// `None`: a message that the plan does not ask for.
    pub program: Option<Arc<SharedProgram>>,
    /// Rows made of its message, by all frames together.
    pub rows: RowCount,
    /// When its frame was learned last.
    used: u64,
    /// Bytes of its serialized schema.
    schema_len: usize,
}

impl Entry {
    fn new(program: Option<Arc<SharedProgram>>, counts: &RowCounts) -> Entry {
        let rows = name(&program).map(|message| counts.of(message)).unwrap_or_default();
        Entry { program, rows, used: 0, schema_len: 0 }
    }
}

enum Framing {
    /// The plan brings the schema, and records have no frame: all are the one entry.
    Bare,
    /// Each record names its schema, or at least brings a frame along.
    Framed(Framed),
}

/// Records with a frame, and those among them that lack one.
#[derive(Default)]
struct Framed {
    /// The entry of a plan that brings its schema along, whatever the frame says.
    fixed: Option<usize>,
    by_frame: HashMap<(SchemaKey, Vec<i32>), usize>,
    /// Bytes of their serialized schemas.
    schema_bytes: usize,
    /// Entries whose frames were forgotten.
    free: Vec<usize>,
    /// Counts how often a frame was learned.
    clock: u64,
    /// Begins with the header used last.
    known: Vec<Known>,
    /// Records without frame are read, with this entry once it is set.
    reads_unframed: bool,
    unframed: Option<usize>,
}

/// A header and the entry of its records.
struct Known {
    header: Box<[u8]>,
    /// The header's first 8 bytes, little-endian, and which of their bits count: the usual header has
    /// six, and one compare finds it.
    word: u64,
    mask: u64,
    entry: usize,
}

impl Known {
    fn new(header: &[u8], entry: usize) -> Known {
        let word_of = |fill: u8| {
            let mut bytes = [0; 8];
            for (to, from) in bytes.iter_mut().zip(header) {
                *to = from | fill;
            }
            u64::from_le_bytes(bytes)
        };
        Known { header: header.into(), word: word_of(0), mask: word_of(0xff), entry }
    }

    /// Whether the record begins with the header.
    #[inline(always)]
    fn begins(&self, record: Record<'_>) -> bool {
        (record.word() ^ self.word) & self.mask == 0
            && self.header.len() <= record.bytes().len()
            && (self.header.len() <= 8 || record.bytes().starts_with(&self.header))
    }

    #[inline(always)]
    fn found(&self) -> Found {
        Found { entry: self.entry, message_at: self.header.len(), is_unframed: false }
    }
}

/// A record in its slab.
#[derive(Clone, Copy)]
pub struct Record<'a>(pub &'a Slab);

impl<'a> Record<'a> {
    #[inline(always)]
    fn bytes(self) -> &'a [u8] {
        self.0.record()
    }

    /// The first 8 bytes, little-endian; slack behind the end.
    #[inline(always)]
    fn word(self) -> u64 {
        let bytes = self.0.readable().first_chunk().expect("slack is longer");
        u64::from_le_bytes(*bytes)
    }
}

/// What was found for one record.
pub struct Found {
    /// Its entry.
    pub entry: usize,
    /// Where its message begins.
    pub message_at: usize,
    /// It has no frame although others have one.
    pub is_unframed: bool,
}

impl Programs {
    /// For records without frame.
    pub fn bare(program: Arc<SharedProgram>) -> Programs {
        let counts = Arc::new(RowCounts::default());
        let entries = vec![Entry::new(Some(program), &counts)];
        Programs { entries, framing: Framing::Bare, counts }
    }

    /// For records with a frame; `fixed` reads them all, if there is one. `reads_unframed`: a record
    /// without frame is a message, not an error.
    pub fn framed(fixed: Option<Arc<SharedProgram>>, reads_unframed: bool) -> Programs {
        let counts = Arc::new(RowCounts::default());
        let entries: Vec<Entry> =
            fixed.into_iter().map(|program| Entry::new(Some(program), &counts)).collect();
        let fixed = (!entries.is_empty()).then_some(0);
        let framed = Framed { fixed, reads_unframed, ..Framed::default() };
        Programs { entries, framing: Framing::Framed(framed), counts }
    }

    /// What `record` is, and where its message begins.
    #[inline]
    pub fn find(&mut self, record: Record<'_>) -> Result<Found, Failure> {
        match &mut self.framing {
            Framing::Bare => Ok(Found { entry: 0, message_at: 0, is_unframed: false }),
            Framing::Framed(framed) => framed.find(record, &mut self.entries),
        }
    }

    /// The program that reads all records, if there is one.
    pub fn fixed(&self) -> Option<Arc<SharedProgram>> {
        let entry = match &self.framing {
            Framing::Bare => Some(0),
            Framing::Framed(framed) => framed.fixed,
        };
        self.entries[entry?].program.clone()
    }

    /// The entry of this index.
    #[inline]
    pub fn entry(&mut self, index: usize) -> &mut Entry {
        &mut self.entries[index]
    }

    /// Rows made of each message, for other threads as well.
    pub fn counts(&self) -> &Arc<RowCounts> {
        &self.counts
    }

    /// Sets the program for all records of this frame, or of none; `None` if the plan does not ask
    /// for their message. It was compiled from `schema_len` bytes.
    pub fn add(
        &mut self, frame: Option<Frame>, program: Option<Arc<SharedProgram>>, schema_len: usize,
    ) {
        if let Framing::Framed(framed) = &mut self.framing {
            if let (None, Some(at)) = (&frame, framed.unframed)
                && name(&self.entries[at].program) == name(&program)
            {
                self.entries[at].program = program; // so that refreshing adds nothing
                return;
            }
            while framed.has_no_room(schema_len) {
                framed.forget(&mut self.entries);
            }
            let made =
                Entry { used: framed.clock, schema_len, ..Entry::new(program, &self.counts) };
            let entry = match framed.free.pop() {
                Some(free) => {
                    self.entries[free] = made;
                    free
                }
                None => {
                    self.entries.push(made);
                    self.entries.len() - 1
                }
            };
            match frame {
                None => framed.unframed = Some(entry),
                Some(frame) => {
                    framed.schema_bytes += schema_len;
                    let replaced = framed.by_frame.insert((frame.key, frame.indexes), entry);
                    if let Some(replaced) = replaced {
                        framed.drop_entry(replaced, &mut self.entries);
                    }
                    framed.known.clear();
                }
            }
        }
    }

    /// What records have been found to be, and places for it.
    #[cfg(test)]
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Frames that are remembered.
    #[cfg(test)]
    pub fn frames(&self) -> usize {
        match &self.framing {
            Framing::Bare => 0,
            Framing::Framed(framed) => framed.by_frame.len(),
        }
    }
}

impl Framed {
    #[inline]
    fn find(&mut self, record: Record<'_>, entries: &mut [Entry]) -> Result<Found, Failure> {
        match self.known.first() {
            Some(last) if last.begins(record) => Ok(last.found()),
            _ => self.search(record, entries),
        }
    }

    #[inline(never)]
    fn search(&mut self, record: Record<'_>, entries: &mut [Entry]) -> Result<Found, Failure> {
        let at = match self.known.iter().position(|known| known.begins(record)) {
            Some(at) => at,
            None if self.reads_unframed && frame::is_absent(record.bytes()) => {
                return self.unframed();
            }
            None => self.learn(record.bytes(), entries)?,
        };
        self.known.swap(0, at);
        Ok(self.known[0].found())
    }

    fn unframed(&self) -> Result<Found, Failure> {
        match self.unframed {
            Some(entry) => Ok(Found { entry, message_at: 0, is_unframed: true }),
            None => Err(unknown()),
        }
    }

    /// Reads the frame of `record` and remembers its bytes.
    #[cold]
    fn learn(&mut self, record: &[u8], entries: &mut [Entry]) -> Result<usize, Failure> {
        let frame = frame::read(record)?;
        let header = &record[..frame.message_at];
        let Some(&entry) =
            self.fixed.as_ref().or_else(|| self.by_frame.get(&(frame.key, frame.indexes)))
        else {
            return Err(unknown());
        };
        self.clock += 1;
        entries[entry].used = self.clock;
        self.known.truncate(KNOWN_MAX - 1);
        self.known.push(Known::new(header, entry));
        Ok(self.known.len() - 1)
    }

    fn has_no_room(&self, schema_len: usize) -> bool {
        let is_full =
            self.by_frame.len() >= FRAMES_MAX || self.schema_bytes + schema_len > SCHEMA_BYTES_MAX;
        is_full && !self.by_frame.is_empty()
    }

    fn drop_entry(&mut self, at: usize, entries: &mut [Entry]) {
        entries[at].program = None;
        self.schema_bytes -= entries[at].schema_len;
        self.free.push(at);
    }

    /// Forgets the quarter of the frames that was used least recently, and frees its programs.
    /// Headers that are known are in use, however long ago they were learned; which they are is looked
    /// up anew.
    #[cold]
    fn forget(&mut self, entries: &mut [Entry]) {
        for known in &self.known {
            entries[known.entry].used = self.clock;
        }
        let mut used: Vec<u64> = self.by_frame.values().map(|&at| entries[at].used).collect();
        let quarter = used.len() / 4;
        let (_, &mut last, _) = used.select_nth_unstable(quarter);
        let mut forgotten = Vec::new();
        self.by_frame.retain(|_, &mut at| {
            let stays = entries[at].used > last;
            if !stays {
                forgotten.push(at);
            }
            stays
        });
        for at in forgotten {
            self.drop_entry(at, entries);
        }
        self.known.clear();
    }
}

fn name(program: &Option<Arc<SharedProgram>>) -> Option<&str> {
    program.as_ref().map(|program| program.get().message_name())
}

fn unknown() -> Failure {
    let code = FailureCode::UnknownSchema;
    Failure::new(code, code.to_string())
}
