package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.policy.DryRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The answer to a dry run, as nodes tell each other. */
class ForecastTest {
  private static final Question<DryRun.Forecast> QUESTION = new Question.TryOut("api/user", "{}");

  private static DryRun.Forecast forecast(long notRemembered) {
    return new DryRun.Forecast(
        9, 5, 10, List.of(new DryRun.KeyForecast("user=1", 9, 5)), notRemembered);
  }

  @Test
  void read_whatWasWritten_isTheSame() {
    for (long notRemembered : new long[] {0, 3}) {
      byte[] bytes = Response.answered(QUESTION, forecast(notRemembered));
      assertThat(Response.read(QUESTION, bytes))
          .isEqualTo(new Response.Answered<>(forecast(notRemembered)));
    }
  }

  /** A node of an older version does not know it, and refuses what it does not know. */
  @Test
  void answered_nothingForgotten_isAsOlderNodesReadIt() {
    int longer = Response.answered(QUESTION, forecast(3)).length;
    assertThat(Response.answered(QUESTION, forecast(0))).hasSize(longer - Long.BYTES);
  }
}
