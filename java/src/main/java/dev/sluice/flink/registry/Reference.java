package dev.sluice.flink.registry;

/** An import and where its text is registered (S7): {@code name} is what the import says. */
final class Reference {
    static final int LATEST = -1;

    private final String name;
    private final String subject;
    private final Integer version;

    /** Null for what the registry left out; {@link ReferenceWalk} refuses that. */
    Reference(String name, String subject, Integer version) {
        this.name = name;
        this.subject = subject;
        this.version = version;
    }

    String name() {
        return name;
    }

    String subject() {
        return subject;
    }

    int version() {
        return version;
    }

    boolean isComplete() {
        return isGiven(name) && isGiven(subject) && version != null;
    }

    private static boolean isGiven(String text) {
        return text != null && !text.isEmpty();
    }

    @Override
    public String toString() {
        return "reference '" + name + "' (subject '" + subject + "', version " + version + ")";
    }
}
