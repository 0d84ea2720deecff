package shop.v1;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Timestamp;

/** Stands in for what protoc would generate under the name that the user pages have as example. */
public final class OrderProtos {
    private OrderProtos() {}

    /** A message with the fields of a Timestamp. */
    public static final class Order {
        private Order() {}

        public static Descriptor getDescriptor() {
            return Timestamp.getDescriptor();
        }
    }
}
