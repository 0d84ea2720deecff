package dev.sluice.flink.it;

import dev.sluice.flink.it.server.FlinkCluster;

import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

import java.util.ArrayList;
import java.util.List;

/** SQL statements of one test, run on the shared cluster in a catalog of their own. */
final class Sql {
    private final TableEnvironment tables;

    Sql() {
        tables = FlinkCluster.shared().tables();
    }

    /** Statements of a client whose class loader is this one; the cluster does not get it. */
    Sql(ClassLoader client) {
        tables = FlinkCluster.shared().tables(client);
    }

    /** Configures the jobs of the statements to come. */
    Sql set(String key, String value) {
        tables.getConfig().set(key, value);
        return this;
    }

    /** Runs a DDL statement. */
    void run(String statement) {
        tables.executeSql(statement);
    }

    /** Runs a bounded INSERT to its end. */
    void insert(String statement) throws Exception {
        tables.executeSql(statement).await();
    }

    /** Makes a function of this class known to SQL. */
    void function(String name, Class<? extends UserDefinedFunction> function) {
        tables.createTemporarySystemFunction(name, function);
    }

    /** Runs a bounded query to its end: its rows as text, changes marked as in {@code +I[1, a]}. */
    List<String> rows(String query) throws Exception {
        List<String> rows = new ArrayList<>();
        try (CloseableIterator<Row> result = tables.executeSql(query).collect()) {
            result.forEachRemaining(row -> rows.add(row.toString()));
        }
        return rows;
    }
}
