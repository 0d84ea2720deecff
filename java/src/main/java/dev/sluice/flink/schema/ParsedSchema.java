package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;

import java.util.Collections;
import java.util.Set;

/** One file, read but not linked: type names are as written, imports are only names. */
final class ParsedSchema {
    final FileDescriptorProto file;

    /**
     * Messages that no {@code message} statement wrote (entries of {@code map<>} fields, groups),
     * as paths without the package. They stand where protoc puts them, but message indexes do not
     * count them (W8).
     */
    final Set<String> unwritten;

    ParsedSchema(FileDescriptorProto file, Set<String> unwritten) {
        this.file = file;
        this.unwritten = Collections.unmodifiableSet(unwritten);
    }

    /** Reads a schema text, or a base64 descriptor where a text is expected (H11, H12). */
    static ParsedSchema read(SourceText source) throws SchemaException {
        try {
            return new SchemaParser(source).file();
        } catch (SchemaException noText) {
            FileDescriptorProto descriptor = SerializedDescriptor.fromBase64(source.text);
            if (descriptor == null) {
                throw noText;
            }
            return new ParsedSchema(descriptor, Collections.emptySet());
        }
    }
}
