package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The bounds of {@code docs/architecture.md} on what a task holds. */
@EnabledOnOs(OS.LINUX)
class ResidentMemoryTest {
    private static final int HEAP_MB = 96;
    private static final long MIB = 1024; // in KiB

    private static List<Long> live(String... arguments) throws Exception {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-Xms" + HEAP_MB + "m", "-Xmx" + HEAP_MB + "m"));
        line.addAll(List.of("-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        line.addAll(List.of("-cp", System.getProperty("java.class.path")));
        line.add(ResidentMemory.class.getName());
        line.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(told).isZero();
        System.out.println(String.join(" ", arguments) + ": " + told.replace('\n', ' '));
        return told.lines()
                .filter(one -> one.matches("\\d+"))
                .map(Long::valueOf)
                .collect(Collectors.toList());
    }

    @Test
    void aMillionSchemaIdsTakeNoMoreThanTenThousand() throws Exception {
        List<Long> resident = live("ids", "NATIVE", "20000", "1000000");
        assertThat(resident.get(2) - resident.get(1)).isLessThan(16 * MIB);
    }

    @Test
    void programsOfForgottenSchemasAreFreed() throws Exception {
        List<Long> resident = live("texts", "NATIVE", "10000", "15000", "30000");
        assertThat(resident.get(3) - resident.get(2)).isLessThan(16 * MIB);
    }

    /** Each id has a program of some kilobytes in the heap: all of them would not fit. */
    @Test
    void theEngineInJavaForgetsAsWell() throws Exception {
        assertThat(live("ids", "JAVA", "100000")).hasSize(2);
    }

    /** A few hundred of these are as much as thousands of usual ones. */
    @Test
    void theEngineInJavaForgetsWideSchemasEarlier() throws Exception {
        assertThat(live("wide", "JAVA", "400")).hasSize(2);
    }

    @Test
    void memoryOfHugeRecordsIsGivenBack() throws Exception {
        List<Long> resident = live("huge", "NATIVE", Integer.toString(16 << 20), "3");
        long small = resident.get(0);
        for (int time = 0; time < 3; time++) {
            assertThat(resident.get(2 * time + 1) - small).isGreaterThan(32 * MIB);
            assertThat(resident.get(2 * time + 2) - small).isLessThan(8 * MIB);
        }
    }
}
