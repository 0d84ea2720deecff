package dev.sluice.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** From the format that makes a payload to the header of the record that it is sent in. */
class ProducerHeadersTest {
    private static final byte[] KEY_ID = {0, 0, 0, 0, 7, 0};
    private static final byte[] VALUE_ID = {0, 0, 0, 0, 8, 0};
    private static final byte[] OTHER_ID = {0, 0, 0, 0, 9, 0};

    private final PayloadHeader keys = new PayloadHeader(KEY_ID);
    private final PayloadHeader values = new PayloadHeader(VALUE_ID);
    private final PayloadHeader others = new PayloadHeader(OTHER_ID);
    private RecordInterceptor interceptor;

    @BeforeEach
    void open() {
        interceptor = producer();
    }

    private static RecordInterceptor producer() {
        RecordInterceptor interceptor = new RecordInterceptor();
        interceptor.configure(Map.of("value.serializer", "of bytes"));
        return interceptor;
    }

    private static byte[] made(PayloadHeader header) {
        byte[] payload = {1, 2, 3}; // the same content every time: only the array tells
        header.awaitSending(payload);
        return payload;
    }

    private static ProducerRecord<Object, Object> record(byte[] key, byte[] value) {
        return new ProducerRecord<>("orders", key, value);
    }

    private static List<String> sent(
            RecordInterceptor interceptor, ProducerRecord<Object, Object> record) {
        List<String> headers = new ArrayList<>();
        for (Header header : interceptor.onSend(record).headers()) {
            headers.add(header.key() + "=" + header.value()[4]);
        }
        return headers;
    }

    @Test
    void keyAndValueGetTheHeadersOfTheirFormats() {
        for (int at = 0; at < 3; at++) {
            assertThat(sent(interceptor, record(made(keys), made(values))))
                    .containsExactly("__key_schema_id=7", "__value_schema_id=8");
        }
    }

    @Test
    void allRecordsShareOneValue() {
        byte[] payload = made(values);
        Header header =
                interceptor.onSend(record(null, payload)).headers().lastHeader("__value_schema_id");

        assertThat(header.value()).isSameAs(VALUE_ID);
    }

    @Test
    void aDeletionHasNoHeaderForItsValueAndEndsNoBinding() {
        assertThat(sent(interceptor, record(made(keys), null)))
                .containsExactly("__key_schema_id=7");
        assertThat(sent(interceptor, record(made(keys), made(values))))
                .containsExactly("__key_schema_id=7", "__value_schema_id=8");
        assertThat(sent(interceptor, record(made(keys), null)))
                .containsExactly("__key_schema_id=7");
    }

    @Test
    void aSideOfAnotherFormatStaysWithout() {
        byte[] json = {1, 2, 3};
        assertThat(sent(interceptor, record(json, made(values))))
                .containsExactly("__value_schema_id=8");
        assertThat(sent(interceptor, record(json, made(values))))
                .containsExactly("__value_schema_id=8");
    }

    @Test
    void producersOfOneTaskAreNotConfused() {
        RecordInterceptor second = producer();
        for (int at = 0; at < 3; at++) {
            byte[] first = made(values);
            byte[] other = made(others);
            assertThat(sent(second, record(null, other))).containsExactly("__value_schema_id=9");
            assertThat(sent(interceptor, record(null, first)))
                    .containsExactly("__value_schema_id=8");
        }
    }

    /** As transactions take turns with a pool of producers. */
    @Test
    void oneFormatIsServedByManyProducers() {
        for (int at = 0; at < 3; at++) {
            assertThat(sent(producer(), record(null, made(values))))
                    .containsExactly("__value_schema_id=8");
            assertThat(sent(interceptor, record(null, made(values))))
                    .containsExactly("__value_schema_id=8");
        }
    }

    @Test
    void aHeaderThatIsThereIsNotPutAgainAndAnotherOneIsOutdone() {
        ProducerRecord<Object, Object> same = record(null, made(values));
        same.headers().add("__value_schema_id", VALUE_ID.clone());
        assertThat(sent(interceptor, same)).containsExactly("__value_schema_id=8");

        ProducerRecord<Object, Object> other = record(null, made(values));
        other.headers().add("__value_schema_id", VALUE_ID).add("__value_schema_id", OTHER_ID);
        assertThat(sent(interceptor, other))
                .containsExactly(
                        "__value_schema_id=8", "__value_schema_id=9", "__value_schema_id=8");
    }

    @Test
    void aSecondInterceptorInTheListPutsNothing() {
        ProducerRecord<Object, Object> record = record(made(keys), made(values));
        sent(interceptor, record);

        assertThat(sent(producer(), record)).hasSize(2);
    }

    @Test
    void thePayloadThatNobodyMetStopsTheNextOne() {
        made(values);

        assertThatThrownBy(() -> made(values))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("properties.interceptor.classes")
                .hasMessageContaining("dev.sluice.flink.kafka.RecordInterceptor");
    }

    @Test
    void aPayloadIsHeldUntilItIsSentOnly() {
        byte[] payload = made(values);
        assertThat(PayloadHeader.find(payload)).isSameAs(values);
        sent(interceptor, record(null, payload));

        assertThat(PayloadHeader.find(payload)).isNull();
    }

    @Test
    void aFormatThatIsDroppedIsForgotten() throws InterruptedException {
        byte[] payload = made(new PayloadHeader(OTHER_ID));
        for (int at = 0; at < 100 && PayloadHeader.find(payload) != null; at++) {
            System.gc();
            Thread.sleep(10);
        }

        assertThat(PayloadHeader.find(payload)).isNull();
    }

    @Test
    void aConsumerPutsNothing() {
        RecordInterceptor consumer = new RecordInterceptor();
        consumer.configure(Map.of("value.deserializer", "of bytes"));

        assertThat(sent(consumer, record(null, made(values)))).isEmpty();
    }

    @Test
    void ourClassIsFoundAmongOthers() {
        assertThat(InterceptorClasses.nameOurs("x.Y, " + RecordInterceptor.class.getName()))
                .isTrue();
        assertThat(InterceptorClasses.nameOurs("dev.sluice.flink.kafka.shaded.RecordInterceptor"))
                .isTrue();
        assertThat(InterceptorClasses.nameOurs("x.RecordInterceptor")).isFalse();
        assertThat(InterceptorClasses.nameOurs(null)).isFalse();
    }
}
