package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.state.Rules;
import io.penstock.server.node.Heat;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Rates are read every second, as long as the server lives. */
class ThermometerTest {
  private final ManualClock clock = new ManualClock();
  private final Heat heat = new PolicyDesk(new Rules(), new Node.Secret(1, 2), clock).heat();

  @Test
  void thermometer_begun_readsWhatTheNodeOwnsUntilItIsClosed() {
    Thermometer thermometer = new Thermometer(heat, new Alone("n1", heat), clock);
    thermometer.begin();
    assertThat(heat.shards()).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(heat.shards()).hasSize(256);
    assertThat(clock.waiting()).isEqualTo(1);
    thermometer.close();
    clock.advance(Duration.ofSeconds(1));
    assertThat(clock.waiting()).isZero();
  }
}
