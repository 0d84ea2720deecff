//! Where the last panic of this thread stood.
//!
//! The hook replaces the standard one, which writes the message to stderr: a formatted message may
//! quote bytes of a record. Only the place and messages without parameters are kept.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, PanicHookInfo};

const FILE_BYTES_MAX: usize = 96;

/// Plain bytes: a thread local that needs dropping would keep the library mapped.
#[derive(Clone, Copy)]
struct Place {
    file: [u8; FILE_BYTES_MAX],
    len: usize,
    line: u32,
}

thread_local! {
    static PLACE: Cell<Place> = const {
        Cell::new(Place { file: [0; FILE_BYTES_MAX], len: 0, line: 0 })
    };
}

/// Replaces the panic hook of this copy of the library.
pub fn install() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let Some(location) = info.location() else { return };
        let file = location.file().as_bytes();
        let tail = &file[file.len().saturating_sub(FILE_BYTES_MAX)..];
        let mut place = Place { file: [0; FILE_BYTES_MAX], len: tail.len(), line: location.line() };
        place.file[..tail.len()].copy_from_slice(tail);
        PLACE.set(place);
        log::error!("{}", describe(info.payload()));
    }));
}

/// One sentence about the panic that this thread just caught.
pub fn describe(payload: &(dyn Any + Send)) -> String {
    let place = PLACE.get();
    let file = String::from_utf8_lossy(&place.file[..place.len]);
    match payload.downcast_ref::<&'static str>() {
        Some(literal) => format!("native code panicked at {file}:{}: {literal}", place.line),
        None => format!("native code panicked at {file}:{}", place.line),
    }
}
