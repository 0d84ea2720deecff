package dev.sluice.flink;

import dev.sluice.flink.engine.Owned;
import dev.sluice.flink.engine.RecordDecoder;

import java.io.IOException;
import java.util.Map;

/** A decoder that closes what it was opened with as well: schemas, dead letters. */
final class OwningDecoder implements RecordDecoder {

    private final RecordDecoder decoder;
    private final Owned owned;

    /**
     * @param owned the decoder too
     */
    OwningDecoder(RecordDecoder decoder, Owned owned) {
        this.decoder = decoder;
        this.owned = owned;
    }

    @Override
    public byte[] decode(byte[] record) throws IOException {
        return decoder.decode(record);
    }

    @Override
    public long records() {
        return decoder.records();
    }

    @Override
    public Map<String, Long> recordsByMessage() {
        return decoder.recordsByMessage();
    }

    @Override
    public int messagesMet() {
        return decoder.messagesMet();
    }

    @Override
    public boolean isNative() {
        return decoder.isNative();
    }

    @Override
    public void close() {
        owned.close();
    }
}
