//! Arrays of texts: of a repeated field, and of the keys and values of a map.
//!
//! An array begins with the views of its texts, so their number must be known before the first one is
//! written.

use sluice_plan::program::AppendOp;
use sluice_wire::quick::{Between, Text, Value};

use super::{GivenUp, Row, is_utf8};
use crate::decode::array::Layout;
use crate::decode::gather::{Writer, slot};
use crate::open_row::OpenRow;

impl<'a> Writer<'a> {
    /// Texts that follow each other, as an array: counted first, for the array begins with its views.
    pub(super) fn append_text_array(
        &mut self, row: &Row<'a>, op: &AppendOp, value: Value<'a>,
    ) -> Result<(u64, Between<'a>), GivenUp> {
        let start = self.at;
        let (count, bytes, behind) = run_of(op, value)?;
        // The header has a word for each 32 elements, a text its view and padding.
        self.reserve(bytes + 16 + 17 * count)?;
        let texts = Texts { value: Some(value), tag_len: op.tag_len };
        self.append_texts(count, texts, true)?;
        Ok((slot(start - row.base, self.at - start), behind))
    }

    /// An array of the first `count` texts, for which there is room; they are not yet known to be valid
    /// if `is_checked`.
    #[inline(always)]
    pub(super) fn append_texts(
        &mut self, count: usize, texts: impl Iterator<Item = Text<'a>>, is_checked: bool,
    ) -> Result<(), GivenUp> {
        let start = self.at;
        let elements = self.elements(count, Layout::VIEWS)? - start;
        let mut open = OpenRow::new(self.rows.memory(), start, self.at - start, self.at);
        for (index, text) in texts.take(count).enumerate() {
            let appended = open.append(text)?;
            if is_checked && !appended.is_ascii && !is_utf8(text) {
                return Err(GivenUp);
            }
            // SAFETY: `elements` made `count` slots of 8 bytes behind a header, which are the fixed
            // part, and there are no more texts.
            unsafe { open.set_slot((elements + 8 * index) as u32, appended.slot) };
        }
        self.at = start + open.len();
        Ok(())
    }
}

/// The values of a field that follow each other, and whatever is behind them.
struct Texts<'a> {
    value: Option<Value<'a>>,
    tag_len: u8,
}

impl<'a> Iterator for Texts<'a> {
    type Item = Text<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Text<'a>> {
        let (text, behind) = self.value?.text().ok()?;
        self.value = behind.next().map(|field| field.value(self.tag_len));
        Some(text)
    }
}

/// How many values of a field follow each other, what they take together, and what is behind them.
#[inline(always)]
pub(super) fn run_of<'a>(
    op: &AppendOp, value: Value<'a>,
) -> Result<(usize, usize, Between<'a>), GivenUp> {
    let (text, mut behind) = value.text()?;
    let (mut count, mut bytes) = (1, text.len());
    while let Some(field) = behind.next()
        && field.head() & op.tag_mask == op.tag_bytes
    {
        let text;
        (text, behind) = field.value(op.tag_len).text()?;
        bytes += text.len();
        count += 1;
    }
    Ok((count, bytes, behind))
}
