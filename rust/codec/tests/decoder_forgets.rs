//! A decoder is reused for millions of records; nothing of one may show in the next.

mod harness;

use proptest::collection::vec;
use proptest::prelude::*;
use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_testkit::arbitrary::choices::Choices;
use sluice_testkit::arbitrary::{self, messages, mutations, rows, schemas};

/// A record's stream, and whether the record gets damaged.
type Records = Vec<(Vec<u32>, bool)>;

/// Streams of two tables, schema and row type each, and of a few records.
fn streams() -> impl Strategy<Value = (Vec<Vec<u32>>, Records)> {
    let tables = vec(arbitrary::stream(240), 4..=4);
    (tables, vec((arbitrary::stream(250), any::<bool>()), 1..8))
}

proptest! {
    /// Warm or fresh, after rows or refusals, after another program: the same outcome.
    #[test]
    fn a_used_decoder_answers_as_a_fresh_one((tables, records) in streams()) {
        let tables: Vec<_> = tables
            .chunks(2)
            .map(|pair| {
                let schema = schemas::schema(&mut Choices::new(&pair[0]));
                let row = rows::row(&mut Choices::new(&pair[1]), &schema);
                let program = harness::program(&schema, &row);
                (schema, program)
            })
            .collect();
        let mut used = Decoder::new();
        for (at, (stream, damaged)) in records.iter().enumerate() {
            let (schema, program) = &tables[at % tables.len()];
            let choices = &mut Choices::new(stream);
            let mut wire = messages::message(choices, schema);
            if *damaged {
                mutations::mutate(choices, &mut wire);
            }
            let fresh = harness::decode(program, &wire);
            prop_assert_eq!(harness::decode_with(&mut used, program, &wire), fresh);
        }
    }

    /// What stands in front of the message, such as a frame, only moves the reported offset.
    #[test]
    fn the_message_may_start_anywhere(case in arbitrary::mutated(), front in vec(any::<u8>(), 0..9)) {
        let program = harness::program(&case.schema, &case.row);
        let mut decoder = Decoder::new();
        let mut rows = RowBuffer::default();
        let bare = decoder.decode_row(&program, &Slab::of(&case.wire), 0, &mut rows);
        let bare_row = rows.rows().to_vec();
        let bare_failure = bare.is_err().then(|| decoder.failure(&program));
        rows.clear();
        let record = [&front[..], &case.wire].concat();
        let framed = decoder.decode_row(&program, &Slab::of(&record), front.len(), &mut rows);
        prop_assert_eq!(framed, bare);
        prop_assert_eq!(rows.rows(), bare_row);
        if let Some(mut wanted) = bare_failure {
            wanted.byte_offset = wanted.byte_offset.map(|at| at + front.len() as u64);
            prop_assert_eq!(decoder.failure(&program), wanted);
        }
    }

    /// Rows are appended: what was written before stays, also when a record is refused.
    #[test]
    fn rows_in_the_buffer_stay(first in arbitrary::valid(), second in arbitrary::mutated()) {
        let mut rows = RowBuffer::with_capacity(64);
        let mut decoder = Decoder::new();
        let mut wanted = Vec::new();
        for case in [&first, &second, &first] {
            let program = harness::program(&case.schema, &case.row);
            wanted.extend(harness::decode(&program, &case.wire).unwrap_or_default());
            let _ = decoder.decode_row(&program, &Slab::of(&case.wire), 0, &mut rows);
            prop_assert_eq!(rows.rows(), &wanted);
        }
    }
}
