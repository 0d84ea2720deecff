//! Messages of random proto3 files, as values and as bytes.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use prost_reflect::prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use sluice_testkit::arbitrary::choices::Choices;
use sluice_testkit::arbitrary::{messages, schemas, stream};

use crate::proto3::{self, Files};
use crate::{agreement, values};

fn root(units: &[u32]) -> (MessageDescriptor, Files) {
    let schema = schemas::schema(&mut Choices::new(units));
    let files = proto3::files(&schema);
    let root = files.link().get_message_by_name(&proto3::root(&schema));
    (root.expect("a message of the file"), files)
}

/// Bytes of a message with the liberties that all implementations take: fields in any order and in
/// parts, packed and unpacked, padded varints, unknown fields; rarely text that is no UTF-8.
fn wire(units: &[u32], root: &MessageDescriptor) -> Vec<u8> {
    messages::message(&mut Choices::new(units).portable(), &sluice_schema::resolve(root))
}

proptest! {
    /// What prost-reflect encodes, the codec decodes to the values that went in.
    #[test]
    fn values_come_back(schema in stream(300), columns in stream(120), values in stream(600)) {
        let (root, files) = root(&schema);
        let schema = sluice_schema::resolve(&root);
        let row = agreement::row(&mut Choices::new(&columns), &schema);
        let mut message = DynamicMessage::new(root);
        values::fill(&values, &schema, &mut message);
        agreement::check(&message, &row, &message.encode_to_vec(), &files.0[0].1)?;
    }

    /// What prost-reflect decodes, the codec decodes to the same values; what it refuses, the codec
    /// refuses.
    #[test]
    fn bytes_mean_the_same(schema in stream(300), columns in stream(120), bytes in stream(600)) {
        let (root, files) = root(&schema);
        let schema = sluice_schema::resolve(&root);
        let row = agreement::row(&mut Choices::new(&columns), &schema);
        let wire = wire(&bytes, &root);
        match DynamicMessage::decode(root, &wire[..]) {
            Ok(message) => agreement::check(&message, &row, &wire, &files.0[0].1)?,
            Err(error) => {
                let outcome = agreement::decode(&schema, &row, &wire);
                prop_assert!(outcome.is_err(), "{} {}", error, files.0[0].1);
            }
        }
    }
}

/// A property over refused bytes or rows without columns would prove nothing.
#[test]
fn most_bytes_are_read_into_full_rows() {
    let mut runner = TestRunner::deterministic();
    let mut parts = || stream(600).new_tree(&mut runner).expect("nothing is filtered").current();
    let (mut read, mut columns, mut fields) = (0, 0, 0);
    for _ in 0..200 {
        let (root, _) = root(&parts());
        let schema = sluice_schema::resolve(&root);
        let row = agreement::row(&mut Choices::new(&parts()), &schema);
        let wire = wire(&parts(), &root);
        read += u32::from(agreement::decode(&schema, &row, &wire).is_ok());
        columns += row.columns.len();
        fields += root.fields().len();
    }
    assert!(read >= 160 && columns * 2 > fields, "{read} read, {columns} of {fields}");
}
