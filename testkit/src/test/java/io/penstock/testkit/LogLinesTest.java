package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class LogLinesTest {
  @Test
  @SuppressWarnings("NullAway")
  void listen_nothingGiven_isRefusedByName() {
    assertThatNullPointerException()
        .isThrownBy(() -> new LogLines("", null))
        .withMessage("least: null (expected: a level)");
    assertThatNullPointerException()
        .isThrownBy(() -> new LogLines(null, Level.ALL))
        .withMessage("name: null (expected: a name, or an empty text)");
  }
}
