//! Reads descriptor sets, refusing what prost-reflect would misread.

use prost_reflect::DescriptorPool;
use prost_reflect::prost::Message;
use prost_reflect::prost_types::FileDescriptorSet;

use crate::SchemaError;

/// Links the files of a serialized `FileDescriptorSet`, which must hold all imports.
///
/// Use it instead of `DescriptorPool::decode`, which does not look for editions.
pub fn read_set(bytes: &[u8]) -> Result<DescriptorPool, SchemaError> {
    let files = FileDescriptorSet::decode(bytes)
        .map_err(|error| SchemaError::NoDescriptorSet { reason: error.to_string() })?;
    if let Some(file) = files.file.iter().find(|file| file.syntax() == "editions") {
        return Err(SchemaError::Editions { file: file.name().to_owned() });
    }
    Ok(DescriptorPool::decode(bytes)?)
}
