package dev.sluice.flink.it;

import org.apache.flink.table.functions.ScalarFunction;

/** The SQL function that tells whether a task can load a class. Never folded while planning. */
public final class LoadsClass extends ScalarFunction {
    private static final long serialVersionUID = 1L;

    public Boolean eval(String name) {
        try {
            Class.forName(name, false, Thread.currentThread().getContextClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public boolean isDeterministic() {
        return false;
    }
}
