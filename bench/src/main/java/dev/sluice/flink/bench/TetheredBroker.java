package dev.sluice.flink.bench;

import java.io.IOException;
import java.io.PrintStream;

/**
 * Main class of the process that is a {@link KafkaBroker}: formats its folder, runs, and halts when
 * standard input ends, which it does however the parent dies. Only the JDK and Kafka's own jars are
 * on its class path.
 */
public final class TetheredBroker {
    private TetheredBroker() {}

    /**
     * @param arguments the file with its properties
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(TetheredBroker::awaitParent, "tether");
        watch.setDaemon(true);
        watch.start();
        Object code =
                Class.forName("kafka.tools.StorageTool")
                        .getMethod("execute", String[].class, PrintStream.class)
                        .invoke(
                                null,
                                new String[] {
                                    "format",
                                    "--cluster-id=c2x1aWNlLWJlbmNoLTAwMQ",
                                    "-c",
                                    arguments[0]
                                },
                                System.err);
        if (!code.equals(0)) {
            throw new IllegalStateException("formatting ended with " + code);
        }
        Class.forName("kafka.Kafka")
                .getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
    }

    private static void awaitParent() {
        try {
            while (System.in.read() >= 0) {
                // nothing is ever sent
            }
        } catch (IOException e) {
            // a broken pipe ends the parent's side as well
        }
        Runtime.getRuntime().halt(0);
    }
}
