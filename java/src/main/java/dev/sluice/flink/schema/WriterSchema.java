package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;

import dev.sluice.flink.plan.ResolvedSchema;
import dev.sluice.flink.plan.WriterDescriptors;
import dev.sluice.flink.schema.SchemaException.Kind;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One linked writer schema: root file and all that it imports. Immutable and thread safe; resolved
 * messages are kept, so asking again is cheap.
 */
public final class WriterSchema {
    private final FileDescriptor root;
    private final FileDescriptor records; // the file that message indexes count in (W12)
    private final Set<String> unwritten; // of records
    private final long textLength;
    private final Map<String, ResolvedSchema> resolved = new ConcurrentHashMap<>();

    private WriterSchema(ParsedSchema schema, Linker linker, long textLength)
            throws SchemaException {
        this.textLength = textLength;
        root = linker.link("", schema);
        records = isTransparent(schema.file) ? soleImport(root) : root;
        unwritten = linker.unwritten(records);
    }

    /**
     * Reads and links a schema.
     *
     * @param rootText schema text, or a base64 descriptor
     * @param imports texts of the references by import path; the built-in files need not be there,
     *     but win over the built-in copies if they are
     */
    public static WriterSchema of(String rootText, Map<String, String> imports)
            throws SchemaException {
        ParsedSchema schema = ParsedSchema.read(new SourceText("schema", rootText));
        long length = rootText.length();
        for (String text : imports.values()) {
            length += text.length();
        }
        return new WriterSchema(schema, new Linker(new Texts(imports)), length);
    }

    /** Whether the text is a schema or a base64 descriptor by itself, whatever it imports. */
    public static boolean isReadable(String text) {
        try {
            ParsedSchema.read(new SourceText("schema", text));
            return true;
        } catch (SchemaException e) {
            return false;
        }
    }

    /**
     * Links a schema from serialized {@code FileDescriptorProto}s, as compiled classes carry them.
     *
     * @param imports files by the name that their descriptors have; the built-in files need not be
     *     there
     */
    public static WriterSchema ofDescriptors(byte[] rootFile, Collection<byte[]> imports)
            throws SchemaException {
        Map<String, ParsedSchema> files = new HashMap<>();
        long length = rootFile.length;
        for (byte[] file : imports) {
            length += file.length;
            ParsedSchema schema = descriptor(file);
            files.put(schema.file.getName(), schema);
        }
        Linker linker = new Linker(new Descriptors(files));
        return new WriterSchema(descriptor(rootFile), linker, length);
    }

    /** Links the schema of a message that {@link #descriptors} described. */
    public static WriterSchema ofDescriptors(WriterDescriptors message) throws SchemaException {
        List<byte[]> files = new ArrayList<>();
        message.getFilesList().forEach(file -> files.add(file.toByteArray()));
        return ofDescriptors(files.get(0), files);
    }

    private static ParsedSchema descriptor(byte[] file) throws SchemaException {
        try {
            return new ParsedSchema(SerializedDescriptor.read(file), Set.of());
        } catch (InvalidProtocolBufferException broken) {
            throw new SchemaException(Kind.SYNTAX, "not a serialized file descriptor", broken);
        }
    }

    /** Characters, or bytes, of what it was read from: what it takes in memory grows with them. */
    public long textLength() {
        return textLength;
    }

    /** The message that a record's message indexes select (W8, W11, W12), with all it reaches. */
    public ResolvedSchema message(int[] indexes) throws SchemaException {
        return resolve(descriptor(indexes));
    }

    /** The descriptor of the message that a record's message indexes select (W8, W11, W12). */
    public Descriptor descriptor(int[] indexes) throws SchemaException {
        List<Descriptor> level = records.getMessageTypes();
        Descriptor message = null;
        for (int index : indexes) {
            if (index < 0 || index >= level.size() || isUnwritten(level.get(index))) {
                throw unknownIndexes(indexes);
            }
            message = level.get(index);
            level = message.getNestedTypes();
        }
        if (message == null) {
            throw unknownIndexes(indexes);
        }
        return message;
    }

    private static SchemaException unknownIndexes(int[] indexes) {
        return new SchemaException(
                Kind.UNKNOWN_INDEX, "no message has the indexes " + Arrays.toString(indexes));
    }

    /**
     * The message of this full name, with all it reaches. It may be one of an imported file; names
     * in the root file win.
     */
    public ResolvedSchema message(String fullName) throws SchemaException {
        return resolve(descriptor(fullName));
    }

    /** The descriptor of the message of this full name, found as {@link #message(String)} does. */
    public Descriptor descriptor(String fullName) throws SchemaException {
        Descriptor message = find(root, fullName);
        return message != null ? message : findImported(fullName);
    }

    /**
     * Whether the file that declares this message is proto3. Flink's own format decides by it what
     * absent fields of the whole record become; nothing else may ask for a syntax.
     */
    public boolean isProto3(String fullName) throws SchemaException {
        return descriptor(fullName).getFile().toProto().getSyntax().equals("proto3");
    }

    /**
     * The message of this full name as descriptors: its file and all that it imports, as linked.
     * {@link #ofDescriptors} makes an equal schema of them.
     */
    public WriterDescriptors descriptors(String fullName) throws SchemaException {
        WriterDescriptors.Builder message = WriterDescriptors.newBuilder().setMessageName(fullName);
        Set<FileDescriptor> seen = new HashSet<>();
        Deque<FileDescriptor> left = new ArrayDeque<>(List.of(descriptor(fullName).getFile()));
        while (!left.isEmpty()) {
            FileDescriptor file = left.remove();
            if (seen.add(file)) {
                message.addFiles(file.toProto().toByteString());
                left.addAll(file.getDependencies());
            }
        }
        return message.build();
    }

    /**
     * All messages that records can hold, in the order of the text, each before those inside it;
     * entries of native maps are left out.
     */
    public List<Descriptor> messages() {
        List<Descriptor> messages = new ArrayList<>();
        addWritten(records.getMessageTypes(), messages);
        return messages;
    }

    private void addWritten(List<Descriptor> level, List<Descriptor> messages) {
        for (Descriptor message : level) {
            if (!isUnwritten(message) && !message.getOptions().getMapEntry()) {
                messages.add(message);
                addWritten(message.getNestedTypes(), messages);
            }
        }
    }

    /** The indexes under which records of this message are written; the inverse of W8. */
    public int[] indexes(String fullName) throws SchemaException {
        Descriptor message = find(records, fullName);
        if (message == null || isUnwritten(message)) {
            throw unknownMessage(fullName);
        }
        int depth = 0;
        for (Descriptor at = message; at != null; at = at.getContainingType()) {
            depth++;
        }
        int[] indexes = new int[depth];
        for (Descriptor at = message; at != null; at = at.getContainingType()) {
            indexes[--depth] = at.getIndex();
        }
        return indexes;
    }

    private ResolvedSchema resolve(Descriptor message) {
        return resolved.computeIfAbsent(
                message.getFullName(), name -> MessageResolver.resolve(message));
    }

    /** A message of one file. Walks descriptors: a package segment is never taken for a message. */
    private static Descriptor find(FileDescriptor file, String fullName) {
        String prefix = file.getPackage().isEmpty() ? "" : file.getPackage() + ".";
        if (!fullName.startsWith(prefix)) {
            return null;
        }
        String[] path = fullName.substring(prefix.length()).split("\\.", -1);
        Descriptor message = file.findMessageTypeByName(path[0]);
        for (int i = 1; i < path.length && message != null; i++) {
            message = message.findNestedTypeByName(path[i]);
        }
        return message;
    }

    private Descriptor findImported(String fullName) throws SchemaException {
        Set<FileDescriptor> seen = new HashSet<>();
        Deque<FileDescriptor> left = new ArrayDeque<>(root.getDependencies());
        while (!left.isEmpty()) {
            FileDescriptor file = left.remove();
            if (seen.add(file)) {
                Descriptor message = find(file, fullName);
                if (message != null) {
                    return message;
                }
                left.addAll(file.getDependencies());
            }
        }
        throw unknownMessage(fullName);
    }

    private static SchemaException unknownMessage(String fullName) {
        return new SchemaException(Kind.UNKNOWN_MESSAGE, "no message is named " + fullName);
    }

    private boolean isUnwritten(Descriptor message) {
        String prefix = records.getPackage().isEmpty() ? "" : records.getPackage() + ".";
        return unwritten.contains(message.getFullName().substring(prefix.length()));
    }

    /** A file that only passes one other file on is invisible to message indexes (W12). */
    private static boolean isTransparent(FileDescriptorProto file) {
        return file.getMessageTypeCount() == 0
                && file.getEnumTypeCount() == 0
                && file.getServiceCount() == 0
                && file.getExtensionCount() == 0
                && file.getDependencyCount() == 1
                && file.getPublicDependencyCount() == 1;
    }

    private static FileDescriptor soleImport(FileDescriptor wrapper) throws SchemaException {
        if (wrapper.getDependencies().isEmpty()) {
            throw new SchemaException(
                    Kind.MISSING_IMPORT, "missing import: " + wrapper.toProto().getDependency(0));
        }
        return wrapper.getDependencies().get(0);
    }

    private static final class Texts implements Linker.ImportSource {
        private final Map<String, String> texts;

        Texts(Map<String, String> texts) {
            this.texts = texts;
        }

        @Override
        public boolean has(String path) {
            return texts.containsKey(path);
        }

        @Override
        public ParsedSchema read(String path) throws SchemaException {
            return ParsedSchema.read(new SourceText("import \"" + path + "\"", texts.get(path)));
        }
    }

    private static final class Descriptors implements Linker.ImportSource {
        private final Map<String, ParsedSchema> files;

        Descriptors(Map<String, ParsedSchema> files) {
            this.files = files;
        }

        @Override
        public boolean has(String path) {
            return files.containsKey(path);
        }

        @Override
        public ParsedSchema read(String path) {
            return files.get(path);
        }
    }
}
