//! What the Java bench hands over: a folder with
//!
//! ```text
//! payload   three lines: name in the results, full name of the message, fields that are columns
//! set       the message's FileDescriptorSet
//! records   bare messages, each after its length as a varint
//! ```

use std::error::Error;
use std::fs;
use std::path::Path;

use arrow::array::{BinaryArray, BinaryBuilder};
use prost::Message;
use prost_reflect::{DescriptorPool, MessageDescriptor};
use prost_types::FileDescriptorSet;

/// Records of a batch.
pub const BATCH: usize = 1024;

/// Records of one shape, and the columns of a table over them.
pub struct Payload {
    pub name: String,
    /// The message as its writer knows it.
    pub message: MessageDescriptor,
    /// The same with the fields only that are columns.
    pub columns_only: MessageDescriptor,
    /// Names of the fields that are columns.
    pub columns: Vec<String>,
    pub batches: Vec<Batch>,
}

/// Some records, in the form that each contender takes.
pub struct Batch {
    pub array: BinaryArray,
    pub slab: Vec<u8>,
    pub offsets: Vec<usize>,
}

impl Payload {
    pub fn read(folder: &Path) -> Result<Payload, Box<dyn Error>> {
        let about = fs::read_to_string(folder.join("payload"))?;
        let mut lines = about.lines();
        let [name, message, columns] = [(); 3].map(|()| lines.next().unwrap_or_default());
        let columns: Vec<String> = columns.split(',').map(str::to_owned).collect();
        let set = FileDescriptorSet::decode(&fs::read(folder.join("set"))?[..])?;
        let records = fs::read(folder.join("records"))?;
        Ok(Payload {
            name: name.into(),
            message: find(set.clone(), message)?,
            columns_only: find(with_columns_only(set, message, &columns), message)?,
            columns,
            batches: batches(&records)?,
        })
    }
}

impl Batch {
    pub fn of(records: &[&[u8]]) -> Batch {
        let mut array = BinaryBuilder::new();
        let (mut slab, mut offsets) = (Vec::new(), vec![0]);
        for record in records {
            array.append_value(record);
            slab.extend_from_slice(record);
            offsets.push(slab.len());
        }
        Batch { array: array.finish(), slab, offsets }
    }

    pub fn records(&self) -> impl Iterator<Item = &[u8]> {
        self.offsets.windows(2).map(|ends| &self.slab[ends[0]..ends[1]])
    }
}

fn find(set: FileDescriptorSet, message: &str) -> Result<MessageDescriptor, Box<dyn Error>> {
    let pool = DescriptorPool::from_file_descriptor_set(set)?;
    Ok(pool.get_message_by_name(message).ok_or("the set lacks the message")?)
}

/// For contenders that read every field of a message: a schema with fewer fields is how one chooses.
fn with_columns_only(
    mut set: FileDescriptorSet, message: &str, columns: &[String],
) -> FileDescriptorSet {
    for file in &mut set.file {
        let package = file.package().to_owned();
        for found in &mut file.message_type {
            if format!("{package}.{}", found.name()) == message {
                found.field.retain(|field| columns.iter().any(|column| column == field.name()));
            }
        }
    }
    set
}

fn batches(mut bytes: &[u8]) -> Result<Vec<Batch>, Box<dyn Error>> {
    let mut records = Vec::new();
    while !bytes.is_empty() {
        let len = prost::decode_length_delimiter(&mut bytes)?;
        let (record, rest) = bytes.split_at_checked(len).ok_or("the last record is cut off")?;
        records.push(record);
        bytes = rest;
    }
    let batches: Vec<Batch> = records.chunks_exact(BATCH).map(Batch::of).collect();
    if batches.is_empty() {
        return Err(format!("fewer than {BATCH} records").into());
    }
    Ok(batches)
}
