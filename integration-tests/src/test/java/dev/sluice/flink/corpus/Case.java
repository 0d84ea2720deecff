package dev.sluice.flink.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One file of the corpus, in the format of {@code corpus/SCHEMA.md}. */
public final class Case {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode json;

    private Case(JsonNode json) {
        this.json = json;
    }

    /** All cases of a directory, by name. */
    public static List<Case> allOf(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(Case::read)
                    .collect(Collectors.toList());
        }
    }

    private static Case read(Path file) {
        try {
            return new Case(JSON.readTree(file.toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    public String name() {
        return json.get("name").asText();
    }

    boolean isDecode() {
        return json.get("direction").asText().equals("decode");
    }

    boolean isFlinkProfile() {
        return json.get("profile").asText().equals("flink");
    }

    /** The schema text registered for the record. */
    String mainText() {
        return json.get("files").get(json.get("main").asText()).asText();
    }

    /** Texts of the references by import path. */
    Map<String, String> imports() {
        Map<String, String> imports = new LinkedHashMap<>();
        json.get("files").properties().stream()
                .filter(file -> !file.getKey().equals(json.get("main").asText()))
                .forEach(file -> imports.put(file.getKey(), file.getValue().asText()));
        return imports;
    }

    String message() {
        return json.get("message").asText();
    }

    int[] messageIndexes() {
        return JSON.convertValue(json.get("message_indexes"), int[].class);
    }

    /** The id under which the main file is registered; any one where the case names none. */
    int schemaId() {
        return json.path("schema_id").asInt(1);
    }

    RowType row() {
        return (RowType)
                LogicalTypeParser.parse(
                        "ROW<" + json.get("columns").asText() + ">", Case.class.getClassLoader());
    }

    Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        json.path("options")
                .properties()
                .forEach(option -> options.put(option.getKey(), option.getValue().asText()));
        return options;
    }

    /** Whether the input is a whole Kafka value and not a bare message. */
    boolean hasRecord() {
        return json.has("record");
    }

    /** The whole Kafka value; null for a null value. */
    byte[] record() {
        return json.get("record").isNull() ? null : bytes(json.get("record"));
    }

    byte[] wire() {
        return bytes(json.get("wire"));
    }

    private static byte[] bytes(JsonNode hex) {
        return HexFormat.of().parseHex(hex.asText().replace(" ", ""));
    }

    boolean expectsError() {
        return json.has("error");
    }

    /** The advisory kind of the error. */
    String error() {
        return json.get("error").asText();
    }

    /** Null where no row is expected. */
    JsonNode expectedRow() {
        return json.get("row");
    }

    @Override
    public String toString() {
        return name();
    }
}
