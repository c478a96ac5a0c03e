package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.cluster.Fault.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FaultTest {
  private static final int KINDS = Kind.values().length;

  private static Fault fault(Kind kind) {
    return new Fault(kind, 0, /* millis= */ 1, /* lateMillis= */ 7, /* isAhead= */ false);
  }

  @Test
  void draw_sameSeed_isTheSameAndHasEveryKindBeforeOneComesAgain() {
    List<Fault> faults = Fault.draw(new Random(1), 2 * KINDS);
    assertThat(Fault.draw(new Random(1), 2 * KINDS)).isEqualTo(faults);
    assertThat(faults.subList(0, KINDS)).extracting(Fault::kind).doesNotHaveDuplicates();
    assertThat(faults.subList(KINDS, 2 * KINDS)).extracting(Fault::kind).doesNotHaveDuplicates();
  }

  @Test
  void delay_linkThatIsSlow_isThatOfTheNodeInOneDirectionOrBoth() {
    Duration late = Duration.ofMillis(7);
    assertThat(fault(Kind.SLOW).delay(1, 1, 0)).isEqualTo(late);
    assertThat(fault(Kind.SLOW).delay(1, 0, 1)).isEqualTo(late);
    assertThat(fault(Kind.SLOW).delay(1, 0, 2)).isZero();
    assertThat(fault(Kind.HEARD_LATE).delay(1, 1, 0)).isEqualTo(late);
    assertThat(fault(Kind.HEARD_LATE).delay(1, 0, 1)).isZero();
  }

  @Test
  void delay_linkThatIsCut_outlastsEveryFault() {
    assertThat(fault(Kind.MUTE).delay(1, 1, 0)).isGreaterThan(Duration.ofHours(1));
    assertThat(fault(Kind.MUTE).delay(1, 0, 1)).isZero();
    assertThat(fault(Kind.PARTED).delay(1, 2, 1)).isGreaterThan(Duration.ofHours(1));
    assertThat(fault(Kind.PARTED).delay(1, 0, 1)).isZero();
  }
}
