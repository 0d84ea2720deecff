/**
 * A strict Schema Registry in this process, on the JDK's HTTP server: the calls of {@code
 * spec-registry} section 5 that readers use, their error codes, and faults on demand. It knows no
 * class of the product, so the unit tests of {@code java} compile it too; it neither parses nor
 * normalises schema texts.
 */
package dev.sluice.flink.testregistry;
