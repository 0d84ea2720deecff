package dev.sluice.flink.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** SQL types as the table names them: lengths, precisions and columns become letters. */
final class SqlNames {

    static String of(List<String> types) {
        List<String> left = new ArrayList<>(types);
        if (left.contains("DECIMAL(20, 0)") && left.remove("DECIMAL(10, 2)")) {
            left.replaceAll(type -> type.equals("DECIMAL(20, 0)") ? "DECIMAL(p, s)" : type);
        }
        return left.stream()
                .map(type -> "`" + name(type.replaceFirst("\\|.*", "")) + "`")
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static String name(String type) {
        switch (type) {
            case "CHAR(3)":
                return "CHAR(n)";
            case "STRING":
                return "VARCHAR(n)";
            case "BINARY(3)":
                return "BINARY(n)";
            case "BYTES":
                return "VARBINARY(n)";
            default:
                return type.startsWith("ROW<") ? "ROW<…>" : type.replace("(3)", "(p)");
        }
    }

    private SqlNames() {}
}
