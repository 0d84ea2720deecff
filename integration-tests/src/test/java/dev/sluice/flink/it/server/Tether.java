package dev.sluice.flink.it.server;

import java.io.IOException;

/**
 * Main class of a child process that must not outlive its parent: runs another main class and halts
 * when standard input ends. The parent holds the other end of that pipe and never writes, so the
 * system closes it however the parent dies.
 */
public final class Tether {
    private Tether() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(Tether::awaitParent, "tether");
        watch.setDaemon(true);
        watch.start();
        Class.forName(arguments[0])
                .getMethod("main", String[].class)
                .invoke(null, (Object) new String[0]);
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
