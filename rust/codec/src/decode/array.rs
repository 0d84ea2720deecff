//! Arrays: Flink's `BinaryArrayData`.
//!
//! Count (4 bytes), a null bit for each element in words of 4 bytes, `width` bytes for each element,
//! padded to words of 8; then the variable part as in rows, with offsets from the array's start.

use sluice_plan::FailureCode;
use sluice_plan::program::{ArrayProgram, Element, Emit, Number};
use sluice_wire::{Cursor, WireError};

use super::Level;
use super::check::Source;
use super::gather::{Writer, padded, slot};
use super::scan::{raw_number, view};

/// Bytes in front of the elements.
fn header_len(count: usize) -> usize {
    4 + count.div_ceil(32) * 4
}

/// How elements are stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub width: u8,
    pub canonical_nan: bool,
}

impl Layout {
    /// Offsets and lengths.
    pub const VIEWS: Layout = Layout { width: 8, canonical_nan: false };

    /// The element with the only NaN that arrays hold.
    #[inline(always)]
    pub fn canonical(self, value: u64) -> u64 {
        if !self.canonical_nan {
            return value;
        }
        match self.width {
            4 if f32::from_bits(value as u32).is_nan() => 0x7fc0_0000,
            8 if f64::from_bits(value).is_nan() => 0x7ff8_0000_0000_0000,
            _ => value,
        }
    }
}

impl<'a> Writer<'a> {
    /// Appends the array whose pieces hang on `pieces`.
    pub fn array(
        &mut self, array: &'a ArrayProgram, pieces: u64, base: usize, level: Level,
    ) -> Result<u64, FailureCode> {
        let layout = Layout { width: array.width, canonical_nan: array.canonical_nan };
        let start = self.at;
        match array.element {
            Element::Number(number) => {
                self.collect(number, pieces, None)?;
                let values = std::mem::take(&mut self.scanner.scratch.values);
                let elements = self.elements(values.len(), layout)?;
                self.set_numbers(elements, layout, &values);
                self.scanner.scratch.values = values;
            }
            Element::Emitted { number, emit, closed } => {
                self.collect(number, pieces, closed)?;
                let values = std::mem::take(&mut self.scanner.scratch.values);
                let elements = self.elements(values.len(), layout)?;
                for (index, value) in values.iter().enumerate() {
                    let element = self.emit(emit, *value, start, level)?;
                    let element = element.expect("numbers are never NULL");
                    self.set_element(elements, index, layout, element);
                }
                self.scanner.scratch.values = values;
            }
            Element::Piece(emit) => self.pieces(emit, array, pieces, start, level)?,
        }
        Ok(slot(start - base, self.at - start))
    }

    /// Room for `count` elements, header written, all elements zero; where the elements start.
    pub fn elements(&mut self, count: usize, layout: Layout) -> Result<usize, FailureCode> {
        let header = header_len(count);
        let len = padded(header + count * usize::from(layout.width));
        self.reserve(len)?;
        let out = &mut self.rows.from(self.at)[..len];
        out[..header].fill(0);
        out[len - 8..].fill(0); // padding; the elements before it are all stored
        out[..4].copy_from_slice(&(count as u32).to_le_bytes());
        let elements = self.at + header;
        self.at += len;
        Ok(elements)
    }

    /// Stores all elements, which are numbers.
    fn set_numbers(&mut self, elements: usize, layout: Layout, values: &[u64]) {
        let width = usize::from(layout.width);
        let out = &mut self.rows.from(elements)[..values.len() * width];
        match (width, layout.canonical_nan) {
            (4, false) => out.chunks_exact_mut(4).zip(values).for_each(|(to, value)| {
                to.copy_from_slice(&(*value as u32).to_le_bytes());
            }),
            (8, false) => out.chunks_exact_mut(8).zip(values).for_each(|(to, value)| {
                to.copy_from_slice(&value.to_le_bytes());
            }),
            _ => out.chunks_exact_mut(width).zip(values).for_each(|(to, value)| {
                let value = layout.canonical(*value).to_le_bytes();
                to.copy_from_slice(&value[..width]);
            }),
        }
    }

    #[inline(always)]
    pub fn set_element(&mut self, elements: usize, index: usize, layout: Layout, value: u64) {
        let width = layout.width;
        let value = layout.canonical(value);
        let out = self.rows.from(elements + index * usize::from(width));
        match width {
            1 => out[0] = value as u8,
            2 => out[..2].copy_from_slice(&(value as u16).to_le_bytes()),
            4 => out[..4].copy_from_slice(&(value as u32).to_le_bytes()),
            _ => out[..8].copy_from_slice(&value.to_le_bytes()),
        }
    }

    /// Reads all runs into `scratch.values`; numbers that enum `closed` lacks are left out.
    fn collect(
        &mut self, number: Number, pieces: u64, closed: Option<u32>,
    ) -> Result<(), FailureCode> {
        match (number, closed) {
            // The usual numbers have loops of their own.
            (Number::Int64, None) => self.runs(pieces, |run| run.varint()),
            (Number::Int32, None) => self.runs(pieces, |run| run.varint32().map(u64::from)),
            (Number::SInt64, None) => {
                self.runs(pieces, |run| run.varint().map(|raw| Number::SInt64.value(raw)))
            }
            (Number::SInt32, None) => {
                self.runs(pieces, |run| run.varint().map(|raw| Number::SInt32.value(raw)))
            }
            (Number::Fixed64, None) => self.runs(pieces, |run| run.fixed64()),
            (Number::Fixed32, None) => self.runs(pieces, |run| run.fixed32().map(u64::from)),
            _ => self.other_runs(number, pieces, closed),
        }
    }

    #[inline(always)]
    fn runs(
        &mut self, pieces: u64, read: impl Fn(&mut Cursor<'a>) -> Result<u64, WireError>,
    ) -> Result<(), FailureCode> {
        let mut values = std::mem::take(&mut self.scanner.scratch.values);
        values.clear();
        let mut next = Some(pieces as u32);
        while let Some(span) = self.scanner.scratch.pieces.next(&mut next) {
            let mut run = self.scanner.cursor(span);
            while !run.is_empty() {
                let at = run.at();
                match read(&mut run) {
                    Ok(value) => values.push(value),
                    Err(error) => {
                        self.scanner.scratch.values = values;
                        return Err(self.scanner.scratch.fault.at(error.into(), at));
                    }
                }
            }
        }
        self.scanner.scratch.values = values;
        Ok(())
    }

    fn other_runs(
        &mut self, number: Number, pieces: u64, closed: Option<u32>,
    ) -> Result<(), FailureCode> {
        let program = self.scanner.program;
        let known = closed.map(|names| &program.enums[names as usize]);
        self.scanner.scratch.values.clear();
        let mut next = Some(pieces as u32);
        while let Some(span) = self.scanner.scratch.pieces.next(&mut next) {
            let mut run = self.scanner.cursor(span);
            while !run.is_empty() {
                let at = run.at();
                let raw = match raw_number(&mut run, number) {
                    Ok(raw) => raw,
                    Err(code) => return Err(self.scanner.scratch.fault.at(code, at)),
                };
                if known.is_none_or(|known| known.find(raw as u32 as i32).is_some()) {
                    self.scanner.scratch.values.push(number.value(raw));
                }
            }
        }
        Ok(())
    }

    /// One piece, one element.
    fn pieces(
        &mut self, emit: Emit, array: &'a ArrayProgram, pieces: u64, start: usize, level: Level,
    ) -> Result<(), FailureCode> {
        let layout = Layout { width: array.width, canonical_nan: array.canonical_nan };
        let elements = self.elements(self.scanner.scratch.pieces.count(pieces), layout)?;
        let mut next = Some(pieces as u32);
        let mut index = 0;
        while let Some(span) = self.scanner.scratch.pieces.next(&mut next) {
            let element = match emit {
                Emit::Bytes | Emit::LenientText => self.emit(emit, view(span), start, level),
                _ => self.emit_message(emit, Source::Span(span), start, level),
            };
            match element {
                Ok(Some(element)) => self.set_element(elements, index, layout, element),
                Ok(None) if !array.not_null => self.set_null(start, elements, index, layout),
                refused => return Err(self.refuse_element(refused.err(), span.at)),
            }
            index += 1;
        }
        Ok(())
    }

    /// Makes element `index` of the array at `start` NULL.
    pub fn set_null(&mut self, start: usize, elements: usize, index: usize, layout: Layout) {
        self.set_element(elements, index, layout, 0);
        self.rows.from(start + 4 + index / 8)[0] |= 1 << (index % 8);
    }

    #[cold]
    fn refuse_element(&mut self, code: Option<FailureCode>, at: usize) -> FailureCode {
        let code = code.unwrap_or_else(|| self.null_element("an element"));
        self.scanner.scratch.fault.at(code, at)
    }

    #[cold]
    pub fn null_element(&mut self, what: &str) -> FailureCode {
        let detail = format!("{what} is NOT NULL and has no value that fits");
        self.scanner.scratch.fault.because(FailureCode::NullInNotNull, detail)
    }
}
