package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestPathTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "a/b.proto, a%2Fb.proto",
                ":.ctx:orders-value, :.ctx:orders-value",
                "a b%c?d#e, a%20b%25c%3Fd%23e",
                "straße-€, stra%C3%9Fe-%E2%82%AC",
                "-._~@:!$&'()*+;=, -._~@:!$&'()*+;="
            })
    void encodesWhatASegmentMayNotHold(String segment, String encoded) {
        assertThat(RequestPath.segment(segment)).isEqualTo(encoded);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                ":.ctx:orders-value, :.ctx:orders-value",
                "a b+c&d=e/f#g, a%20b%2Bc%26d%3De%2Ff%23g",
                "€, %E2%82%AC"
            })
    void encodesWhatAParameterMayNotHold(String value, String encoded) {
        assertThat(RequestPath.parameter(value)).isEqualTo(encoded);
    }
}
