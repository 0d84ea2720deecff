package dev.sluice.flink.testregistry;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What is registered: versions by subject, ids by content. {@link #register} validates as far as
 * that goes without a parser; {@link #put} does not, so that tests can store what is broken.
 */
final class Subjects {
    private static final Set<String> TYPES = Set.of("AVRO", "JSON", "PROTOBUF");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^\\s*import\\s+(?:public\\s+)?\"([^\"]+)\"");
    private static final Pattern BUILT_IN =
            Pattern.compile("(google/(protobuf|type)|confluent(/type)?)/[a-z_]+\\.proto");

    /** One version of one subject. Soft-deleted ones stay readable where that is asked for (H6). */
    static final class Version {
        final String subject;
        final int number;
        final int id;
        final Submission submission;
        boolean deleted;

        private Version(String subject, int number, int id, Submission submission) {
            this.subject = subject;
            this.number = number;
            this.id = id;
            this.submission = submission;
        }

        String context() {
            return Subjects.context(subject);
        }
    }

    /** {@code :.ctx:} of a qualified subject (S5), empty for the default context. */
    static String context(String subject) {
        return subject.startsWith(":.") ? subject.substring(0, subject.indexOf(':', 2) + 1) : "";
    }

    private final Map<String, TreeMap<Integer, Version>> subjects = new LinkedHashMap<>();
    private int idCount;

    synchronized Version register(String subject, Submission submission) {
        validate(submission);
        Version present = find(subject, submission, false);
        if (present != null) {
            return present;
        }
        int id =
                all().filter(version -> version.context().equals(context(subject)))
                        .filter(version -> version.submission.equals(submission))
                        .map(version -> version.id)
                        .findFirst()
                        .orElse(idCount + 1);
        return put(subject, id, submission);
    }

    synchronized Version put(String subject, int id, Submission submission) {
        TreeMap<Integer, Version> versions =
                subjects.computeIfAbsent(subject, name -> new TreeMap<>());
        int number = versions.isEmpty() ? 1 : versions.lastKey() + 1;
        Version version = new Version(subject, number, id, submission);
        versions.put(number, version);
        idCount = Math.max(idCount, id);
        return version;
    }

    private void validate(Submission submission) {
        if (!TYPES.contains(submission.type())) {
            throw Refusal.invalidSchema("Unknown schema type " + submission.type());
        }
        Set<String> named = new HashSet<>();
        for (Submission.Reference reference : submission.references()) {
            try {
                version(reference.subject(), String.valueOf(reference.version()), true);
            } catch (Refusal e) {
                throw Refusal.invalidSchema("No schema reference found for " + reference);
            }
            named.add(reference.name());
        }
        Matcher imports = IMPORT.matcher(submission.text());
        while (submission.type().equals("PROTOBUF") && imports.find()) {
            String path = imports.group(1);
            if (!named.contains(path) && !BUILT_IN.matcher(path).matches()) {
                throw Refusal.invalidSchema("No reference for import " + path);
            }
        }
    }

    private Stream<Version> all() {
        return subjects.values().stream().flatMap(versions -> versions.values().stream());
    }

    private Version find(String subject, Submission submission, boolean deleted) {
        TreeMap<Integer, Version> versions = subjects.getOrDefault(subject, new TreeMap<>());
        for (Version version : versions.descendingMap().values()) {
            if (version.submission.equals(submission) && (deleted || !version.deleted)) {
                return version;
            }
        }
        return null;
    }

    /** The version of {@code subject} with this content (H20). */
    synchronized Version lookUp(String subject, Submission submission, boolean deleted) {
        versions(subject, deleted);
        Version found = find(subject, submission, deleted);
        if (found == null) {
            throw Refusal.unknownSchema("with this content");
        }
        return found;
    }

    synchronized List<Integer> versions(String subject, boolean deleted) {
        List<Integer> numbers = new ArrayList<>();
        for (Version version : subjects.getOrDefault(subject, new TreeMap<>()).values()) {
            if (deleted || !version.deleted) {
                numbers.add(version.number);
            }
        }
        if (numbers.isEmpty()) {
            throw Refusal.unknownSubject(subject);
        }
        return numbers;
    }

    /**
     * @param number a number, {@code latest} or -1
     */
    synchronized Version version(String subject, String number, boolean deleted) {
        boolean latest = number.equals("latest") || number.equals("-1");
        if (!latest && !number.matches("[1-9][0-9]{0,8}")) {
            throw Refusal.invalidVersion(number);
        }
        List<Integer> numbers = versions(subject, deleted);
        int wanted = latest ? numbers.get(numbers.size() - 1) : Integer.parseInt(number);
        if (!numbers.contains(wanted)) {
            throw Refusal.unknownVersion(number);
        }
        return subjects.get(subject).get(wanted);
    }

    synchronized void delete(String subject, String number) {
        version(subject, number, false).deleted = true;
    }

    /**
     * The content under an id: under {@code subject} if that holds it, else under the same subject
     * of another context, else under any of the context; but a qualified subject that does not hold
     * it hides it (H5). Each context has ids of its own.
     *
     * @param subject empty for the default context, {@code :.ctx:} for another
     */
    synchronized Version byId(int id, String subject) {
        List<Version> holders = all().filter(version -> version.id == id).toList();
        String context = context(subject);
        String name = subject.substring(context.length());
        Stream<Version> found = holders.stream().filter(held -> held.subject.equals(subject));
        if (context.isEmpty() && !name.isEmpty()) {
            Stream<Version> elsewhere =
                    holders.stream().filter(held -> held.subject.equals(held.context() + name));
            found = Stream.concat(found, elsewhere);
        }
        if (context.isEmpty() || name.isEmpty()) {
            Stream<Version> any = holders.stream().filter(held -> held.context().equals(context));
            found = Stream.concat(found, any);
        }
        return found.findFirst().orElseThrow(() -> Refusal.unknownSchema(Integer.toString(id)));
    }

    /** The latest version that has all these properties in its metadata. */
    synchronized Version withMetadata(
            String subject, List<String> names, List<String> values, boolean deleted) {
        List<Integer> numbers = versions(subject, deleted);
        for (int i = numbers.size() - 1; i >= 0; i--) {
            Version version = subjects.get(subject).get(numbers.get(i));
            boolean matches = true;
            for (int p = 0; p < names.size(); p++) {
                matches &= version.submission.hasProperty(names.get(p), values.get(p));
            }
            if (matches) {
                return version;
            }
        }
        throw Refusal.unknownSchema("with this metadata");
    }

    synchronized Version byGuid(String guid) {
        return all().filter(version -> version.submission.guid().toString().equals(guid))
                .findFirst()
                .orElseThrow(() -> Refusal.unknownSchema(guid));
    }

    synchronized List<String> names() {
        return List.copyOf(subjects.keySet());
    }
}
