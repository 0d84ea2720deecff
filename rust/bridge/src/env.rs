//! The few JNI functions that entries need, on the raw environment.
//!
//! `jni`'s own `with_env` costs more than a small record takes to decode. Every function here
//! accepts what Java may pass: null and lengths that do not fit are answered, not trusted.

use std::ffi::CString;
use std::ptr;

use jni::EnvUnowned;
use jni::sys::{
    JNIEnv, JNINativeInterface_, jarray, jbyte, jbyteArray, jint, jintArray, jlong, jlongArray,
    jobject, jobjectArray, jsize, jstring,
};

/// The environment of the native method that is running.
pub struct RawEnv<'a> {
    env: *mut JNIEnv,
    functions: &'a JNINativeInterface_,
}

impl<'a> RawEnv<'a> {
    /// The environment that the JVM passed to an entry.
    pub fn of(env: &'a EnvUnowned<'_>) -> RawEnv<'a> {
        let env = env.as_raw();
        // SAFETY: the JVM passes each native method a valid environment for the thread it runs on,
        // and `EnvUnowned` cannot be made from anything else without `unsafe`.
        let table = unsafe { *env };
        // SAFETY: the environment points at the JVM's function table, which is never freed.
        let functions = unsafe { &*table };
        RawEnv { env, functions }
    }

    /// Copies the first `into.len()` bytes of `array`. The JVM checks the bounds itself; an array
    /// that is too short becomes a Java exception when the entry returns.
    pub fn copy_bytes(&self, array: jbyteArray, into: &mut [u8]) {
        self.copy_range(array, 0, into);
    }

    /// Copies `into.len()` bytes of `array` from index `from` on, as `copy_bytes` does.
    pub fn copy_range(&self, array: jbyteArray, from: jint, into: &mut [u8]) {
        let length = jint::try_from(into.len()).unwrap_or(jint::MAX);
        if array.is_null() || length == 0 {
            return;
        }
        // SAFETY: JNI 1.1 is part of every JVM.
        let copy = unsafe { self.functions.v1_1.GetByteArrayRegion };
        let to = into.as_mut_ptr().cast::<jbyte>();
        // SAFETY: `array` is the array that the JVM passed to this native method, which checks
        // the range, and `to` has room for `length` bytes.
        unsafe { copy(self.env, array, from, length, to) };
    }

    /// Elements of `array`; 0 for null.
    pub fn length(&self, array: jarray) -> usize {
        if array.is_null() {
            return 0;
        }
        // SAFETY: JNI 1.1 is part of every JVM.
        let length_of = unsafe { self.functions.v1_1.GetArrayLength };
        // SAFETY: `array` is a live array that the JVM passed to this native method.
        let length = unsafe { length_of(self.env, array) };
        usize::try_from(length).unwrap_or(0)
    }

    /// Runs `body` on the array at index `at` of `arrays`: null where that is null, or is not there.
    /// The reference ends with the call, so that a long loop does not fill the frame.
    pub fn with_element<T>(
        &self, arrays: jobjectArray, at: usize, body: impl FnOnce(jbyteArray) -> T,
    ) -> T {
        if at >= self.length(arrays) {
            return body(ptr::null_mut());
        }
        // SAFETY: JNI 1.1 is part of every JVM.
        let element_of = unsafe { self.functions.v1_1.GetObjectArrayElement };
        // SAFETY: `arrays` is a live array of arrays that the JVM passed to this native method, and
        // `at` is below its length, which fits its type.
        let element = unsafe { element_of(self.env, arrays, at as jsize) };
        let result = body(element);
        if !element.is_null() {
            // SAFETY: JNI 1.1 is part of every JVM.
            let delete = unsafe { self.functions.v1_1.DeleteLocalRef };
            // SAFETY: the reference was made above, and `body` is over.
            unsafe { delete(self.env, element) };
        }
        result
    }

    /// Copies `values` to the start of `array`; nothing happens if it is too short.
    pub fn set_ints(&self, array: jintArray, values: &[jint]) {
        if self.length(array) < values.len() {
            return;
        }
        // SAFETY: JNI 1.1 is part of every JVM.
        let fill = unsafe { self.functions.v1_1.SetIntArrayRegion };
        // SAFETY: `array` is a live array that the JVM passed to this native method, and has room
        // for so many values.
        unsafe { fill(self.env, array, 0, values.len() as jsize, values.as_ptr()) };
    }

    /// All bytes of `array`; `None` for null.
    pub fn bytes(&self, array: jbyteArray) -> Option<Vec<u8>> {
        if array.is_null() {
            return None;
        }
        let mut bytes = vec![0; self.length(array)];
        self.copy_bytes(array, &mut bytes);
        Some(bytes)
    }

    /// All numbers of `array`; `None` for null.
    pub fn ints(&self, array: jintArray) -> Option<Vec<jint>> {
        if array.is_null() {
            return None;
        }
        let mut numbers = vec![0; self.length(array)];
        // SAFETY: JNI 1.1 is part of every JVM.
        let copy = unsafe { self.functions.v1_1.GetIntArrayRegion };
        let length = jint::try_from(numbers.len()).ok()?;
        // SAFETY: `array` is live and has `length` elements, for which there is room.
        unsafe { copy(self.env, array, 0, length, numbers.as_mut_ptr()) };
        Some(numbers)
    }

    /// All numbers of `array`; `None` for null.
    pub fn longs(&self, array: jlongArray) -> Option<Vec<jlong>> {
        if array.is_null() {
            return None;
        }
        let mut numbers = vec![0; self.length(array)];
        // SAFETY: JNI 1.1 is part of every JVM.
        let copy = unsafe { self.functions.v1_1.GetLongArrayRegion };
        let length = jint::try_from(numbers.len()).ok()?;
        // SAFETY: `array` is live and has `length` elements, for which there is room.
        unsafe { copy(self.env, array, 0, length, numbers.as_mut_ptr()) };
        Some(numbers)
    }

    /// A Java array with these bytes; null if the JVM has no memory for it.
    pub fn array(&self, bytes: &[u8]) -> jbyteArray {
        let Ok(length) = jint::try_from(bytes.len()) else { return ptr::null_mut() };
        // SAFETY: JNI 1.1 is part of every JVM.
        let allocate = unsafe { self.functions.v1_1.NewByteArray };
        // SAFETY: the length is not negative.
        let array = unsafe { allocate(self.env, length) };
        if array.is_null() {
            return array;
        }
        // SAFETY: JNI 1.1 is part of every JVM.
        let fill = unsafe { self.functions.v1_1.SetByteArrayRegion };
        let from = bytes.as_ptr().cast::<jbyte>();
        // SAFETY: the array was made with `length` elements, and `from` has as many bytes.
        unsafe { fill(self.env, array, 0, length, from) };
        array
    }

    /// A Java array with these numbers; null if the JVM has no memory for it.
    pub fn int_array(&self, numbers: &[jint]) -> jintArray {
        let Ok(length) = jint::try_from(numbers.len()) else { return ptr::null_mut() };
        // SAFETY: JNI 1.1 is part of every JVM.
        let allocate = unsafe { self.functions.v1_1.NewIntArray };
        // SAFETY: the length is not negative.
        let array = unsafe { allocate(self.env, length) };
        if array.is_null() {
            return array;
        }
        // SAFETY: JNI 1.1 is part of every JVM.
        let fill = unsafe { self.functions.v1_1.SetIntArrayRegion };
        // SAFETY: the array was made with `length` elements, and there are as many numbers.
        unsafe { fill(self.env, array, 0, length, numbers.as_ptr()) };
        array
    }

    /// A Java string; null if the JVM has no memory for it, or if the text holds a NUL.
    pub fn text(&self, text: &str) -> jstring {
        let Ok(text) = CString::new(text) else { return ptr::null_mut() };
        // SAFETY: JNI 1.1 is part of every JVM.
        let allocate = unsafe { self.functions.v1_1.NewStringUTF };
        // SAFETY: the text ends with NUL; our texts are ASCII, where UTF-8 is modified UTF-8.
        unsafe { allocate(self.env, text.as_ptr()) }
    }

    /// A direct buffer over memory of ours. Java must not touch it once the memory has moved:
    /// `NativeDecoder` keeps the buffer to itself and asks again on `RowBufferMoved`.
    pub fn direct_buffer(&self, memory: &mut [u8]) -> jobject {
        self.buffer_at(memory.as_mut_ptr(), memory.len())
    }

    /// A direct buffer over memory of ours that nobody writes: Java shows it read-only.
    pub fn read_only_buffer(&self, memory: &[u8]) -> jobject {
        self.buffer_at(memory.as_ptr().cast_mut(), memory.len())
    }

    fn buffer_at(&self, at: *mut u8, len: usize) -> jobject {
        // SAFETY: JNI 1.4 is part of every JVM that can load this library.
        let allocate = unsafe { self.functions.v1_4.NewDirectByteBuffer };
        let capacity = i64::try_from(len).unwrap_or(i64::MAX);
        // SAFETY: the memory is `capacity` bytes long, and its owner outlives the buffer's use as
        // said above.
        unsafe { allocate(self.env, at.cast(), capacity) }
    }
}
