/**
 * Writer schemas from a Schema Registry, by id or GUID, with everything they import.
 *
 * <p>Top to bottom: {@link dev.sluice.flink.registry.SchemaStore} caches linked writer schemas per
 * process and lets one thread fetch each; {@code ReferenceWalk} collects the texts of references;
 * {@code RegistryClient} knows the REST calls; {@code FailoverSender} retries and changes URLs;
 * {@code Transport} makes one attempt under one deadline. {@link
 * dev.sluice.flink.registry.RegistryConfig} says where and as whom. No class here knows Flink.
 */
package dev.sluice.flink.registry;
