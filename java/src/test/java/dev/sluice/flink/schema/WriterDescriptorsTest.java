package dev.sluice.flink.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;

import dev.sluice.flink.plan.WriterDescriptors;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

class WriterDescriptorsTest {
    private static final Map<String, String> IMPORTS =
            Map.of(
                    "buyer.proto",
                    "syntax = 'proto2'; package shop; import 'google/protobuf/timestamp.proto';"
                            + " message Buyer { required string name = 1 [default = 'x'];"
                            + " optional google.protobuf.Timestamp born = 2; }");

    private static WriterSchema linked() throws SchemaException {
        String root =
                "syntax = 'proto3'; package shop; import 'buyer.proto';"
                        + " message Order { Buyer buyer = 1; map<string, Order> parts = 2; }";
        return WriterSchema.of(root, IMPORTS);
    }

    @Test
    void makeAnEqualSchema() throws Exception {
        for (String name : List.of("shop.Order", "shop.Buyer", "google.protobuf.Timestamp")) {
            WriterDescriptors written = linked().descriptors(name);
            List<byte[]> files =
                    written.getFilesList().stream()
                            .map(ByteString::toByteArray)
                            .collect(Collectors.toList());
            WriterSchema again = WriterSchema.ofDescriptors(files.get(0), files);

            assertThat(again.message(written.getMessageName())).isEqualTo(linked().message(name));
        }
    }

    @Test
    void beginWithTheFileOfTheMessageAndHoldNoOtherThanItsImports() throws Exception {
        assertThat(linked().descriptors("shop.Order").getFilesCount()).isEqualTo(3);
        assertThat(linked().descriptors("shop.Buyer").getFilesCount()).isEqualTo(2);
        assertThat(linked().descriptors("shop.Buyer").getFiles(0).toStringUtf8())
                .contains("buyer.proto");
    }
}
