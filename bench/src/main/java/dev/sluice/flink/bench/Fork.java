package dev.sluice.flink.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The JVM of one payload and one path: measures, and leaves its rows in a file. */
public final class Fork {
    private Fork() {}

    /**
     * @param arguments payload, path, file, and {@link Settings}
     */
    public static void main(String[] arguments) throws Exception {
        String payload = arguments[0];
        String path = arguments[1];
        List<String> rest = Arrays.asList(arguments).subList(3, arguments.length);
        Settings settings = Settings.ofArguments(rest);
        int exit = 1;
        try {
            ResultFile.write(Path.of(arguments[2]), measure(payload, path, settings));
            exit = 0;
        } catch (Throwable e) {
            e.printStackTrace();
        }
        System.exit(exit); // whatever threads Flink has left
    }

    private static List<Measurement> measure(String payload, String path, Settings settings)
            throws Exception {
        if (path.equals("schema-first")) {
            return rows(payload, path, FirstRecords.run(payload, settings));
        }
        Payload records = Payloads.of(payload, settings.records());
        System.err.printf(
                Locale.ROOT,
                "bench: %s %s, %.0f bytes%n",
                records.name(),
                path,
                records.meanBytes());
        if (path.startsWith(KafkaJobs.PATH)) {
            List<Measurement> rows = new ArrayList<>();
            KafkaJobs.run(path, records, settings)
                    .forEach((part, times) -> rows.addAll(rows(records.name(), part, times)));
            return rows;
        }
        if (path.startsWith("job-")) {
            return rows(records.name(), path, Jobs.run(path, records, settings));
        }
        if (path.equals("arrow")) {
            return RustPeers.run(records, settings);
        }
        List<Contender> contenders = Contenders.of(path, records);
        Rounds rounds = settings.rounds(settings.records() / Settings.BATCH);
        List<Rounds.Times> times = rounds.run(contenders);
        if (Sink.count() == 0) {
            throw new IllegalStateException("nothing was made");
        }
        return rows(records.name(), path, times);
    }

    private static List<Measurement> rows(String payload, String path, List<Rounds.Times> times) {
        Double flink =
                times.stream()
                        .filter(each -> each.contender().equals(Measurement.FLINK))
                        .map(Rounds.Times::median)
                        .findFirst()
                        .orElse(null);
        List<Measurement> rows = new ArrayList<>();
        for (Rounds.Times each : times) {
            rows.add(
                    new Measurement(
                            payload,
                            path,
                            each.contender(),
                            tenth(each.median()),
                            tenth(each.min()),
                            tenth(each.max()),
                            Math.round(each.bytes()),
                            flink == null ? null : hundredth(flink / each.median())));
        }
        return rows;
    }

    private static double tenth(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private static double hundredth(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
