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

  private static final List<Comparison> SEVERAL =
      List.of(
          compare("10/s burst 20", "poisson 15/s for 30s"),
          compare("10/s burst 20; 100/min", "poisson 15/s for 30s"),
          compare("100000/min; 1000000/hour", "steady 10000/s for 9s"),
          compare("7/s; 77/min burst 777; 777/hour; 7777/day Europe/Paris", "steady 2/s for 5min"),
          compare("1000/15min; 1000000/day", "burst 9 every 7s for 3min cost 999"),
          compare("1/day", "steady 1/min for 23hour"),
          compare(
              "10/s burst 20",
              "steady 4/s for 30s then ramp 4/s to 25/s for 60s and burst 40 every 20s for 100s"));

  @ParameterizedTest
  @ValueSource(ints = {60, 61, 66, 70, 72, 76, 80, 100, 160})
  void lines_anyWidth_fit(int columns) {
    Terminal terminal = new Terminal(columns, /* colour= */ false);
    for (Comparison comparison : SEVERAL) {
      assertThat(TerminalReport.lines(comparison, terminal))
          .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(columns));
    }
  }

  @Test
  void lines_narrowTerminal_keepWhatCountsMost() {
    Terminal narrow = new Terminal(60, /* colour= */ false);
    List<String> lines = TerminalReport.lines(SEVERAL.get(0), narrow);
    assertThat(lines)
        .anyMatch(line -> line.matches("gcra +\\d+ +[\\d.]+% .*= .*×▲"))
        .noneMatch(line -> line.contains("asked") || line.contains("fano"));
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
    assertThat(Terminal.of(false, null, "5").columns()).isEqualTo(60);
    assertThat(Terminal.of(false, null, "9999").columns()).isEqualTo(160);
  }
}
