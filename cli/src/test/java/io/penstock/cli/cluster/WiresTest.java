package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Wires that hold nothing up would prove nothing. */
@Timeout(60)
class WiresTest {
  private static final Duration LATE = Duration.ofMillis(50);

  /** How long a byte takes from one node to another at the least, and its answer back. */
  private record Times(Duration there, Duration back) {}

  private static Times measure(Wires.Delay delay) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket first = new ServerSocket(0, /* backlog= */ 1, here);
        ServerSocket second = new ServerSocket(0, /* backlog= */ 1, here);
        Wires wires = new Wires(List.of(first.getLocalPort(), second.getLocalPort()));
        Socket caller = new Socket(here, wires.port(0, 1));
        Socket callee = second.accept()) {
      wires.delay(delay);
      long start = System.nanoTime();
      caller.getOutputStream().write(1);
      assertThat(callee.getInputStream().read()).isEqualTo(1);
      long arrived = System.nanoTime();
      callee.getOutputStream().write(2);
      assertThat(caller.getInputStream().read()).isEqualTo(2);
      long returned = System.nanoTime();
      return new Times(Duration.ofNanos(arrived - start), Duration.ofNanos(returned - arrived));
    }
  }

  @Test
  void delay_bothWays_holdsUpEveryByte() throws IOException {
    Times times = measure((from, to) -> LATE);
    assertThat(times.there).isGreaterThanOrEqualTo(LATE);
    assertThat(times.back).isGreaterThanOrEqualTo(LATE);
  }

  @Test
  void delay_oneWay_holdsUpThatOne() throws IOException {
    assertThat(measure((from, to) -> from == 0 ? LATE : Duration.ZERO).there)
        .isGreaterThanOrEqualTo(LATE);
    assertThat(measure((from, to) -> from == 1 ? LATE : Duration.ZERO).back)
        .isGreaterThanOrEqualTo(LATE);
  }
}
