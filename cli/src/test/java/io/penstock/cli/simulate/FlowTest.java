package io.penstock.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlowTest {
  private static Flow at(long... instants) {
    return Flow.of(Arrays.stream(instants).mapToObj(instant -> new Arrival(instant, 1)).toList());
  }

  @Test
  void peak_halfOpenWindow_leavesOutWhatIsAWholeWindowOld() {
    assertThat(at(0, 10).peak(10).units()).isEqualTo(1);
    assertThat(at(1, 10).peak(10)).isEqualTo(new Peak(2, 1, 10, 10));
    assertThat(at(0, 0, 20, 21, 22).peak(10)).isEqualTo(new Peak(3, 20, 22, 10));
    assertThat(at().peak(10).units()).isZero();
  }

  @Test
  void peak_units_countNotRequests() {
    Flow flow = Flow.of(List.of(new Arrival(0, 1), new Arrival(1, 1), new Arrival(50, 7)));
    assertThat(flow.peak(10)).isEqualTo(new Peak(7, 50, 50, 10));
  }

  @Test
  void peakWindow_centred_holdsAllOfThePeak() {
    Peak peak = at(59, 59, 61, 61).peak(60);
    assertThat(peak.middleNanos()).isEqualTo(60);
    assertThat(peak.fromNanos()).isEqualTo(30);
    assertThat(peak.toNanos()).isEqualTo(90);
  }

  @Test
  void fano_evenAndLumpy_differ() {
    assertThat(at(5, 15, 25, 35).fano(10, 40)).isZero();
    // 4 in one of 4 stretches: mean 1, variance (16 - 4) / 4.
    assertThat(at(5, 5, 5, 5).fano(10, 40)).isCloseTo(3, within(1e-12));
    assertThat(at(5, 15, 25, 40).fano(10, 20))
        .as("one of five is empty")
        .isCloseTo(0.2, within(1e-12));
    assertThat(at().fano(10, 40)).isNaN();
    assertThat(at(5, 5, 5).fano(10, 10)).as("nothing to compare with").isNaN();
  }

  @Test
  void perBin_instants_fallIntoTheirBins() {
    Timeline timeline = new Timeline(40, 10, 4);
    assertThat(at(0, 9, 10, 39, 40).perBin(timeline)).containsExactly(2, 1, 0, 2);
  }

  @Test
  void windowPerBin_peakWithinABin_isNotLost() {
    Timeline timeline = new Timeline(50, 10, 5);
    assertThat(at(1, 2, 12).windowPerBin(timeline, 10)).containsExactly(2, 2, 1, 0, 0);
    assertThat(at(1, 2, 11).windowPerBin(timeline, 10)).containsExactly(2, 2, 1, 0, 0);
    assertThat(at(1, 2, 9).windowPerBin(timeline, 20)).containsExactly(3, 3, 3, 0, 0);
  }
}
