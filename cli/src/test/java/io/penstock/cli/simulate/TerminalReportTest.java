package io.penstock.cli.simulate;

import static io.penstock.cli.simulate.ComparisonTest.BOUNDARY;
import static io.penstock.cli.simulate.ComparisonTest.compare;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalReportTest {
  private static final Terminal PLAIN = new Terminal(80, /* colour= */ false);

  @Test
  void lines_boundaryBurst_showTheNumbersOfEveryAlgorithm() {
    assertThat(TerminalReport.lines(compare("100/min", BOUNDARY), PLAIN))
        .startsWith(
            "limit    100/min",
            "traffic  " + BOUNDARY,
            "         200 requests in 3min, at most 200 in any 1min; seed 1")
        .contains(
            "gcra                         103   48.5%   97, 0s  103 = 1.03×▲  103  93.74",
            "leaky-queue                  104   48.0%   96, 0s  100 = 1.00×    10   6.23",
            "fixed-window                 200    0.0%        –  200 = 2.00×▲  200  93.33",
            "sliding-window-log           100   50.0%  100, 0s  100 = 1.00×   100  96.67",
            "sliding-window-counter       101   49.5%   99, 0s  101 = 1.01×▲  101  95.65");
  }

  @Test
  void lines_boundaryBurst_markTheFixedWindowAndNotTheLog() {
    List<String> lines = TerminalReport.lines(compare("100/min", BOUNDARY), PLAIN);
    int fixed = lines.lastIndexOf("fixed-window");
    int log = lines.lastIndexOf("sliding-window-log");
    int counter = lines.lastIndexOf("sliding-window-counter");
    assertThat(lines.subList(fixed, log))
        .contains(
            "    100 ┤                   ██",
            "                   └── 200 = 2.00× ───┘",
            "         0s        30s       1:00      1:30      2:00      2:30      3:00")
        .noneMatch(line -> line.startsWith(" denied"));
    assertThat(lines.subList(log, counter))
        .contains("    100 ┤                   █", " denied                      ▓")
        .noneMatch(line -> line.contains("┘"));
  }

  @ParameterizedTest
  @ValueSource(ints = {72, 80, 100, 160})
  void lines_anyWidth_fit(int columns) {
    Terminal terminal = new Terminal(columns, /* colour= */ false);
    Comparison comparison =
        compare(
            "10/s burst 20",
            "steady 4/s for 30s then ramp 4/s to 25/s for 60s and burst 40 every 20s for 100s");
    assertThat(TerminalReport.lines(comparison, terminal))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
  }

  @Test
  void lines_wideTerminal_haveAskedAndWait() {
    Terminal wide = new Terminal(120, /* colour= */ false);
    assertThat(TerminalReport.lines(compare("100/min", BOUNDARY), wide))
        .anyMatch(line -> line.matches("leaky-queue +200 +104 .* 30.8s, 59.8s"));
  }

  @Test
  void lines_colour_onlyWhereAsked() {
    Comparison comparison = compare("100/min", BOUNDARY);
    Terminal colourful = new Terminal(80, /* colour= */ true);
    assertThat(TerminalReport.lines(comparison, PLAIN)).noneMatch(line -> line.contains("\u001b"));
    List<String> coloured = TerminalReport.lines(comparison, colourful);
    assertThat(coloured).anyMatch(line -> line.contains("\u001b[1;33m200 = 2.00×▲\u001b[0m"));
    assertThat(coloured)
        .extracting(line -> line.replaceAll("\u001b\\[[0-9;]*m", "").stripTrailing())
        .isEqualTo(TerminalReport.lines(comparison, PLAIN));
  }

  @Test
  void lines_traffic_thatNeverComes_isFine() {
    assertThat(TerminalReport.lines(compare("10/s", "idle for 10s"), PLAIN))
        .contains("  Let nothing through. Denied nothing.");
  }

  @Test
  void terminal_columns_areAsAskedWithinBounds() {
    assertThat(Terminal.of(false, 100, "90").columns()).isEqualTo(100);
    assertThat(Terminal.of(false, null, "90").columns()).isEqualTo(90);
    assertThat(Terminal.of(false, 5, null).columns()).isEqualTo(60);
    assertThat(Terminal.of(false, 9999, null).columns()).isEqualTo(160);
  }
}
