/**
 * The border to native code: the only {@code native} methods, the loader of the library, the owner
 * of a native handle, and the failure codes that both sides share. Its other half is the Rust crate
 * {@code rust/bridge}.
 *
 * <p>Nothing here knows Flink, a registry or a schema: bytes and numbers go in and out.
 */
package dev.sluice.flink.bridge;
