package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What strict policies answer where nothing can be kept: the shard has no folder (R10). */
class DiskAwayTest {
  private final Bench bench = new Bench();

  @Test
  void r10_strict_isDeniedButMayLookAndGiveBack() {
    bench.policy(
        "api/user", "{\"limits\":[\"10/day\"],\"consistency\":\"strict\",\"refunds\":true}");
    assertThat(bench.check(1, "user", "42").why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(10);
    assertThat(bench.check(-1, "user", "42").allowed()).isTrue();
  }

  @Test
  void r10_strictInShadow_isNeverDenied() {
    bench.policy("api/user", "{\"limits\":[\"1/day\"],\"consistency\":\"strict\",\"shadow\":true}");
    assertThat(bench.check(1, "user", "42").why()).isEqualTo(Why.OK);
    assertThat(bench.check(1, "user", "42").why()).isEqualTo(Why.SHADOW);
    assertThat(bench.check(1, "user", "42").allowed()).isTrue();
  }

  /** The check is decided while the disk seems to be there, and its answer waits when it is not. */
  @Test
  void r10_folderGoesWhileAStrictAnswerWaits_nobodyIsLetThrough(@TempDir Path folder)
      throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Bench stored = new Bench(data, new ManualClock());
    stored.policy("api/user", "{\"limits\":[\"1000/day\"],\"consistency\":\"strict\"}");
    CheckRequest request = CheckRequest.of("api", List.of(Descriptor.of("user", "42")), 1);
    assertThat(Bench.<Answer>kept(done -> stored.node.check(request, done)).durability())
        .isEqualTo(Durability.STRICT);
    Files.move(data, folder.resolve("away"));
    Answer answer;
    do {
      stored.clock.advance(Duration.ofSeconds(1));
      answer = Bench.kept(done -> stored.node.check(request, done));
    } while (answer.durability() == Durability.STRICT && answer.remaining() > 0);
    assertThat(answer.part().why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(answer.allowed()).isFalse();
    Files.move(folder.resolve("away"), data);
    stored.shard.close();
  }
}
