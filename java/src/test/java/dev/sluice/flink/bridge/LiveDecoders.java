package dev.sluice.flink.bridge;

/** How many decoders and encoders are open in native code, for tests of other packages. */
public final class LiveDecoders {
    private LiveDecoders() {}

    public static long count() {
        return NativeLibrary.liveDecoders();
    }
}
