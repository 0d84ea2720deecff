package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.engine.rowimage.RowImage;
import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** When two keys of a map are one, and the order of its entries. */
abstract class MapKeys {
    /** An object that equals that of another key exactly if the keys are one. */
    abstract Object identity(Object key);

    /**
     * The entries in the order in which they stand in the row.
     *
     * @param byIdentity in first-seen order
     */
    abstract <V> Map<Object, V> inOrder(Map<Object, V> byIdentity);

    /** CONFLUENT: keys are one if their canonical bytes are; first-seen order. */
    static MapKeys firstSeen(SqlType key) {
        return new FirstSeen(key);
    }

    /** FLINK: the order of a {@code java.util.HashMap} over Flink's internal keys. */
    static MapKeys hashed() {
        return new Hashed();
    }

    private static final class FirstSeen extends MapKeys {
        private final RowImage image; // of an array, where NaN is canonical as in the map

        FirstSeen(SqlType key) {
            SqlType array =
                    SqlType.newBuilder()
                            .setKind(SqlKind.ARRAY)
                            .setElement(key)
                            .setNullable(true)
                            .build();
            image =
                    new RowImage(
                            SqlType.newBuilder()
                                    .setKind(SqlKind.ROW)
                                    .addColumns(Column.newBuilder().setName("key").setType(array))
                                    .build());
        }

        @Override
        Object identity(Object key) {
            if (key instanceof Integer || key instanceof Long || key instanceof Boolean) {
                return key;
            }
            byte[] bytes =
                    key instanceof byte[]
                            ? (byte[]) key
                            : image.write(new Object[] {Collections.singletonList(key)});
            return ByteBuffer.wrap(bytes);
        }

        @Override
        <V> Map<Object, V> inOrder(Map<Object, V> byIdentity) {
            return byIdentity;
        }
    }

    private static final class Hashed extends MapKeys {
        @Override
        Object identity(Object key) {
            return key instanceof byte[] ? new TextKey((byte[]) key) : key;
        }

        @Override
        <V> Map<Object, V> inOrder(Map<Object, V> byIdentity) {
            Map<Object, V> hashed = new HashMap<>();
            // One by one, as Flink does: it grows on the way.
            byIdentity.forEach(
                    (key, value) -> {
                        boolean isText = key instanceof TextKey;
                        hashed.put(isText ? new PlacedText(key, hashed.size()) : key, value);
                    });
            return hashed;
        }
    }

    /**
     * A string key of which it is known that it comes once. Where a HashMap of Flink's strings asks
     * for their identity, which is another in each run, the later one is the greater one.
     */
    private static final class PlacedText implements Comparable<PlacedText> {
        private final int hash;
        private final int place;

        PlacedText(Object key, int place) {
            this.hash = key.hashCode();
            this.place = place;
        }

        @Override
        public int compareTo(PlacedText other) {
            return Integer.compare(place, other.place);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof PlacedText && ((PlacedText) other).place == place;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
