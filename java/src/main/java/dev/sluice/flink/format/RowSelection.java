package dev.sluice.flink.format;

import dev.sluice.flink.row.RowOpener;

import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which columns are decoded for a projection, and how the produced row is made of them.
 *
 * <p>Columns are found in a message by name, so a nested field keeps its place in its ROW column:
 * {@code line.sku} is decoded as {@code line ROW<sku>}, the other fields of {@code line} left out,
 * and picked from there afterwards.
 */
public final class RowSelection {

    private final RowType decoded;
    private final int[][] paths;
    private final boolean picking;

    private RowSelection(RowType decoded, int[][] paths, boolean picking) {
        this.decoded = decoded;
        this.paths = paths;
        this.picking = picking;
    }

    /**
     * @param projections per produced column the indexes that lead to it from the root of {@code
     *     physical}, as Flink's {@code ProjectableDecodingFormat} gives them
     */
    public static RowSelection of(RowType physical, int[][] projections) {
        return of(physical, projections, List.of());
    }

    /**
     * @param metadata keys of {@link ReadableMetadata} that the produced row ends with
     */
    public static RowSelection of(RowType physical, int[][] projections, List<String> metadata) {
        Branch root = new Branch();
        boolean nested = false;
        for (int[] path : projections) {
            nested |= path.length > 1;
            root.add(path, 0);
        }
        // A column that is asked for twice is decoded once.
        boolean repeated = root.children.size() < projections.length;
        int[][] paths =
                Arrays.stream(projections).map(path -> root.moved(path)).toArray(int[][]::new);
        RowType pruned = (RowType) root.prune("", physical);
        List<RowType.RowField> fields = new ArrayList<>(pruned.getFields());
        List<int[]> all = new ArrayList<>(Arrays.asList(paths));
        for (RowType.RowField field : ReadableMetadata.fields(metadata, pruned)) {
            all.add(new int[] {fields.size()});
            fields.add(field);
        }
        RowType decoded = new RowType(pruned.isNullable(), fields);
        return new RowSelection(decoded, all.toArray(new int[0][]), nested || repeated);
    }

    /** The row to decode. */
    public RowType decoded() {
        return decoded;
    }

    /**
     * Makes produced rows of decoded ones.
     *
     * @param binary whether rows should be binary; picked rows never are
     */
    public RowOpener opener(boolean binary) {
        if (picking) {
            return RowOpener.picking(decoded, paths);
        }
        return binary ? RowOpener.binary(decoded) : RowOpener.generic(decoded);
    }

    /** A ROW of which some fields are wanted, in the order in which they were first asked for. */
    private static final class Branch {

        private final Map<Integer, Branch> children = new LinkedHashMap<>();
        private boolean whole;

        void add(int[] path, int from) {
            if (from == path.length) {
                whole = true;
                return;
            }
            children.computeIfAbsent(path[from], index -> new Branch()).add(path, from + 1);
        }

        /** The path in the pruned row. */
        int[] moved(int[] path) {
            int[] moved = path.clone();
            Branch branch = this;
            for (int step = 0; step < path.length && !branch.whole; step++) {
                moved[step] = new ArrayList<>(branch.children.keySet()).indexOf(path[step]);
                branch = branch.children.get(path[step]);
            }
            return moved;
        }

        LogicalType prune(String path, LogicalType type) {
            if (whole) {
                return type;
            }
            if (!(type instanceof RowType)) {
                throw new ValidationException(
                        String.format(
                                "Column '%s' of type %s has no nested fields to project.",
                                path, type.asSummaryString()));
            }
            List<RowType.RowField> kept = new ArrayList<>();
            children.forEach(
                    (index, child) -> {
                        RowType.RowField field = ((RowType) type).getFields().get(index);
                        String column =
                                path.isEmpty() ? field.getName() : path + "." + field.getName();
                        kept.add(
                                new RowType.RowField(
                                        field.getName(), child.prune(column, field.getType())));
                    });
            return new RowType(type.isNullable(), kept);
        }
    }
}
