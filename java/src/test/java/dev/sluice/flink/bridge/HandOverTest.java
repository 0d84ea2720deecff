package dev.sluice.flink.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.plan.WriterOptions;

import org.junit.jupiter.api.Test;

/**
 * How records and rows cross the border: usual ones in memory that Java writes before it calls,
 * longer ones as arrays. Sizes come in an order in which memory grows, is given back, and grows
 * again between usual ones.
 */
class HandOverTest {
    private static final int INPUT = 16 << 10;
    private static final int HUGE = 4 << 20;

    /** More than are needed for memory to be given back. */
    private static final int MANY = 9_000;

    @Test
    void whatIsReadIsWrittenWhateverItsSize() throws Exception {
        byte[] plan =
                Orders.plan().setWriter(WriterOptions.getDefaultInstance()).build().toByteArray();
        byte[] schema = Orders.schema().build().toByteArray();
        try (NativeDecoder decoder = Orders.decoder();
                NativeEncoder encoder = new NativeEncoder(plan, schema, Orders.FRAME)) {
            for (int round = 0; round < 3; round++) {
                for (int length = INPUT - 64; length < INPUT + 64; length++) {
                    requireSame(decoder, encoder, length);
                }
                requireSame(decoder, encoder, HUGE);
                for (int at = 0; at < MANY; at++) {
                    requireSame(decoder, encoder, 1 + at % 40);
                }
            }
            assertThat(encoder.records()).isEqualTo(3 * (128 + 1 + MANY));
        }
    }

    private static void requireSame(NativeDecoder decoder, NativeEncoder encoder, int length) {
        byte[] record = Orders.record(length, "x".repeat(length));
        byte[] row = decoder.decodeRow(record);
        assertThat(encoder.encodeRow(row, 0, row.length)).isEqualTo(record);
    }

    @Test
    void aRowIsReadWhereItStandsInItsArray() throws Exception {
        byte[] plan =
                Orders.plan().setWriter(WriterOptions.getDefaultInstance()).build().toByteArray();
        byte[] schema = Orders.schema().build().toByteArray();
        try (NativeDecoder decoder = Orders.decoder();
                NativeEncoder encoder = new NativeEncoder(plan, schema, Orders.FRAME)) {
            for (int length : new int[] {3, INPUT}) {
                byte[] record = Orders.record(7, "x".repeat(length));
                byte[] row = decoder.decodeRow(record);
                byte[] wider = new byte[row.length + 48];
                System.arraycopy(row, 0, wider, 16, row.length);
                assertThat(encoder.encodeRow(wider, 16, row.length)).isEqualTo(record);
            }
        }
    }
}
