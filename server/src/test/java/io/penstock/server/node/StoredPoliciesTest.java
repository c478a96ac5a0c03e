package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.policy.Change;
import io.penstock.server.policy.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** Policies that an earlier version has stored, and that this one would refuse. */
class StoredPoliciesTest {
  private static final String SEVERAL =
      "{\"limits\":[\"5 concurrent lease 10s\",\"9/day\",\"6 concurrent lease 20s\"]}";

  private final Bench bench = new Bench();
  private final List<String> told = new ArrayList<>();

  private void stored(Kind kind, String name, String document, long revision) {
    Change change = new Change(kind, name, revision, revision, Instant.EPOCH, "test", document, "");
    bench.node.policies().load(reader -> reader.accept(change));
  }

  private Handler listening() {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        told.add(new SimpleFormatter().formatMessage(record));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void load_policyOfSeveralConcurrentLimits_countsTheFirstAndSaysSo() {
    Logger log = Logger.getLogger(Uncounted.class.getName());
    Handler handler = listening();
    log.addHandler(handler);
    try {
      stored(Kind.TIER, "free", SEVERAL, 1);
      stored(Kind.POLICY, "api/user", "{\"tier\":\"free\"}", 2);
      stored(Kind.POLICY, "api/job", SEVERAL, 3);
    } finally {
      log.removeHandler(handler);
    }
    for (String key : List.of("user", "job")) {
      assertThat(bench.check(5, key, "x").remaining()).as(key).isZero();
      assertThat(bench.check(1, key, "x").allowed()).as(key).isFalse();
    }
    String problem = "limits[2]: 6 concurrent lease 20s (expected: one concurrent limit)";
    assertThat(told)
        .containsExactly(
            "tier free: of its concurrent limits the first one counts: " + problem,
            "policy api/job: of its concurrent limits the first one counts: " + problem);
  }
}
