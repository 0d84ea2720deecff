//! Structs of the C Data Interface that lie, made of arbitrary numbers.
//!
//! Mostly the next number lets a part be as it should, so that the lies are met deep inside. Pointers
//! are null or point to what their field is for; no struct can lie about memory that is not there, as no
//! reader could know that. `check` imports what was made and counts the releases.

#![allow(dead_code, reason = "each user takes what it needs")]

use std::cell::Cell;
use std::ffi::{CString, c_char, c_void};
use std::ptr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use sluice_arrow::c_data::structs::{CArray, CSchema};
use sluice_arrow::c_data::{ImportLimits, import_batch};

/// What an array may claim, so that every buffer fits into the one region.
pub const LIMITS: ImportLimits = ImportLimits { rows_max: 200, bytes_max: 4096 };
const REGION: usize = 16 << 10;

thread_local! {
    static RELEASED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Owns what the structs point to.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "structs must stay where they are")]
struct Arena {
    schemas: Vec<Box<CSchema>>,
    arrays: Vec<Box<CArray>>,
    schema_lists: Vec<Box<[*mut CSchema]>>,
    array_lists: Vec<Box<[*mut CArray]>>,
    buffers: Vec<Box<[*const c_void]>>,
    texts: Vec<CString>,
    region: Vec<u64>,
}

/// A stream of numbers; zeros, which let everything be right, once it has ended.
struct Numbers<'a> {
    left: &'a [u8],
}

impl Numbers<'_> {
    fn next(&mut self) -> u8 {
        let Some((first, left)) = self.left.split_first() else { return 0 };
        self.left = left;
        *first
    }

    /// `right`, or now and then one of the others.
    fn or<T: Copy>(&mut self, right: T, others: &[T]) -> T {
        match self.next() {
            lie @ 240.. => others[usize::from(lie) % others.len()],
            _ => right,
        }
    }
}

unsafe extern "C" fn release_schema(schema: *mut CSchema) {
    // SAFETY: called with the struct that it was set in, or where that was moved to.
    unsafe { (*schema).release = None };
    RELEASED.with(|count| count.set((count.get().0 + 1, count.get().1)));
}

unsafe extern "C" fn release_array(array: *mut CArray) {
    // SAFETY: as above.
    unsafe { (*array).release = None };
    RELEASED.with(|count| count.set((count.get().0, count.get().1 + 1)));
}

const FORMATS: &[&str] = &[
    "u", "i", "l", "b", "z", "U", "Z", "g", "tdD", "tsn:UTC", "tsm:", "d:20,3", "w:7", "ttu", "c",
    "s", "+l", "+L", "+m", "+s",
];
const OTHERS: &[&str] =
    &["", "n", "vu", "+r", "+w:3", "w:-1", "d:0,0", "d:5", "d:39,0,256", "ts", "\u{7f}"];

struct Maker<'a, 'b> {
    arena: &'a mut Arena,
    numbers: Numbers<'b>,
}

impl Maker<'_, '_> {
    fn text(&mut self, text: &str) -> *const c_char {
        self.arena.texts.push(CString::new(text).unwrap());
        self.arena.texts.last().unwrap().as_ptr()
    }

    /// A schema and an array of `length` values that mostly fit.
    fn pair(&mut self, format: &str, depth: usize, length: i64) -> (*mut CSchema, *mut CArray) {
        let count = match format {
            "+s" => 1 + usize::from(self.numbers.next() % 4),
            "+l" | "+L" | "+m" => 1,
            _ => 0,
        };
        let mut children = Vec::new();
        for _ in 0..count {
            let at = usize::from(self.numbers.next()) % FORMATS.len();
            let inner = match format {
                "+m" => self.numbers.or("+s", &["+l", "i"]),
                _ if depth > 3 => FORMATS[at % 10],
                _ => FORMATS[at],
            };
            let longer = i64::from(self.numbers.next() % 3);
            children.push(self.pair(inner, depth + 1, length + longer));
        }
        let keys = format == "i" && self.numbers.next() % 3 == 1;
        let dictionary = keys.then(|| self.pair("u", depth + 1, 5));
        let shown = self.numbers.or(format, OTHERS);
        let schema = self.schema(shown, &children, dictionary.map(|pair| pair.0));
        (schema, self.array(format, &children, dictionary.map(|pair| pair.1), length))
    }

    fn schema(
        &mut self, format: &str, children: &[(*mut CSchema, *mut CArray)],
        dictionary: Option<*mut CSchema>,
    ) -> *mut CSchema {
        let children: Vec<_> = children
            .iter()
            .map(|pair| self.numbers.or(pair.0, &[ptr::null_mut(), pair.0.wrapping_byte_add(1)]))
            .collect();
        let n_children = children.len() as i64;
        let list = children.into_boxed_slice();
        let schema = CSchema {
            format: {
                let text = self.text(format);
                self.numbers.or(text, &[ptr::null()])
            },
            name: {
                let text = self.text("f");
                self.numbers.or(text, &[ptr::null()])
            },
            metadata: ptr::null(),
            flags: i64::from(self.numbers.next()),
            n_children: self.numbers.or(n_children, &[0, -1, i64::MIN, n_children - 1]),
            children: self.numbers.or(list.as_ptr().cast_mut(), &[ptr::null_mut()]),
            dictionary: self.numbers.or(dictionary.unwrap_or_default_null(), &[ptr::null_mut()]),
            release: Some(release_schema),
            private_data: ptr::null_mut(),
        };
        self.arena.schema_lists.push(list);
        self.arena.schemas.push(Box::new(schema));
        &mut **self.arena.schemas.last_mut().unwrap()
    }

    fn array(
        &mut self, format: &str, children: &[(*mut CSchema, *mut CArray)],
        dictionary: Option<*mut CArray>, length: i64,
    ) -> *mut CArray {
        let children: Vec<_> = children
            .iter()
            .map(|pair| self.numbers.or(pair.1, &[ptr::null_mut(), pair.1.wrapping_byte_add(4)]))
            .collect();
        let list = children.into_boxed_slice();
        let (n_children, n_buffers) = (
            list.len() as i64,
            match format {
                "+s" => 1,
                "u" | "z" | "U" | "Z" => 3,
                _ => 2,
            },
        );
        let region: *const c_void = self.arena.region.as_ptr().cast();
        let mut buffers = vec![ptr::null(); 4];
        for buffer in buffers.iter_mut().take(n_buffers as usize).skip(1) {
            *buffer = self.numbers.or(region, &[ptr::null(), region.wrapping_byte_add(3)]);
        }
        buffers[0] = self.numbers.or(ptr::null(), &[region]);
        let buffers = buffers.into_boxed_slice();
        let array = CArray {
            length: self.numbers.or(length, &[0, -1, i64::MAX, length + 1, 199, i64::MIN]),
            null_count: self.numbers.or(0, &[-1, 1, -2, i64::MAX, length]),
            offset: self.numbers.or(0, &[1, -1, i64::MAX, 100]),
            n_buffers: self.numbers.or(n_buffers, &[0, -1, n_buffers - 1, i64::MAX]),
            n_children: self.numbers.or(n_children, &[0, -1, i64::MAX, n_children - 1]),
            buffers: self.numbers.or(buffers.as_ptr().cast_mut(), &[ptr::null_mut()]),
            children: self.numbers.or(list.as_ptr().cast_mut(), &[ptr::null_mut()]),
            dictionary: self.numbers.or(dictionary.unwrap_or_default_null(), &[ptr::null_mut()]),
            release: Some(release_array),
            private_data: ptr::null_mut(),
        };
        self.arena.buffers.push(buffers);
        self.arena.array_lists.push(list);
        self.arena.arrays.push(Box::new(array));
        &mut **self.arena.arrays.last_mut().unwrap()
    }
}

trait OrNull<T> {
    fn unwrap_or_default_null(self) -> *mut T;
}

impl<T> OrNull<T> for Option<*mut T> {
    fn unwrap_or_default_null(self) -> *mut T {
        self.unwrap_or(ptr::null_mut())
    }
}

/// Imports the structs that these numbers stand for; whether they made a batch.
///
/// # Panics
/// If a struct is not released once, or an accepted batch is not whole.
pub fn check(numbers: &[u8]) -> bool {
    let mut arena = Arena { region: vec![0; REGION / 8], ..Arena::default() };
    // Small numbers are likely offsets and keys.
    for (word, byte) in arena.region.iter_mut().zip(numbers.iter().skip(40)) {
        *word = u64::from(*byte % 8) * u64::from(*byte < 100);
    }
    let mut maker = Maker { arena: &mut arena, numbers: Numbers { left: numbers } };
    let length = i64::from(maker.numbers.next() % 20);
    let (schema, array) = maker.pair("+s", 0, length);
    RELEASED.with(|count| count.set((0, 0)));
    let (array, schema) = (array.cast::<FFI_ArrowArray>(), schema.cast::<FFI_ArrowSchema>());
    // SAFETY: pointers are null, unaligned or lead to what their field is for, for as long as the
    // arena lives; and the region is longer than any buffer within the limits.
    let imported = unsafe { import_batch(array, schema, LIMITS) };
    let made = imported.is_ok();
    if let Ok(batch) = &imported {
        for column in batch.columns() {
            column.to_data().validate_full().expect("what is accepted is whole");
        }
    }
    drop(imported);
    assert_eq!(RELEASED.with(Cell::get), (1, 1), "each struct is released once");
    made
}
