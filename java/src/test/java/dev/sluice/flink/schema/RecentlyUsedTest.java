package dev.sluice.flink.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentlyUsedTest {
    private final RecentlyUsed<String, Integer> values = new RecentlyUsed<>(3, 100);

    private String kept() {
        StringBuilder kept = new StringBuilder();
        for (String key : new String[] {"a", "b", "c", "d", "e"}) {
            Integer value = values.get(key);
            kept.append(value == null ? "" : key + value);
        }
        return kept.toString();
    }

    @Test
    void whatWasUsedLeastRecentlyGoesBeyondTheNumber() {
        values.put("a", 1, 10);
        values.put("b", 2, 10);
        values.put("c", 3, 10);
        assertThat(values.get("a")).isEqualTo(1);
        values.put("d", 4, 10);
        assertThat(kept()).isEqualTo("a1c3d4");
    }

    @Test
    void andBeyondTheWeight() {
        values.put("a", 1, 40);
        values.put("b", 2, 40);
        values.put("c", 3, 70);
        assertThat(kept()).isEqualTo("c3");
        values.put("d", 4, 30);
        assertThat(kept()).isEqualTo("c3d4");
    }

    @Test
    void theLastOneStaysWhateverItWeighs() {
        values.put("a", 1, 10);
        values.put("b", 2, 1000);
        assertThat(kept()).isEqualTo("b2");
        values.put("c", 3, 10);
        assertThat(kept()).isEqualTo("c3");
    }

    @Test
    void whatIsReplacedOrRemovedWeighsNothing() {
        values.put("a", 1, 90);
        values.put("a", 2, 50);
        values.put("b", 3, 50);
        assertThat(kept()).isEqualTo("a2b3");
        values.remove("a");
        values.remove("a");
        values.put("c", 4, 50);
        assertThat(kept()).isEqualTo("b3c4");
        assertThat(values.size()).isEqualTo(2);
    }
}
