//! Messages that are no rows: checked and forgotten, or read into slots of their own.

use sluice_plan::FailureCode;
use sluice_plan::program::{Bit, Check, MessageProgram, OneofProgram};
use sluice_wire::{Span, Tag};

use super::Level;
use super::presence::{Narrow, Presence, Wide};
use super::scan::{Scanner, get, set};

/// Where the bytes of a message are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// Nowhere: the default instance.
    Nothing,
    /// In one place.
    Span(Span),
    /// In the pieces that start with this node; they are merged.
    Pieces(u32),
    /// From the start of this span up to this end of a group.
    Group(Span, Tag),
}

impl<'a> Scanner<'a> {
    /// Runs check program `index`; where reading stopped.
    pub fn check(
        &mut self, index: u32, source: Source, level: Level,
    ) -> Result<usize, FailureCode> {
        let program = self.program;
        let message = &program.messages[index as usize];
        let checked = if message.is_wide {
            self.read_apart::<Wide, false>(message, source, level)
        } else {
            self.read_apart::<Narrow, false>(message, source, level)
        };
        let (slots, at, _) = checked?;
        self.give_back(slots, level);
        Ok(at)
    }

    /// Reads a message into slots outside of any row, for the caller to look at and give back.
    /// Says also whether the first two columns were present. The slot of a column that is a oneof is
    /// filled if `ONEOFS`, and then tells where the choice stands.
    pub fn read_slots<const ONEOFS: bool>(
        &mut self, message: &'a MessageProgram, source: Source, level: Level,
    ) -> Result<(Vec<u8>, [bool; 2]), FailureCode> {
        let read = if message.is_wide {
            self.read_apart::<Wide, ONEOFS>(message, source, level)
        } else {
            self.read_apart::<Narrow, ONEOFS>(message, source, level)
        };
        let (slots, _, present) = read?;
        Ok((slots, present))
    }

    pub fn give_back(&mut self, slots: Vec<u8>, level: Level) {
        self.scratch.slots[level.depth as usize] = slots;
    }

    fn read_apart<P: Presence, const ONEOFS: bool>(
        &mut self, message: &'a MessageProgram, source: Source, level: Level,
    ) -> Result<(Vec<u8>, usize, [bool; 2]), FailureCode> {
        let mut slots = std::mem::take(&mut self.scratch.slots[level.depth as usize]);
        slots.clear();
        slots.extend_from_slice(&message.template);
        let seen = P::start(message, &mut self.scratch.words);
        let (mut seen, at) = self.read(message, &mut slots, source, seen, level)?;
        if ONEOFS {
            seen = self.moves(message, &mut slots, source, seen)?;
            self.choose(message, &mut slots, seen);
        }
        self.finish(message, &mut slots, source, seen, level)?;
        let words = &mut self.scratch.words;
        let present = [seen.has(words, Bit::at(8)), seen.has(words, Bit::at(9))];
        seen.finish(words);
        Ok((slots, at, present))
    }

    /// Scans all of a message, wherever it is.
    #[inline(always)]
    pub fn read<P: Presence>(
        &mut self, message: &'a MessageProgram, slots: &mut [u8], source: Source, mut seen: P,
        level: Level,
    ) -> Result<(P, usize), FailureCode> {
        match source {
            Source::Nothing => Ok((seen, 0)),
            Source::Span(span) => self.scan(message, slots, span, Tag(0), seen, level),
            Source::Group(cursor, stop) => self.scan(message, slots, cursor, stop, seen, level),
            Source::Pieces(first) => {
                let mut next = Some(first);
                let mut at = 0;
                while let Some(span) = self.scratch.pieces.next(&mut next) {
                    (seen, at) = self.scan(message, slots, span, Tag(0), seen, level)?;
                }
                Ok((seen, at))
            }
        }
    }

    /// What can be said only when all pieces are known: required fields, here and in unselected
    /// messages, and columns that must not be NULL.
    #[inline(always)]
    pub fn finish<P: Presence>(
        &mut self, message: &'a MessageProgram, slots: &mut [u8], source: Source, seen: P,
        level: Level,
    ) -> Result<(), FailureCode> {
        for oneof in message.oneofs.iter().filter(|oneof| oneof.revives) {
            self.finish_oneof(message, oneof, slots, seen, level)?;
        }
        for tracked in &message.tracked {
            if !seen.has(&self.scratch.words, tracked.bit) {
                continue;
            }
            let slot = get(slots, tracked.slot);
            let pieces = Source::Pieces(slot as u32);
            let checked = level.inside().and_then(|level| match tracked.check {
                Check::Message(check) => self.check(check, pieces, level).map(drop),
                Check::Values(map) => self.check_values(map, slot, level),
            });
            if let Err(code) = checked {
                let at = self.start(pieces);
                return Err(self.scratch.fault.field(
                    code,
                    &message.fields,
                    tracked.field,
                    false,
                    at,
                ));
            }
        }
        for index in 0..message.presence_words {
            let absent = !seen.word(&self.scratch.words, index);
            let required = if level.enforce { message.required[index] & absent } else { 0 };
            let code = match (required, message.not_null[index] & absent) {
                (0, 0) => continue,
                (0, _) => FailureCode::NullInNotNull,
                _ => FailureCode::MissingRequired,
            };
            let bits = if required != 0 { required } else { message.not_null[index] & absent };
            return Err(self.absent(message, index, bits, code, source));
        }
        Ok(())
    }

    /// Checks what a generated class keeps of members that their siblings cleared for good.
    fn finish_oneof<P: Presence>(
        &mut self, message: &'a MessageProgram, oneof: &OneofProgram, slots: &mut [u8], seen: P,
        level: Level,
    ) -> Result<(), FailureCode> {
        for member in &oneof.members {
            let pieces = get(slots, member.slot);
            let Some(check) = member.check.filter(|_| pieces != 0) else { continue };
            if seen.has(&self.scratch.words, member.bit) {
                continue;
            }
            let pieces = Source::Pieces(pieces as u32);
            let checked = level
                .inside()
                .and_then(|level| self.check(check, pieces, Level { enforce: false, ..level }));
            if let Err(code) = checked {
                let at = self.start(pieces);
                return Err(self.scratch.fault.field(
                    code,
                    &message.fields,
                    member.field,
                    false,
                    at,
                ));
            }
            set(slots, member.slot, member.absent);
        }
        Ok(())
    }

    #[cold]
    fn absent(
        &mut self, message: &MessageProgram, index: usize, bits: u64, code: FailureCode,
        source: Source,
    ) -> FailureCode {
        let at = self.start(source);
        let name = message
            .names
            .iter()
            .find(|(bit, _)| bit.word as usize == index && bit.mask & bits != 0)
            .map(|(_, name)| name.clone());
        let name = name.unwrap_or_default();
        if code == FailureCode::NullInNotNull {
            return self.null_in_not_null(message, &name, source);
        }
        let detail = format!("required field {name} of {} is absent", message.name);
        let code = self.scratch.fault.because(code, detail);
        self.scratch.fault.named(code, name, at)
    }

    /// A column that must not be NULL has no value.
    #[cold]
    pub fn null_in_not_null(
        &mut self, message: &MessageProgram, column: &str, source: Source,
    ) -> FailureCode {
        let at = self.start(source);
        let detail =
            format!("column {column} is NOT NULL and {} has no value for it", message.name);
        let code = self.scratch.fault.because(FailureCode::NullInNotNull, detail);
        self.scratch.fault.named(code, column.to_string(), at)
    }

    /// The bytes of a message that is in one place.
    #[inline(always)]
    pub fn whole(&self, source: Source) -> Option<Span> {
        match source {
            Source::Span(span) => Some(span),
            Source::Pieces(first) => {
                let mut next = Some(first);
                let span = self.scratch.pieces.next(&mut next);
                if next.is_some() { None } else { span }
            }
            Source::Nothing | Source::Group(..) => None,
        }
    }

    /// Offset of a message's first byte; `None` if it has none.
    #[cold]
    pub fn start(&self, source: Source) -> Option<usize> {
        match source {
            Source::Nothing | Source::Pieces(0) => None,
            Source::Span(span) | Source::Group(span, _) => Some(span.at),
            Source::Pieces(first) => self.scratch.pieces.next(&mut Some(first)).map(|span| span.at),
        }
    }
}
