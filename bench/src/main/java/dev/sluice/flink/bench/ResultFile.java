package dev.sluice.flink.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * {@code results.json}: a list with one object for each {@link Measurement}, one to a line. Benches
 * that are no JVM's write the same, and are merged.
 */
final class ResultFile {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectReader ROWS =
            JSON.readerForListOf(Measurement.class)
                    .with(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                    .with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private ResultFile() {}

    static void write(Path file, List<Measurement> rows) throws IOException {
        StringJoiner lines = new StringJoiner(",\n", "[\n", "\n]\n").setEmptyValue("[]\n");
        for (Measurement row : rows) {
            lines.add(JSON.writeValueAsString(row));
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, lines.toString());
    }

    /**
     * @throws IOException if the file is no list of measurements, with the reason
     */
    static List<Measurement> read(Path file) throws IOException {
        List<Measurement> rows;
        try {
            rows = ROWS.readValue(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new IOException(file + ": " + e.getOriginalMessage(), e);
        }
        for (Measurement row : rows) {
            require(file, row);
        }
        return rows;
    }

    /** Rows of both; where both measured the same thing, those of {@code added}. */
    static List<Measurement> merge(List<Measurement> known, List<Measurement> added) {
        List<Measurement> merged = new ArrayList<>(known);
        merged.removeIf(row -> added.stream().anyMatch(row::isOf));
        merged.addAll(added);
        merged.sort(Measurement.BY_PLACE);
        return merged;
    }

    private static void require(Path file, Measurement row) throws IOException {
        boolean isNamed = isName(row.payload()) && isName(row.path()) && isName(row.contender());
        boolean isOrdered = 0 < row.min() && row.min() <= row.ns() && row.ns() <= row.max();
        boolean isRatio = row.vsFlink() == null || row.vsFlink() > 0;
        if (!isNamed || !isOrdered || !isRatio || row.bytes() < 0) {
            throw new IOException(file + ": " + row + " is no measurement");
        }
    }

    private static boolean isName(String text) {
        return text != null && text.matches("[a-z0-9][a-z0-9.-]*");
    }
}
