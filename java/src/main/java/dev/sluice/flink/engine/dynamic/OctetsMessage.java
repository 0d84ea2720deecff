package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.AbstractMessageLite;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;

import java.io.IOException;

/** A message that is known by its bytes only, and written as them. */
@SuppressWarnings("rawtypes") // nothing builds one
final class OctetsMessage extends AbstractMessageLite {
    private final ByteString octets;

    OctetsMessage(ByteString octets) {
        this.octets = octets;
    }

    @Override
    public void writeTo(CodedOutputStream output) throws IOException {
        output.writeRawBytes(octets);
    }

    @Override
    public int getSerializedSize() {
        return octets.size();
    }

    @Override
    public boolean isInitialized() {
        return true;
    }

    @Override
    public MessageLite getDefaultInstanceForType() {
        return new OctetsMessage(ByteString.EMPTY);
    }

    @Override
    public Parser<? extends MessageLite> getParserForType() {
        throw new UnsupportedOperationException("bytes are only written");
    }

    @Override
    public MessageLite.Builder newBuilderForType() {
        throw new UnsupportedOperationException("bytes are only written");
    }

    @Override
    public MessageLite.Builder toBuilder() {
        throw new UnsupportedOperationException("bytes are only written");
    }
}
