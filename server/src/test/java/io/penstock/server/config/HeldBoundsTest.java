package io.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.Bounds;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No more may be asked for than what is held can tell: counts are bytes, texts have 64 kB. */
class HeldBoundsTest {
  private static Bounds bounds(Map<Setting, String> flags) {
    return ServerConfig.read(flags, /* config= */ null, Map.of()).bounds();
  }

  @ParameterizedTest
  @CsvSource({
    "MAX_DESCRIPTORS,256,a number in 1..255",
    "MAX_ENTRIES,256,a number in 1..255",
    "MAX_KEY,33kB,'a size like 64MB, in 1b..32kb'",
    "MAX_VALUE,33kB,'a size like 64MB, in 1b..32kb'"
  })
  void bound_beyondWhatCanBeHeld_isRefused(Setting setting, String value, String expected) {
    assertThatThrownBy(() -> bounds(Map.of(setting, value)))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessage(setting.key() + ": " + value + " (expected: " + expected + ")");
  }

  @Test
  void bounds_asLargeAsCanBeHeld_areTaken() {
    Bounds most = bounds(Map.of(Setting.MAX_DESCRIPTORS, "255", Setting.MAX_VALUE, "32kB"));
    assertThat(most.descriptors()).isEqualTo(255);
    assertThat(most.valueLength()).isEqualTo(32 << 10);
  }
}
