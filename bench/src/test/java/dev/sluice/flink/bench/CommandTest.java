package dev.sluice.flink.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

/** The arguments of {@code ./dev bench}. */
class CommandTest {
    @Test
    void quickLeavesJobsOut() {
        assertThat(Command.parse(List.of()).runs())
                .contains(new Command.Run("nested", "decode"))
                .doesNotContain(new Command.Run("flat", "job-pass"))
                .doesNotContain(new Command.Run("flat", "kafka-500"));
        assertThat(Command.parse(List.of("--full")).runs())
                .contains(new Command.Run("flat", "job-pass"))
                .contains(new Command.Run("nested", "kafka-500"));
    }

    @Test
    void selectsFromAllThatThereIs() {
        Command command = Command.parse(List.of("--payload", "flat,wide", "--path", "decode-cold"));
        assertThat(command.runs())
                .containsExactly(
                        new Command.Run("flat", "decode-cold"),
                        new Command.Run("wide", "decode-cold"));
        assertThat(command.settings()).isEqualTo(Settings.QUICK);
    }

    @Test
    void keepsAndMergesWithoutMeasuringAgain() {
        Command command = Command.parse(List.of("--merge", "arrow.json", "--record"));
        assertThat(command.runs()).isEmpty();
        assertThat(command.merged()).containsExactly(Path.of("arrow.json"));
        assertThat(command.isKept()).isTrue();
    }

    @Test
    void measuresAMessageOfTheUsersAlone() {
        Command command =
                Command.parse(
                        List.of(
                                "--proto",
                                "shop.proto",
                                "--message",
                                "shop.v1.OrderLine",
                                "--records",
                                "lines.bin",
                                "--path",
                                "decode"));
        assertThat(command.runs()).containsExactly(new Command.Run("orderline", "decode"));
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatThrownBy(() -> Command.parse(List.of("--fast"))).hasMessage("what is --fast?");
        assertThatThrownBy(() -> Command.parse(List.of("--payload", "flet")))
                .hasMessage("no payload and path of these names");
        assertThatThrownBy(() -> Command.parse(List.of("--proto", "shop.proto")))
                .hasMessage("--proto wants --message");
    }
}
