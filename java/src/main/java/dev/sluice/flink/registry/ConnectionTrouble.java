package dev.sluice.flink.registry;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;

import javax.net.ssl.SSLException;

/** Says in words why an attempt brought no answer; the JDK's exceptions often have no message. */
final class ConnectionTrouble {
    private ConnectionTrouble() {}

    /** A phrase that continues a sentence which begins with the URL. */
    static String describe(IOException e) {
        if (e instanceof HttpConnectTimeoutException) {
            return "did not accept the connection in time";
        }
        if (e instanceof HttpTimeoutException) {
            return "did not answer completely in time";
        }
        if (hasCause(e, UnresolvedAddressException.class)
                || hasCause(e, UnknownHostException.class)) {
            return "is a host that cannot be resolved";
        }
        if (e instanceof ConnectException) {
            return "cannot be connected to" + detail(e);
        }
        if (hasCause(e, SSLException.class)) {
            return "has no acceptable TLS" + detail(e) + root(e);
        }
        return "broke the connection" + detail(e);
    }

    private static boolean hasCause(Throwable e, Class<? extends Throwable> type) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    /** Of an expired certificate only the last cause says so, and when. */
    private static String root(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof CertificateException && root.getMessage() != null
                ? ": " + root.getClass().getSimpleName() + ", " + root.getMessage()
                : "";
    }

    private static String detail(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                return " (" + cause.getMessage() + ")";
            }
        }
        return "";
    }
}
