package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Timestamp;

import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Collectors;

class MessageClassTest {

    private static final ClassLoader LOADER = MessageClassTest.class.getClassLoader();

    @Test
    void descriptorsAreReadByMethodNameFromClassesOfAnyPackage() {
        MessageClass moved = MessageClass.load("message-class-name", Moved.class.getName(), LOADER);
        MessageClass original =
                MessageClass.load("message-class-name", Timestamp.class.getName(), LOADER);

        assertThat(moved.descriptors()).isEqualTo(original.descriptors());
        assertThat(moved.resolved()).isEqualTo(original.resolved());
        assertThat(moved.isProto3()).isTrue();
        assertThat(moved).isNotEqualTo(original); // another class name
    }

    @Test
    void aNestedMessageOfAProto2FileIsFound() {
        MessageClass message =
                MessageClass.load(
                        "message-class-name",
                        DescriptorProtos.DescriptorProto.ExtensionRange.class.getName(),
                        LOADER);
        assertThat(message.descriptors().getMessageName())
                .isEqualTo("google.protobuf.DescriptorProto.ExtensionRange");
        assertThat(message.isProto3()).isFalse();
    }

    @Test
    void theContextClassLoaderServesWhereThePlannersHasNoSuchClass() {
        ClassLoader bare = ClassLoader.getPlatformClassLoader();
        assertThat(
                        MessageClass.load("message-class-name", Timestamp.class.getName(), bare)
                                .isProto3())
                .isTrue();
    }

    @Test
    void aClassWhoseInitializerFailsIsRefusedWithItsCause() {
        assertThatThrownBy(
                        () ->
                                MessageClass.load(
                                        "message-class-name", Broken.class.getName(), LOADER))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'message-class-name': " + Broken.class.getName())
                .hasStackTraceContaining("made for another release");
    }

    /** What a relocated protobuf-java looks like: the same methods on classes of other names. */
    public static final class Moved {
        public static MovedDescriptor getDescriptor() {
            return new MovedDescriptor();
        }
    }

    public static final class MovedDescriptor {
        public String getFullName() {
            return Timestamp.getDescriptor().getFullName();
        }

        public List<Object> getNestedTypes() {
            return List.of();
        }

        public MovedFile getFile() {
            return new MovedFile(Timestamp.getDescriptor().getFile());
        }
    }

    public static final class MovedFile {
        private final Descriptors.FileDescriptor file;

        MovedFile(Descriptors.FileDescriptor file) {
            this.file = file;
        }

        public MovedProto toProto() {
            return new MovedProto(file.toProto().toByteArray());
        }

        public List<MovedFile> getDependencies() {
            return file.getDependencies().stream().map(MovedFile::new).collect(Collectors.toList());
        }
    }

    public static final class MovedProto {
        private final byte[] bytes;

        MovedProto(byte[] bytes) {
            this.bytes = bytes;
        }

        public byte[] toByteArray() {
            return bytes;
        }
    }

    /** As protobuf-java's own guard does with classes of a newer protoc. */
    public static final class Broken {
        static {
            if (LOADER != null) {
                throw new IllegalStateException("made for another release");
            }
        }

        public static MovedDescriptor getDescriptor() {
            return new MovedDescriptor();
        }
    }
}
