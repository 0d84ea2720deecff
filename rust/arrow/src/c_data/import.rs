//! Batches in.
//!
//! Nothing that a struct says is believed before it was compared with all that must agree with it:
//! lengths, offsets and counts are no negative numbers and within limits, types have their buffers and
//! children, pointers are there where something is to be read. What is then built is checked in full by
//! arrow-rs (offsets rise and stay inside, text is UTF-8, keys have values). What no reader can know is
//! whether the memory behind a pointer is as long as the struct says: the interface carries no sizes.

use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{RecordBatch, StructArray};
use arrow_buffer::{Buffer, MutableBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use sluice_plan::Failure;

use super::structs::{CArray, CSchema, pointers, struct_at};
use super::{Budget, ImportLimits, refuse, types};

/// Takes a batch: a struct array, and its schema.
///
/// Both structs are moved out of and released once: the schema before this returns, the array when the
/// last column of the batch is dropped, or before this returns if it is refused. A struct that is
/// released already is refused.
///
/// # Safety
/// Both must be valid structs of the C Data Interface, or be wrong in the ways that are named above:
/// pointers that are not null must point to what their field is for, buffers must be as long as the
/// type, length and offset ask for.
pub unsafe fn import_batch(
    array: *mut FFI_ArrowArray, schema: *mut FFI_ArrowSchema, limits: ImportLimits,
) -> Result<RecordBatch, Failure> {
    let known = |at: bool| if at { Ok(()) } else { refuse::<()>("there is no struct") };
    known(!array.is_null() && array.is_aligned())?;
    known(!schema.is_null() && schema.is_aligned())?;
    // SAFETY: not null, aligned, and the caller's promise; what is moved out is released once, by drop.
    let array = Arc::new(unsafe { FFI_ArrowArray::from_raw(array) });
    // SAFETY: as above.
    let schema = unsafe { FFI_ArrowSchema::from_raw(schema) };
    if array.is_released() || schema.release().is_none() {
        return refuse("a struct is released already");
    }
    let mut budget = Budget::new();
    let c_schema: *const FFI_ArrowSchema = &schema;
    // SAFETY: the same struct by C's layout, alive until the end of this function.
    let c_schema = unsafe { &*c_schema.cast::<CSchema>() };
    // SAFETY: the caller's promise.
    let field = unsafe { types::field(c_schema, &mut budget) }?;
    if !matches!(field.data_type(), DataType::Struct(_)) {
        return refuse("a batch is a struct");
    }
    let c_array: *const FFI_ArrowArray = &*array;
    // SAFETY: the same struct by C's layout, alive as long as its owner.
    let c_array = unsafe { &*c_array.cast::<CArray>() };
    let mut import = Import { owner: &array, budget: Budget::new(), limits };
    // SAFETY: the caller's promise.
    let data = unsafe { import.data(c_array, field.data_type()) }?;
    if data.null_count() > 0 {
        return refuse("a row of a batch cannot be NULL");
    }
    Ok(RecordBatch::from(StructArray::from(data)))
}

struct Import<'a> {
    owner: &'a Arc<FFI_ArrowArray>,
    budget: Budget,
    limits: ImportLimits,
}

impl Import<'_> {
    /// # Safety
    /// As of `import_batch`.
    unsafe fn data(&mut self, array: &CArray, data_type: &DataType) -> Result<ArrayData, Failure> {
        self.budget.enter()?;
        let (Ok(len), Ok(offset)) = (usize::try_from(array.length), usize::try_from(array.offset))
        else {
            return refuse("an array has a negative length or offset");
        };
        let end = len.checked_add(offset).filter(|end| *end <= self.limits.rows_max);
        let Some(end) = end else { return refuse("an array is longer than the limit") };
        if array.null_count < -1 || array.null_count > array.length {
            return refuse("an array has another number of NULLs than values");
        }
        let widths = widths(data_type);
        if array.n_buffers != 1 + widths.len() as i64 {
            return refuse("an array has another number of buffers than its type");
        }
        // SAFETY: the caller's promise.
        let Some(buffers) = (unsafe { pointers(array.buffers, 1 + widths.len()) }) else {
            return refuse("an array lacks its buffers");
        };
        let validity = buffers[0].cast::<u8>();
        if validity.is_null() && array.null_count > 0 {
            return refuse("an array with NULLs has no validity bits");
        }
        let mut built = ArrayData::builder(data_type.clone()).len(len).offset(offset);
        if !validity.is_null() && array.null_count != 0 {
            // SAFETY: the caller's promise: a bit for each value.
            built = built.null_bit_buffer(Some(unsafe { self.buffer(validity, end.div_ceil(8)) }?));
        }
        let mut last = 0;
        for (width, at) in widths.iter().zip(&buffers[1..]) {
            let at = at.cast::<u8>();
            let bytes = match width {
                Width::Bits => end.div_ceil(8),
                Width::Bytes(width) => self.bytes(end, *width)?,
                Width::Ends(width) if end == 0 && at.is_null() => *width,
                Width::Ends(width) => self.bytes(end + 1, *width)?,
                Width::Behind => last,
            };
            if let (Width::Ends(width), true) = (width, end == 0) {
                // Writers disagree about the one offset of an empty array.
                built = built.add_buffer(MutableBuffer::from_len_zeroed(*width).into());
                continue;
            }
            // SAFETY: the caller's promise: what the type asks for.
            let buffer = unsafe { self.buffer(at, bytes) }?;
            if let Width::Ends(width) = width {
                last = self.last_end(&buffer, *width)?;
            }
            built = built.add_buffer(buffer);
        }
        // SAFETY: the caller's promise.
        for part in unsafe { self.parts(array, data_type) }? {
            built = built.add_child_data(part);
        }
        self.budget.leave();
        match built.align_buffers(true).build() {
            Ok(data) => Ok(data),
            Err(error) => refuse(error.to_string()),
        }
    }

    /// Children, or the dictionary.
    ///
    /// # Safety
    /// As of `import_batch`.
    unsafe fn parts(
        &mut self, array: &CArray, data_type: &DataType,
    ) -> Result<Vec<ArrayData>, Failure> {
        let types: Vec<&DataType> = match data_type {
            DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
            DataType::List(part) | DataType::LargeList(part) | DataType::Map(part, _) => {
                vec![part.data_type()]
            }
            _ => Vec::new(),
        };
        if array.n_children != types.len() as i64 {
            return refuse("an array has another number of children than its type");
        }
        // SAFETY: the caller's promise.
        let Some(children) = (unsafe { pointers(array.children, types.len()) }) else {
            return refuse("an array lacks its children");
        };
        let mut parts = Vec::with_capacity(types.len());
        for (child, data_type) in children.iter().zip(types) {
            // SAFETY: the caller's promise.
            let Some(child) = (unsafe { struct_at(*child) }) else {
                return refuse("an array lacks a child");
            };
            // SAFETY: the caller's promise holds for parts as well.
            parts.push(unsafe { self.data(child, data_type) }?);
        }
        match (data_type, array.dictionary.is_null()) {
            (DataType::Dictionary(_, values), false) => {
                // SAFETY: the caller's promise.
                let Some(dictionary) = (unsafe { struct_at(array.dictionary) }) else {
                    return refuse("an array lacks its dictionary");
                };
                // SAFETY: the caller's promise holds for parts as well.
                parts.push(unsafe { self.data(dictionary, values) }?);
            }
            (DataType::Dictionary(..), true) => return refuse("an array lacks its dictionary"),
            (_, false) => return refuse("an array has a dictionary, its type has none"),
            (_, true) => {}
        }
        Ok(parts)
    }

    fn bytes(&self, count: usize, width: usize) -> Result<usize, Failure> {
        let bytes = count.checked_mul(width).filter(|bytes| *bytes <= self.limits.bytes_max);
        bytes.map_or_else(|| refuse("a buffer is longer than the limit"), Ok)
    }

    /// # Safety
    /// If not null, there must be `len` bytes at `at`, for as long as the owner is not released.
    unsafe fn buffer(&self, at: *const u8, len: usize) -> Result<Buffer, Failure> {
        if len == 0 {
            return Ok(MutableBuffer::new(0).into());
        }
        let Some(at) = std::ptr::NonNull::new(at.cast_mut()) else {
            return refuse("a buffer is missing");
        };
        // SAFETY: the caller's promise; the buffer keeps the owner alive, and nobody writes to it.
        Ok(unsafe { Buffer::from_custom_allocation(at, len, Arc::clone(self.owner) as _) })
    }

    /// The last offset, which is the length of what stands behind it.
    fn last_end(&self, offsets: &[u8], width: usize) -> Result<usize, Failure> {
        let last = &offsets[offsets.len() - width..];
        let last = match width {
            4 => i64::from(i32::from_ne_bytes(last.try_into().expect("four bytes"))),
            _ => i64::from_ne_bytes(last.try_into().expect("eight bytes")),
        };
        let last = usize::try_from(last).ok().filter(|last| *last <= self.limits.bytes_max);
        last.map_or_else(|| refuse("offsets are negative, or beyond the limit"), Ok)
    }
}

/// How long a buffer is.
enum Width {
    Bits,
    Bytes(usize),
    /// Offsets of this width: one more than values.
    Ends(usize),
    /// As long as the last offset says.
    Behind,
}

/// The buffers of a type, behind the validity bits.
fn widths(data_type: &DataType) -> Vec<Width> {
    match data_type {
        DataType::Boolean => vec![Width::Bits],
        DataType::Utf8 | DataType::Binary => vec![Width::Ends(4), Width::Behind],
        DataType::LargeUtf8 | DataType::LargeBinary => vec![Width::Ends(8), Width::Behind],
        DataType::List(_) | DataType::Map(..) => vec![Width::Ends(4)],
        DataType::LargeList(_) => vec![Width::Ends(8)],
        DataType::Struct(_) => vec![],
        DataType::FixedSizeBinary(width) => vec![Width::Bytes(*width as usize)],
        DataType::Dictionary(keys, _) => widths(keys),
        other => vec![Width::Bytes(other.primitive_width().unwrap_or(0))],
    }
}
