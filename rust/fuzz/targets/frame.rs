//! Any record: its frame is refused at a place inside the record, or is exactly its first bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sluice_codec::frame;

fuzz_target!(|record: &[u8]| {
    match frame::read(record) {
        Ok(found) => {
            let (head, _) = record.split_at(found.message_at);
            assert!(!found.indexes.is_empty() && found.indexes.iter().all(|index| *index >= 0));
            assert_eq!(frame::read(head), Ok(found), "what follows does not matter");
            assert!(frame::read(&head[..head.len() - 1]).is_err(), "no byte can be missing");
        }
        Err(failure) => {
            assert!(failure.byte_offset.is_some_and(|at| at <= record.len() as u64), "{failure}");
        }
    }
});
