//! Images of map keys: what a key is in the row, for keys whose raw form does not tell equality.
//!
//! An image is the key's slot and what belongs to it in the variable part. A value stands whole in
//! its slot or begins right behind, so an image is moved by changing one offset, and no key is
//! read twice however deep keys lie in keys.

use sluice_plan::FailureCode;
use sluice_plan::program::MapSide;
use sluice_wire::Span;

use super::Level;
use super::array::Layout;
use super::entries::Side;
use super::gather::{Writer, slot};
use super::scan::{span_of, view};

impl<'a> Writer<'a> {
    /// Makes the images of all keys from entry `first` on.
    pub fn write_images(
        &mut self, key: &'a MapSide, first: usize, level: Level,
    ) -> Result<(), FailureCode> {
        let layout = Layout { width: key.width, canonical_nan: key.canonical_nan };
        for index in first..self.scanner.scratch.entries.len() {
            let part = self.scanner.scratch.entries[index].key;
            let start = self.at;
            self.reserve(8)?;
            self.at += 8;
            let value = self.side_value(key, "key", part, start, level)?;
            let image = self.scanner.scratch.images.len();
            if let Some(slot) = value {
                self.rows.set_word(start, layout.canonical(slot));
                let bytes = &self.rows.from(start)[..self.at - start];
                self.scanner.scratch.images.extend_from_slice(bytes);
            }
            self.at = start;
            let len = self.scanner.scratch.images.len() - image;
            let raw = view(Span { at: image, len });
            self.scanner.scratch.entries[index].key = Side { raw, present: len > 0 };
        }
        Ok(())
    }

    /// The key array, from images.
    pub fn place_images(&mut self, key: &MapSide, first: usize) -> Result<(), FailureCode> {
        let layout = Layout { width: key.width, canonical_nan: key.canonical_nan };
        let base = self.at;
        let count = self.scanner.scratch.entries.len() - first;
        let elements = self.elements(count, layout)?;
        for index in 0..count {
            let Side { raw, present } = self.scanner.scratch.entries[first + index].key;
            if !present {
                self.set_null(base, elements, index, layout);
                continue;
            }
            let Span { at, len } = span_of(raw);
            let start = self.at;
            self.reserve(len - 8)?;
            let image = &self.scanner.scratch.images[at..at + len];
            self.rows.from(start)[..len - 8].copy_from_slice(&image[8..]);
            self.at += len - 8;
            let word =
                u64::from_le_bytes(*image.first_chunk().expect("an image begins with a slot"));
            let moved = slot(start - base, word as u32 as usize);
            self.set_element(elements, index, layout, if len > 8 { moved } else { word });
        }
        Ok(())
    }
}
