package dev.sluice.flink.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

class NativeLogTest {
    @Test
    void readsLinesAsNativeCodeEncodesThem() {
        ByteBuffer encoded = ByteBuffer.allocate(200);
        put(encoded, 2, "sluice_bridge::program_cache", "column größe is NULL");
        put(encoded, 3, "x", "");
        byte[] bytes = new byte[encoded.flip().remaining()];
        encoded.get(bytes);
        List<NativeLog.Line> lines = NativeLog.read(bytes);
        assertThat(lines)
                .extracting(NativeLog.Line::loggerName)
                .containsExactly(
                        "dev.sluice.flink.native.sluice_bridge.program_cache",
                        "dev.sluice.flink.native.x");
        assertThat(lines)
                .extracting(NativeLog.Line::message)
                .containsExactly("column größe is NULL", "");
        assertThat(lines).extracting(NativeLog.Line::level).containsExactly(2, 3);
    }

    private static void put(ByteBuffer encoded, int level, String target, String message) {
        encoded.put((byte) level);
        for (String text : List.of(target, message)) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            encoded.putInt(utf8.length).put(utf8);
        }
    }

    @Test
    void aPanicLeavesALineWithItsPlace() {
        try (NativeDecoder decoder = Orders.decoder()) {
            decoder.panicForTest();
            List<NativeLog.Line> lines = NativeLog.read(NativeLog.drainLog());
            assertThat(lines)
                    .extracting(NativeLog.Line::message)
                    .anyMatch(message -> message.matches("native code panicked at .*entry.rs.*"));
            assertThat(NativeLog.drainLog()).as("lines leave once").isEmpty();
        }
    }
}
