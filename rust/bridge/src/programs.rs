//! The programs of one session, by what its records begin with.
//!
//! The bytes before the message (the header) name schema and message, and most records of a topic
//! begin with the same ones; so headers are compared as bytes, and a frame is read only when its
//! bytes are met for the first time. No header is the beginning of another one, since a frame is
//! read from left to right. Records without frame have the empty header.

use std::collections::HashMap;
use std::sync::Arc;

use sluice_codec::frame::{self, Frame, SchemaKey};
use sluice_plan::{Failure, FailureCode};

use crate::program_cache::SharedProgram;

/// Headers that are compared as bytes; a topic seldom has more versions in use at once.
const KNOWN_MAX: usize = 8;

/// See the module.
pub enum Programs {
    /// The plan brings the schema, and records have no frame.
    Bare(Known),
    /// Each record names its schema, or at least brings a frame along.
    Framed(Framed),
}

/// A header and the program of its records.
pub struct Known {
    header: Box<[u8]>,
    program: Arc<SharedProgram>,
}

/// See [`Programs::Framed`].
#[derive(Default)]
pub struct Framed {
    /// The program of a plan that brings its schema along, whatever the frame says.
    fixed: Option<Arc<SharedProgram>>,
    by_frame: HashMap<(SchemaKey, Vec<i32>), Arc<SharedProgram>>,
    /// Begins with the header used last.
    known: Vec<Known>,
}

impl Programs {
    /// For records without frame.
    pub fn bare(program: Arc<SharedProgram>) -> Programs {
        Programs::Bare(Known { header: Box::default(), program })
    }

    /// For records with a frame; `fixed` reads them all, if there is one.
    pub fn framed(fixed: Option<Arc<SharedProgram>>) -> Programs {
        Programs::Framed(Framed { fixed, ..Framed::default() })
    }

    /// The program for `record`, and where its message begins.
    pub fn find(&mut self, record: &[u8]) -> Result<(&Arc<SharedProgram>, usize), Failure> {
        let known = match self {
            Programs::Bare(known) => known,
            Programs::Framed(framed) => framed.find(record)?,
        };
        Ok((&known.program, known.header.len()))
    }

    /// Sets the program for all records of this frame.
    pub fn add(&mut self, frame: Frame, program: Arc<SharedProgram>) {
        if let Programs::Framed(framed) = self {
            framed.by_frame.insert((frame.key, frame.indexes), program);
            framed.known.clear();
        }
    }
}

impl Framed {
    fn find(&mut self, record: &[u8]) -> Result<&Known, Failure> {
        let at = match self.known.iter().position(|known| record.starts_with(&known.header)) {
            Some(at) => at,
            None => self.learn(record)?,
        };
        self.known.swap(0, at);
        Ok(&self.known[0])
    }

    /// Reads the frame of `record` and remembers its bytes.
    #[cold]
    fn learn(&mut self, record: &[u8]) -> Result<usize, Failure> {
        let frame = frame::read(record)?;
        let header = record[..frame.message_at].into();
        let found = self.fixed.as_ref().or_else(|| self.by_frame.get(&(frame.key, frame.indexes)));
        let Some(program) = found else {
            let code = FailureCode::UnknownSchema;
            return Err(Failure::new(code, code.to_string()));
        };
        let known = Known { header, program: Arc::clone(program) };
        self.known.truncate(KNOWN_MAX - 1);
        self.known.push(known);
        Ok(self.known.len() - 1)
    }
}
