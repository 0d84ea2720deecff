package dev.sluice.flink.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.UUID;

class SchemaKeyTest {
    private static final UUID GUID = UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10");

    @Test
    void equalByValue() {
        assertThat(SchemaKey.ofId(7))
                .isEqualTo(SchemaKey.ofId(7))
                .hasSameHashCodeAs(SchemaKey.ofId(7));
        assertThat(SchemaKey.ofId(7)).isNotEqualTo(SchemaKey.ofId(8));
        assertThat(SchemaKey.ofGuid(GUID))
                .isEqualTo(SchemaKey.ofGuid(UUID.fromString(GUID.toString())));
        assertThat(SchemaKey.ofGuid(GUID)).isNotEqualTo(SchemaKey.ofId(0));
    }

    @Test
    void saysWhatItIs() {
        assertThat(SchemaKey.ofId(-1)).hasToString("schema id -1");
        assertThat(SchemaKey.ofGuid(GUID)).hasToString("schema GUID " + GUID);
        assertThat(SchemaKey.ofGuid(GUID).guid()).isEqualTo(GUID);
        assertThat(SchemaKey.ofId(7).id()).isEqualTo(7);
        assertThatThrownBy(() -> SchemaKey.ofId(7).guid()).hasMessage("schema id 7 has no GUID");
        assertThatThrownBy(() -> SchemaKey.ofGuid(GUID).id())
                .isInstanceOf(IllegalStateException.class);
    }
}
