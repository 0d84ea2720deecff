package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;

import dev.sluice.flink.schema.SchemaException.Kind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Parsed files to protobuf-java's descriptors, imports first. protobuf-java is the authority on
 * names, numbers, defaults and features; {@link LinkableFile} prepares what it is stricter about
 * than the registries are. Only files that the root reaches are read. Used once, by one thread.
 */
final class Linker {
    /** Imports of imports of imports; bounds the recursion. */
    private static final int CHAIN_MAX = 400;

    private final ImportSource imports;
    private final Map<String, FileDescriptor> linked = new HashMap<>();
    private final Set<String> open = new LinkedHashSet<>(); // the chain of imports being linked
    private final Set<String> missing = new TreeSet<>();
    private final Map<FileDescriptor, Map<String, TypeNames.Kind>> types = new IdentityHashMap<>();
    private final Map<FileDescriptor, Set<String>> unwritten = new IdentityHashMap<>();

    /** Where the files behind imports come from, the built-in ones apart. */
    interface ImportSource {
        boolean has(String path);

        ParsedSchema read(String path) throws SchemaException;
    }

    Linker(ImportSource imports) {
        this.imports = imports;
    }

    /** {@link ParsedSchema#unwritten} of a file that this linker made. */
    Set<String> unwritten(FileDescriptor file) {
        return unwritten.getOrDefault(file, Set.of());
    }

    /**
     * Links a file and all that it imports.
     *
     * @param path under which others import it; empty for the root
     */
    FileDescriptor link(String path, ParsedSchema schema) throws SchemaException {
        if (!open.add(path) || open.size() > CHAIN_MAX) {
            throw new SchemaException(
                    Kind.LINK, "imports form a cycle or a chain without end: " + chain(path));
        }
        List<FileDescriptor> dependencies = new ArrayList<>();
        Set<Integer> weak = new HashSet<>(schema.file.getWeakDependencyList());
        boolean weakMissing = false;
        for (int i = 0; i < schema.file.getDependencyCount(); i++) {
            FileDescriptor dependency = dependency(schema.file.getDependency(i));
            if (dependency != null) {
                dependencies.add(dependency);
            } else if (weak.contains(i)) {
                weakMissing = true;
            } else {
                missing.add(schema.file.getDependency(i));
            }
        }
        TypeNames names = new TypeNames();
        names.see(TypeNames.of(schema.file));
        for (FileDescriptor file : visible(dependencies)) {
            names.see(types.computeIfAbsent(file, it -> TypeNames.of(it.toProto())));
        }
        FileDescriptorProto file =
                new LinkableFile(schema, names, weakMissing, missing).prepare(path);
        FileDescriptor result = build(path, file, dependencies);
        unwritten.put(result, schema.unwritten);
        open.remove(path);
        return result;
    }

    /** The file behind an import, or null if nobody has it. */
    private FileDescriptor dependency(String path) throws SchemaException {
        FileDescriptor known = linked.get(path);
        if (known == null && imports.has(path)) {
            if (open.contains(path)) {
                throw new SchemaException(Kind.LINK, "imports form a cycle: " + chain(path));
            }
            known = link(path, imports.read(path));
        } else if (known == null && BuiltinImports.has(path)) {
            known = BuiltinImports.linked(path);
            if (isOverridden(known)) {
                known = link(path, new ParsedSchema(known.toProto(), Set.of()));
            }
        }
        if (known != null) {
            linked.put(path, known);
        }
        return known;
    }

    /** Whether a reference replaces something that a built-in file imports (H18). */
    private boolean isOverridden(FileDescriptor builtin) {
        for (FileDescriptor dependency : builtin.getDependencies()) {
            if (imports.has(dependency.getName()) || isOverridden(dependency)) {
                return true;
            }
        }
        return false;
    }

    /** The files whose types are seen: the imports and, through them, public imports. */
    private static Set<FileDescriptor> visible(List<FileDescriptor> dependencies) {
        Set<FileDescriptor> seen = new LinkedHashSet<>();
        List<FileDescriptor> left = new ArrayList<>(dependencies);
        while (!left.isEmpty()) {
            FileDescriptor file = left.remove(left.size() - 1);
            if (seen.add(file)) {
                left.addAll(file.getPublicDependencies());
            }
        }
        return seen;
    }

    private static FileDescriptor build(
            String path, FileDescriptorProto file, List<FileDescriptor> dependencies)
            throws SchemaException {
        String title = path.isEmpty() ? "schema" : "import \"" + path + "\"";
        try {
            return FileDescriptor.buildFrom(
                    file, dependencies.toArray(new FileDescriptor[0]), true);
        } catch (DescriptorValidationException refused) {
            throw new SchemaException(
                    Kind.LINK,
                    title + ": " + refused.getProblemSymbolName() + ": " + refused.getDescription(),
                    refused);
        } catch (RuntimeException refused) {
            // protobuf-java expects descriptors that a compiler has checked.
            throw new SchemaException(Kind.LINK, title + ": " + refused.getMessage(), refused);
        }
    }

    private String chain(String last) {
        List<String> shown = new ArrayList<>(open);
        shown.remove("");
        if (shown.size() > 10) {
            shown = new ArrayList<>(shown.subList(0, 10));
            shown.add("...");
        }
        shown.add(last);
        return String.join(" -> ", shown);
    }
}
