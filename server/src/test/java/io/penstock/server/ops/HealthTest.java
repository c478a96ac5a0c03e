package io.penstock.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.ops.Health.Phase;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HealthTest {
  @Test
  void json_partInTrouble_isNamedUntilItIsOver() {
    Health health = new Health("n1");
    AtomicReference<String> disk = new AtomicReference<>();
    health.watch("disk", disk::get);
    health.watch("files", () -> null);
    assertThat(health.json())
        .isEqualTo(
            "{\"status\":\"ok\",\"phase\":\"loading\",\"node\":\"n1\","
                + "\"parts\":{\"disk\":\"ok\",\"files\":\"ok\"}}");
    disk.set("no space on \"device\"");
    assertThat(health.json())
        .contains("\"status\":\"degraded\"", "\"disk\":\"no space on \\\"device\\\"\"");
    assertThat(health.troubles()).containsOnlyKeys("disk");
    disk.set(null);
    assertThat(health.troubles()).isEmpty();
  }

  @Test
  void isReady_onlyBetweenLoadingAndDraining() {
    Health health = new Health("n1");
    assertThat(health.isReady()).isFalse();
    health.enter(Phase.READY);
    assertThat(health.isReady()).isTrue();
    health.enter(Phase.DRAINING);
    assertThat(health.isReady()).isFalse();
    assertThat(health.json()).contains("\"phase\":\"draining\"");
  }
}
