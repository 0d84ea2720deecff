package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectStrategyTest {
    private static final String PACKAGE = "io.confluent.kafka.serializers.subject.";

    @ParameterizedTest
    @CsvSource({
        "TopicNameStrategy, false, orders-value",
        "TopicNameStrategy, true, orders-key",
        "RecordNameStrategy, false, shop.v1.Order",
        "RecordNameStrategy, true, shop.v1.Order",
        "TopicRecordNameStrategy, false, orders-shop.v1.Order",
        "AssociatedNameStrategy, true, orders-key",
    })
    void namesTheSubjectAsTheClassWould(String simpleName, boolean isKey, String subject) {
        for (String name : new String[] {simpleName, " " + PACKAGE + simpleName}) {
            assertThat(SubjectStrategy.of(name, null).subject("orders", isKey, "shop.v1.Order"))
                    .isEqualTo(subject);
        }
    }

    @ParameterizedTest
    @CsvSource({"TOPIC, TOPIC", "RECORD, RECORD", "TOPIC_RECORD, TOPIC_RECORD"})
    void associationsComeToTheirFallback(String type, SubjectStrategy strategy) {
        assertThat(SubjectStrategy.of(PACKAGE + "AssociatedNameStrategy", type))
                .isEqualTo(strategy);
    }

    @Test
    void theTopicDecidesWhereNothingIsSaid() {
        assertThat(SubjectStrategy.of(null, null)).isEqualTo(SubjectStrategy.TOPIC);
        assertThat(SubjectStrategy.of(" ", "RECORD")).isEqualTo(SubjectStrategy.TOPIC);
    }

    @Test
    void anUnknownClassIsRefusedByName() {
        assertThatThrownBy(() -> SubjectStrategy.of("com.example.Mine", null))
                .hasMessageContaining("'com.example.Mine'")
                .hasMessageContaining("RecordNameStrategy");
        assertThatThrownBy(() -> SubjectStrategy.of("AssociatedNameStrategy", "NONE"))
                .hasMessageContaining("subject.name.strategy.fallback.type");
    }
}
