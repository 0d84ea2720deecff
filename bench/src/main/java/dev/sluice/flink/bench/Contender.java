package dev.sluice.flink.bench;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * One of those who are compared.
 *
 * @param name as the results call it
 * @param work what is timed
 */
record Contender(String name, Work work) {

    /** A way through batches of records, driven by {@link Rounds}. */
    interface Work {
        /** Makes ready what {@link #run} consumes; not timed. */
        default void prepare(int batch) throws Exception {}

        void run(int batch) throws Exception;
    }

    /**
     * A contender with its own copy of a loop. The JIT compiler keeps what it learns about a call
     * with the method that holds it: in one loop for all it would find as many receivers as there
     * are contenders, and inline none of them.
     *
     * @param loop has one constructor
     * @param arguments of the constructor
     */
    static Contender withOwnLoop(String name, Class<? extends Work> loop, Object... arguments)
            throws ReflectiveOperationException, IOException {
        byte[] code;
        try (InputStream in = loop.getResourceAsStream(loop.getSimpleName() + ".class")) {
            code = in.readAllBytes();
        }
        MethodHandles.Lookup copy = MethodHandles.lookup().defineHiddenClass(code, true);
        Class<?>[] parameters = loop.getDeclaredConstructors()[0].getParameterTypes();
        try {
            Object work =
                    copy.findConstructor(
                                    copy.lookupClass(),
                                    MethodType.methodType(void.class, parameters))
                            .invokeWithArguments(arguments);
            return new Contender(name, (Work) work);
        } catch (ReflectiveOperationException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
