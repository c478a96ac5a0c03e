package io.penstock.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogsTest {
  private static LogRecord event(Level level, String message) {
    LogRecord event = new LogRecord(level, message);
    event.setLoggerName("io.penstock.Some");
    return event;
  }

  @Test
  void format_json_isOneLineWhateverTheMessage() throws Exception {
    LogRecord event = event(Level.WARNING, "line one\nline \"two\"\u0000");
    event.setThrown(new IllegalStateException("broken"));
    String line = new LogFormatter(/* json= */ true).format(event);
    assertThat(line).endsWith("}\n").hasLineCount(1);
    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(json.path("level").asText()).isEqualTo("warning");
    assertThat(json.path("logger").asText()).isEqualTo("io.penstock.Some");
    assertThat(json.path("message").asText()).isEqualTo("line one\nline \"two\"\u0000");
    assertThat(json.path("exception").asText()).contains("IllegalStateException: broken");
    assertThat(json.path("time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
  }

  @Test
  void format_text_readsAsASentence() {
    assertThat(new LogFormatter(/* json= */ false).format(event(Level.INFO, "it is {0}")))
        .matches("\\S+Z info    it is \\{0\\}\\R");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: Bearer s3cret-s3cret",
        "authorization=s3cret-s3cret",
        "x-api-key: s3cret-s3cret",
        "{\"apiKey\":\"s3cret-s3cret\"}",
        "--api-key=s3cret-s3cret",
        "password='s3cret-s3cret'",
        "bearer s3cret-s3cret, and more"
      })
  void format_secret_isBlackedOut(String message) {
    LogRecord event = event(Level.INFO, message);
    event.setThrown(new IllegalStateException(message));
    assertThat(new LogFormatter(/* json= */ true).format(event))
        .doesNotContain("s3cret")
        .contains("***");
  }
}
