package dev.sluice.flink.it;

import org.apache.flink.table.functions.ScalarFunction;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * The SQL function {@code ON_ROW(name, id)}: the id, once the test has seen it. It runs in the task
 * that reads, so the next record is decoded after it returns: a test can change the world in
 * between.
 */
public final class OnRow extends ScalarFunction {
    private static final long serialVersionUID = 1L;
    private static final Map<String, LongConsumer> SEEING = new ConcurrentHashMap<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    /**
     * The call that shows the column {@code id} to {@code test}, for a statement of {@code sql}.
     */
    static String call(Sql sql, LongConsumer test) {
        sql.function("ON_ROW", OnRow.class);
        String name = "test-" + COUNT.incrementAndGet();
        SEEING.put(name, test);
        return "ON_ROW('" + name + "', id)";
    }

    public Long eval(String name, Long id) {
        SEEING.get(name).accept(id);
        return id;
    }

    @Override
    public boolean isDeterministic() {
        return false;
    }
}
