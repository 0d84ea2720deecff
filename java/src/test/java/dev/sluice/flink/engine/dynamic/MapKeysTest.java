package dev.sluice.flink.engine.dynamic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import org.apache.flink.table.data.binary.BinaryStringData;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

class MapKeysTest {
    private static final int KEYS_MAX = 3000;

    @Test
    void textsHashAsFlinksStringsDo() {
        Random random = new Random(1);
        for (int round = 0; round < 5000; round++) {
            String text = text(random);
            assertThat(new TextKey(text.getBytes(StandardCharsets.UTF_8)).hashCode())
                    .as(text)
                    .isEqualTo(BinaryStringData.fromString(text).hashCode());
        }
    }

    @Test
    void entriesStandInTheOrderOfFlinksOwnMap() {
        Random random = new Random(2);
        for (int count = 1; count < KEYS_MAX; count = 3 * count + 1) {
            Map<Object, String> ours = new LinkedHashMap<>();
            Map<BinaryStringData, String> flinks = new HashMap<>();
            for (int at = 0; at < count; at++) {
                String text = text(random);
                byte[] key = text.getBytes(StandardCharsets.UTF_8);
                if (ours.putIfAbsent(MapKeys.hashed().identity(key), text) == null) {
                    flinks.put(BinaryStringData.fromString(text), text);
                }
            }
            List<String> order = new ArrayList<>(MapKeys.hashed().inOrder(ours).values());
            assertThat(order).isEqualTo(new ArrayList<>(flinks.values()));
        }
    }

    @Test
    void keysAreOneIfTheirCanonicalBytesAre() {
        MapKeys floats = MapKeys.firstSeen(SqlType.newBuilder().setKind(SqlKind.DOUBLE).build());
        Object otherNan = Double.longBitsToDouble(0x7ff8000000000001L);
        assertThat(floats.identity(otherNan)).isEqualTo(floats.identity(Double.NaN));
        assertThat(floats.identity(0.0)).isNotEqualTo(floats.identity(-0.0));
        assertThat(floats.identity(null)).isNotEqualTo(floats.identity(0.0));
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(12); left > 0; left--) {
            text.appendCodePoint(random.nextInt(3) == 0 ? random.nextInt(0xd800) : 'a' + left % 5);
        }
        return text.toString();
    }
}
