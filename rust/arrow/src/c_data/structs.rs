//! The structs of the interface as C lays them out: arrow-rs keeps its own closed, and what a stranger
//! filled in has to be looked at before it is believed.

use std::ffi::{c_char, c_void};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};

/// `struct ArrowSchema`.
#[repr(C)]
pub struct CSchema {
    /// The type.
    pub format: *const c_char,
    /// The field's name; may be null.
    pub name: *const c_char,
    /// Never read.
    pub metadata: *const c_char,
    /// 2: nullable, 4: map keys are sorted.
    pub flags: i64,
    /// How many `children` there are.
    pub n_children: i64,
    /// Parts of the type.
    pub children: *mut *mut CSchema,
    /// The type of the values, where this is the type of keys.
    pub dictionary: *mut CSchema,
    /// Null once released.
    pub release: Option<unsafe extern "C" fn(*mut CSchema)>,
    /// The producer's own.
    pub private_data: *mut c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
pub struct CArray {
    /// Number of values.
    pub length: i64,
    /// Number of NULLs; -1 where it is not known.
    pub null_count: i64,
    /// Values before the first.
    pub offset: i64,
    /// How many `buffers` there are.
    pub n_buffers: i64,
    /// How many `children` there are.
    pub n_children: i64,
    /// Validity bits first, where the type has them.
    pub buffers: *mut *const c_void,
    /// Parts of the array.
    pub children: *mut *mut CArray,
    /// The values, where this array has the keys.
    pub dictionary: *mut CArray,
    /// Null once released.
    pub release: Option<unsafe extern "C" fn(*mut CArray)>,
    /// The producer's own.
    pub private_data: *mut c_void,
}

const _: () = assert!(size_of::<CSchema>() == size_of::<FFI_ArrowSchema>());
const _: () = assert!(align_of::<CSchema>() == align_of::<FFI_ArrowSchema>());
const _: () = assert!(size_of::<CArray>() == size_of::<FFI_ArrowArray>());
const _: () = assert!(align_of::<CArray>() == align_of::<FFI_ArrowArray>());

/// The struct at `at`, unless there can be none.
///
/// # Safety
/// If not null and aligned, `at` must point to a struct that lives as long as `'a`.
pub(super) unsafe fn struct_at<'a, T>(at: *const T) -> Option<&'a T> {
    if at.is_null() || !at.is_aligned() {
        return None;
    }
    // SAFETY: not null and aligned, and the caller promises the rest.
    Some(unsafe { &*at })
}

/// The pointers in an array of `count` of them, unless there can be none.
///
/// # Safety
/// If not null and aligned, `at` must point to `count` pointers that live as long as `'a`.
pub(super) unsafe fn pointers<'a, T>(at: *const T, count: usize) -> Option<&'a [T]> {
    if count == 0 {
        return Some(&[]);
    }
    if at.is_null() || !at.is_aligned() {
        return None;
    }
    // SAFETY: not null and aligned, and the caller promises the rest.
    Some(unsafe { std::slice::from_raw_parts(at, count) })
}

/// The text at `at`, without its NUL; `None` for null and for what is longer than `max` or no UTF-8.
///
/// # Safety
/// If not null, bytes up to a NUL, or up to `max`, must be readable.
pub(super) unsafe fn text_at(at: *const c_char, max: usize) -> Option<String> {
    if at.is_null() {
        return None;
    }
    let mut bytes = Vec::new();
    while bytes.len() < max {
        // SAFETY: no NUL was met before, so this byte is readable.
        let byte = unsafe { at.cast::<u8>().add(bytes.len()) };
        // SAFETY: as above.
        match unsafe { byte.read() } {
            0 => return String::from_utf8(bytes).ok(),
            byte => bytes.push(byte),
        }
    }
    None
}
