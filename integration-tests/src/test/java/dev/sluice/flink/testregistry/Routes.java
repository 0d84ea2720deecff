package dev.sluice.flink.testregistry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** From a request to the value of its JSON answer, or to a {@link Refusal} (5.2, 5.3). */
final class Routes {
    private static final Set<String> MEDIA_TYPES =
            Set.of(
                    "application/vnd.schemaregistry.v1+json",
                    "application/vnd.schemaregistry+json",
                    "application/json",
                    "application/octet-stream");

    private final Subjects subjects;

    Routes(Subjects subjects) {
        this.subjects = subjects;
    }

    Object answer(Request request) {
        List<String> path = request.segments();
        String route = request.method() + " " + path.get(0) + "/" + path.size();
        switch (route) {
            case "GET schemas/3":
                return schema(request, path.get(1), path.get(2));
            case "GET subjects/1":
                return subjects.names();
            case "GET subjects/3":
                requireVersions(path);
                return subjects.versions(path.get(1), request.flag("deleted"));
            case "GET subjects/4":
                requireVersions(path);
                return members(subjects.version(path.get(1), path.get(3), request.flag("deleted")));
            case "POST subjects/2":
                return members(
                        subjects.lookUp(path.get(1), submission(request), request.flag("deleted")));
            case "POST subjects/3":
                requireVersions(path);
                return members(subjects.register(path.get(1), submission(request)));
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

    private Object schema(Request request, String kind, String key) {
        if (kind.equals("guids")) {
            return subjects.byGuid(key).submission.members();
        }
        if (!kind.equals("ids") || !key.matches("-?[0-9]{1,10}")) {
            throw Refusal.http(404, "Not Found");
        }
        String subject = request.parameter("subject");
        Subjects.Version version = subjects.byId(Integer.parseInt(key), subject);
        Map<String, Object> members = version.submission.members();
        if (subject != null) {
            members.put("subject", version.subject);
            members.put("version", version.number);
        }
        return members;
    }

    private static Map<String, Object> members(Subjects.Version version) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("subject", version.subject);
        members.put("version", version.number);
        members.put("id", version.id);
        members.putAll(version.submission.members());
        members.put("deleted", version.deleted);
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
