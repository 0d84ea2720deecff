package dev.sluice.flink.format;

import com.google.protobuf.ByteString;

import dev.sluice.flink.plan.WriterDescriptors;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Asks a generated class for its descriptors by method name alone. The class brings its own
 * protobuf-java, of any version from 3.21 on and under any package name, which is another one than
 * ours: no type of it is linked or cast to.
 */
final class DescriptorReflection {

    /**
     * The serialized descriptors of the message that this class was generated for.
     *
     * @throws ReflectiveOperationException if the class is none of a message
     * @throws LinkageError if the class does not fit the protobuf-java that it finds
     */
    static WriterDescriptors read(Class<?> generated) throws ReflectiveOperationException {
        Method getDescriptor = generated.getMethod("getDescriptor");
        if (!Modifier.isStatic(getDescriptor.getModifiers())) {
            throw new NoSuchMethodException("getDescriptor of " + generated + " is not static");
        }
        Object message = invoke(getDescriptor, null);
        // The outer class of a file and an enum have a getDescriptor too, for something else.
        message.getClass().getMethod("getNestedTypes");
        WriterDescriptors.Builder read =
                WriterDescriptors.newBuilder()
                        .setMessageName((String) call(message, "getFullName"));
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> left = new ArrayDeque<>(List.of(call(message, "getFile")));
        while (!left.isEmpty()) {
            Object file = left.remove();
            if (seen.add(file)) {
                byte[] bytes = (byte[]) call(call(file, "toProto"), "toByteArray");
                read.addFiles(ByteString.copyFrom(bytes));
                left.addAll((List<?>) call(file, "getDependencies"));
            }
        }
        return read.build();
    }

    private static Object call(Object target, String method) throws ReflectiveOperationException {
        return invoke(target.getClass().getMethod(method), target);
    }

    private static Object invoke(Method method, Object target) throws ReflectiveOperationException {
        try {
            return method.invoke(target);
        } catch (InvocationTargetException e) {
            // A static initializer that fails is a LinkageError; it tells more than its wrapper.
            if (e.getCause() instanceof LinkageError) {
                throw (LinkageError) e.getCause();
            }
            throw e;
        }
    }

    private DescriptorReflection() {}
}
