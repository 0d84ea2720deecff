//! Why a descriptor gives no resolved schema.

use prost_reflect::DescriptorError;

/// A descriptor set or a message that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The bytes are no `FileDescriptorSet`.
    #[error("not a serialized FileDescriptorSet: {reason}")]
    NoDescriptorSet {
        /// What the Protobuf decoder said.
        reason: String,
    },
    /// A file is written in an edition.
    #[error("{file} uses editions, which are only read through the Java side")]
    Editions {
        /// Import path of the file.
        file: String,
    },
    /// The files do not link.
    #[error("the descriptors do not link: {0}")]
    Unlinked(#[from] DescriptorError),
    /// No file declares the message.
    #[error("no message {name} in the descriptors")]
    UnknownMessage {
        /// The full name that was asked for.
        name: String,
    },
}
