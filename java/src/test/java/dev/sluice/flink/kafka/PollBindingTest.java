package dev.sluice.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.engine.PollDecoder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Whose rows are given to whom, and what a decoder that fails as a whole leaves. */
class PollBindingTest {
    private static final byte[] RECORD = {1};
    private static final byte[] NEXT = {2};

    private final AtomicLong waiting = new AtomicLong();

    /** Makes rows of eight bytes, all of message 3. */
    private static final class Rows implements PollDecoder {
        boolean fails;
        boolean isClosed;

        @Override
        public void decodeAll(
                byte[][] prefixes,
                byte[][] records,
                int count,
                int bytesMax,
                byte[][] rows,
                int[] outcomes) {
            for (int at = 0; at < count; at++) {
                rows[at] = new byte[8];
                outcomes[at] = 3;
            }
            if (fails) {
                throw new IllegalStateException("as the test wants it");
            }
        }

        @Override
        public List<String> messages() {
            return List.of("a", "b", "c", "d");
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private PollBinding binding(Rows decoder) {
        return new PollBinding(decoder, true, 1 << 20, waiting);
    }

    private static PollSide side() {
        PollSide side = new PollSide(2);
        side.add(RECORD, null);
        side.add(NEXT, null);
        return side;
    }

    @Test
    void aRowIsGivenOnlyToTheBindingThatItWasMadeFor() {
        PollBinding maker = binding(new Rows());
        PollBinding other = binding(new Rows());
        PollSide side = side();
        side.decodeFor(maker);
        assertThat(side.seek(RECORD)).isTrue();
        assertThat(side.takeRow(other)).isNull();
        assertThat(side.takeRow(null)).isNull();
        assertThat(side.outcome(other)).isZero();
        assertThat(side.takeRow(maker)).hasSize(8);
        assertThat(side.outcome(maker)).isEqualTo(3);
    }

    @Test
    void aDecoderThatFailsAsAWholeLeavesNoRowAndIsNotAskedAgain() {
        Rows decoder = new Rows();
        decoder.fails = true;
        PollBinding binding = binding(decoder);
        PollSide side = side();
        side.decodeFor(binding);
        assertThat(side.seek(RECORD)).isTrue();
        assertThat(side.takeRow(binding)).isNull();
        assertThat(side.outcome(binding)).isZero();
        assertThat(waiting).hasValue(0);
        assertThat(binding.isOpen()).isFalse();
        assertThat(decoder.isClosed).isTrue();
    }

    @Test
    void rowsWaitUntilTheirSideIsOver() {
        PollBinding binding = binding(new Rows());
        PollSide side = side();
        side.decodeFor(binding);
        assertThat(waiting).hasValue(2 * 8);
        side.release();
        side.release();
        assertThat(waiting).hasValue(0);
    }
}
