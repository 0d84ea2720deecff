import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;

import io.apicurio.registry.serde.protobuf.ProtobufKafkaDeserializer;
import io.apicurio.registry.serde.protobuf.ProtobufKafkaSerializer;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * Apicurio's own Java serializer and deserializer, run by the tests as a process from this source.
 *
 * <p>Arguments: the registry, a topic, the generated class of its messages (a record that names its
 * message by indexes is read in no other way), and whether schemas may be registered. Each line of
 * standard input is a record value in base64; for each one line is printed: the message that was
 * read, a tab, and the same message written again, in base64.
 */
public final class ApicurioClient {
    private ApicurioClient() {}

    /** See the class. */
    public static void main(String[] args) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("apicurio.registry.url", args[0]);
        settings.put("apicurio.registry.auto-register", args[3]);
        settings.put("apicurio.registry.auto-register.if-exists", "FIND_OR_CREATE_VERSION");
        settings.put("apicurio.registry.find-latest", !Boolean.parseBoolean(args[3]));
        settings.put("apicurio.registry.deserializer.value.return-class", args[2]);
        // as Confluent's clients frame their records
        settings.put("apicurio.registry.serde.read-indexes", true);
        settings.put("apicurio.registry.serde.send-indexes", true);
        settings.put("apicurio.registry.serde.read-type-ref", false);
        settings.put("apicurio.registry.serde.send-type-ref", false);
        // its check takes a map for another field than the one that the registry has
        settings.put("apicurio.registry.serde.validation-enabled", false);
        ProtobufKafkaDeserializer<Message> reader = new ProtobufKafkaDeserializer<>();
        reader.configure(settings, false);
        ProtobufKafkaSerializer<Message> writer = new ProtobufKafkaSerializer<>();
        writer.configure(settings, false);
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Message message = reader.deserialize(args[1], Base64.getDecoder().decode(line));
            String text = TextFormat.printer().emittingSingleLine(true).printToString(message);
            byte[] again = writer.serialize(args[1], message);
            System.out.println(text + "\t" + Base64.getEncoder().encodeToString(again));
        }
        System.exit(0); // the client leaves threads behind
    }
}
