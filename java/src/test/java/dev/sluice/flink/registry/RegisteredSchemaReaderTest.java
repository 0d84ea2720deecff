package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.UUID;

class RegisteredSchemaReaderTest {
    private static RegisteredSchema read(String json) throws IOException {
        RegistryUrl url = RegistryUrl.list("http://a").get(0);
        return RegisteredSchemaReader.read(
                new Answer(url, 200, null, json.getBytes(StandardCharsets.UTF_8)), "/path");
    }

    @Test
    void readsWhatItNeedsAndSkipsTheRest() throws IOException {
        RegisteredSchema schema =
                read(
                        """
                        {"novelty": {"schema": [1, {"x": null}]}, "schemaType": "PROTOBUF",
                         "metadata": {"properties": {"schema": "no"}}, "ts": 1,
                         "schema": "syntax = \\"proto3\\";", "subject": ":.c:orders-value",
                         "references": [
                           {"name": "a.proto", "subject": "a", "version": 2, "novelty": []},
                           {"name": "b.proto", "subject": null}]}
                        """);
        assertThat(schema.type()).isEqualTo("PROTOBUF");
        assertThat(schema.text()).isEqualTo("syntax = \"proto3\";");
        assertThat(schema.subject()).isEqualTo(":.c:orders-value");
        assertThat(schema.readRules()).isEmpty();
        assertThat(schema.references()).hasSize(2);
        assertThat(schema.references().get(0))
                .hasToString("reference 'a.proto' (subject 'a', version 2)");
        assertThat(schema.references().get(1).isComplete()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"schema\": \"x\"}",
                "{\"schema\": \"x\", \"schemaType\": null, \"references\": null, \"ruleSet\": null}"
            })
    void aMissingTypeIsAvro(String json) throws IOException {
        assertThat(read(json).type()).isEqualTo("AVRO");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "<html>",
                "{}",
                "{\"schema\": 7}",
                "{\"schema\": null}",
                "{\"schema\": \"x\"",
                "{\"schema\": \"x\", \"references\": 1}",
                "{\"schema\": \"x\", \"references\": [1]}",
                "{\"schema\": \"x\", \"references\": [{\"version\": \"1\"}]}",
                "{\"schema\": \"x\", \"ruleSet\": []}"
            })
    void refusesAnAnswerOfAnotherShape(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "domainRules, \"mode\": \"READ\", true",
                "domainRules, \"mode\": \"WRITEREAD\", true",
                "encodingRules, \"mode\": \"WRITEREAD\", true",
                "domainRules, \"type\": \"CEL\", true",
                "domainRules, \"mode\": \"WRITE\", false",
                "domainRules, |\"mode\": \"READ\", \"disabled\": true|, false",
                "migrationRules, \"mode\": \"UPGRADE\", false",
                "migrationRules, \"mode\": \"READ\", false"
            })
    void keepsTheRulesThatAReaderWouldHaveToRun(String kind, String rule, boolean kept)
            throws IOException {
        String rules = "{\"" + kind + "\": [{\"name\": \"r\", \"params\": {}, " + rule + "}]}";
        assertThat(read("{\"schema\": \"x\", \"ruleSet\": " + rules + "}").readRules())
                .hasSize(kept ? 1 : 0);
    }

    @Test
    void aGuidThatIsNotToldFollowsFromTextAndReferences() throws IOException {
        String plain = "\"id\": 7, \"schema\": \"message M {}\", \"ruleSet\": null";
        String references =
                ", \"references\": [{\"name\": \"a\", \"subject\": \"b\", \"version\": 258}]";
        assertThat(guid("{" + plain + "}")).hasValue(md5("message M {}"));
        assertThat(guid("{" + plain + references + "}"))
                .hasValue(md5("message M {}ab\0\0\u0001\u0002"));
        assertThat(guid("{" + plain + ", \"metadata\": {}}")).isEmpty();
        assertThat(guid("{" + plain.replace("null", "{}") + "}")).isEmpty();
        assertThat(guid("{" + plain + ", \"guid\": \"01020304-0506-0708-090a-0b0c0d0e0f10\"}"))
                .hasValue(UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10"));
    }

    private static Optional<UUID> guid(String json) throws IOException {
        return read(json).origin().guid();
    }

    private static UUID md5(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            ByteBuffer digest = ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(bytes));
            return new UUID(digest.getLong(), digest.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
