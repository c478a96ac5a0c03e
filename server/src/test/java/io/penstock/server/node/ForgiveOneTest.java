package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.policy.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one scope is forgiven, others of its tier still owe. */
@Timeout(10)
class ForgiveOneTest {
  private final Bench bench = new Bench();

  @Test
  void forgive_oneOfATier_othersGoOnUnderTheirRule() {
    bench.tier("free", "{\"limits\":[\"20/day\"]}");
    List<String> documents =
        List.of("{\"tier\":\"free\"}", "{\"tier\":\"free\",\"override\":{\"class\":\"b\"}}");
    for (int i = 0; i < 4; i++) {
      bench.policy("api/user=u" + i, documents.get(i / 2));
      bench.check(15, "user", "u" + i);
    }
    bench.tier("free", "{\"limits\":[\"10/day\"]}");
    bench.node.policies().forgive(Kind.POLICY, "api/user=u0");
    for (int i = 1; i < 4; i++) {
      Answer answer = bench.check(1, "user", "u" + i);
      assertThat(answer.allowed()).as("u" + i).isFalse();
      assertThat(answer.retryAfterNanos()).as("u" + i).isGreaterThan(86_400_000_000_000L / 2);
    }
    assertThat(bench.check(1, "user", "u0").retryAfterNanos()).isEqualTo(86_400_000_000_000L / 10);
  }
}
