package dev.sluice.flink.testregistry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * From a request to the value of its JSON answer, or to a {@link Refusal} (5.2, 5.3). A path that
 * starts with {@code /contexts/.ctx} stands for the rest of it with qualified subjects (S5).
 */
final class Routes {
    private static final Set<String> MEDIA_TYPES =
            Set.of(
                    "application/vnd.schemaregistry.v1+json",
                    "application/vnd.schemaregistry+json",
                    "application/json",
                    "application/octet-stream");

    private final Subjects subjects;
    private volatile boolean withholdsGuids;

    Routes(Subjects subjects) {
        this.subjects = subjects;
    }

    void withholdGuids() {
        withholdsGuids = true;
    }

    Object answer(Request request) {
        List<String> path = request.segments();
        String context = "";
        if (path.get(0).equals("contexts") && path.size() > 2) {
            context = ":" + path.get(1) + ":";
            path = path.subList(2, path.size());
        }
        if (path.get(0).equals("subjects") && path.size() > 1) {
            path.set(1, qualified(context, path.get(1)));
        }
        return answer(request, path, context);
    }

    private static String qualified(String context, String subject) {
        return subject.startsWith(":.") ? subject : context + subject;
    }

    private Object answer(Request request, List<String> path, String context) {
        String route = request.method() + " " + path.get(0) + "/" + path.size();
        switch (route) {
            case "GET schemas/3":
                return schema(request, path.get(1), path.get(2), context);
            case "GET subjects/1":
                return subjects.names();
            case "GET subjects/3":
                if (path.get(2).equals("metadata")) {
                    return withMetadata(request, path.get(1));
                }
                requireVersions(path);
                return subjects.versions(path.get(1), request.flag("deleted"));
            case "GET subjects/4":
                requireVersions(path);
                return members(
                        request,
                        subjects.version(path.get(1), path.get(3), request.flag("deleted")));
            case "POST subjects/2":
                return members(
                        request,
                        subjects.lookUp(path.get(1), submission(request), request.flag("deleted")));
            case "POST subjects/3":
                requireVersions(path);
                return members(request, subjects.register(path.get(1), submission(request)));
            case "DELETE subjects/4":
                requireVersions(path);
                subjects.delete(path.get(1), path.get(3));
                return path.get(3);
            default:
                throw Refusal.http(404, "Not Found");
        }
    }

    private static void requireVersions(List<String> path) {
        if (!path.get(2).equals("versions")) {
            throw Refusal.http(404, "Not Found");
        }
    }

    private Object withMetadata(Request request, String subject) {
        List<String> names = request.parameters("key");
        List<String> values = request.parameters("value");
        if (names.size() != values.size()) {
            throw Refusal.http(400, "Bad Request");
        }
        boolean deleted = request.flag("deleted");
        return members(request, subjects.withMetadata(subject, names, values, deleted));
    }

    /** By GUID neither subject nor version are known. */
    private Object schema(Request request, String kind, String key, String context) {
        if (kind.equals("guids")) {
            return members(request, subjects.byGuid(key).submission);
        }
        if (!kind.equals("ids") || !key.matches("-?[0-9]{1,10}")) {
            throw Refusal.http(404, "Not Found");
        }
        String subject = request.parameter("subject");
        String qualified = qualified(context, subject == null ? "" : subject);
        Subjects.Version version = subjects.byId(Integer.parseInt(key), qualified);
        Map<String, Object> members = members(request, version.submission);
        if (subject != null) {
            members.put("subject", version.subject);
            members.put("version", version.number);
        }
        return members;
    }

    private Map<String, Object> members(Request request, Subjects.Version version) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("subject", version.subject);
        members.put("version", version.number);
        members.put("id", version.id);
        members.putAll(members(request, version.submission));
        members.put("deleted", version.deleted);
        return members;
    }

    private Map<String, Object> members(Request request, Submission submission) {
        Map<String, Object> members = submission.members();
        if (submission.descriptor() != null
                && "serialized".equalsIgnoreCase(request.parameter("format"))) {
            members.put("schema", submission.descriptor());
        }
        if (withholdsGuids) {
            members.remove("guid");
        }
        return members;
    }

    @SuppressWarnings("unchecked")
    private static Submission submission(Request request) {
        String type = request.headers().getFirst("Content-Type");
        if (type == null || !MEDIA_TYPES.contains(type.split(";")[0].trim())) {
            throw Refusal.http(415, "Unsupported Media Type");
        }
        try {
            return Submission.read((Map<String, Object>) Json.read(request.body()));
        } catch (IllegalArgumentException | ClassCastException e) {
            throw Refusal.http(400, "Bad Request");
        }
    }
}
