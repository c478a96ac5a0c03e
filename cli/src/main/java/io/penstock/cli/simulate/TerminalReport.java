package io.penstock.cli.simulate;

import io.penstock.cli.simulate.Terminal.Ink;
import io.penstock.core.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A comparison as text: a header, a table, and a chart for each algorithm. Confined to its thread.
 */
final class TerminalReport {
  private static final String INDENT = " ".repeat(9);

  private final Comparison comparison;
  private final Terminal terminal;
  private final Timeline timeline;
  private final List<String> lines = new ArrayList<>();

  private TerminalReport(Comparison comparison, Terminal terminal) {
    this.comparison = comparison;
    this.terminal = terminal;
    this.timeline = comparison.timeline(terminal.columns() - Chart.GUTTER);
  }

  static List<String> lines(Comparison comparison, Terminal terminal) {
    TerminalReport report = new TerminalReport(comparison, terminal);
    report.header();
    report.table();
    report.offered();
    report.algorithms();
    return report.lines;
  }

  private void header() {
    Scenario scenario = comparison.scenario();
    long units = comparison.offered().units();
    headed("limit", scenario.policy().toString());
    headed("traffic", scenario.traffic().text());
    String sums =
        String.format(
            Locale.ROOT,
            "%d requests%s in %s, at most %d in any %s; seed %d",
            comparison.requests(),
            units == comparison.requests() ? "" : " of " + units + " units",
            TimeText.length(scenario.traffic().lengthNanos()),
            comparison.offeredPeak().units(),
            Reading.period(comparison.firstLimit()),
            scenario.seed());
    lines.addAll(wrap(sums, INDENT));
    lines.add("");
  }

  private void headed(String heading, String text) {
    String label = heading + INDENT.substring(heading.length());
    for (String line : wrap(text, INDENT)) {
      lines.add(label + terminal.paint(Ink.HEAD, line.strip()));
      label = INDENT;
    }
  }

  private void table() {
    List<String> table = SummaryTable.lines(comparison, terminal);
    lines.addAll(table);
    lines.add("");
    // A narrow terminal has no room for this column.
    if (table.stream().anyMatch(line -> line.contains("fano"))) {
      String tenth = TimeText.length(comparison.trials().get(0).tenthNanos());
      note("fano: how uneven it runs per " + tenth + "; 0 is even, 1 random, more is bursty.");
    }
    if (comparison.trials().stream().anyMatch(Trial::isQueue)) {
      note("leaky-queue is shown when requests run, which is after their wait.");
    }
    comparison.notes().forEach(this::note);
    lines.add("");
  }

  private void note(String text) {
    wrap(text, "").forEach(line -> lines.add(terminal.paint(Ink.NOTE, line)));
  }

  private void offered() {
    long[] values = comparison.offered().perBin(timeline);
    lines.add(
        terminal.paint(Ink.HEAD, "offered")
            + ", in bins of "
            + TimeText.length(timeline.binNanos()));
    Chart chart = new Chart(terminal, timeline);
    chart.bars(values, Bars.max(values), Ink.OFFERED);
    chart.times();
    lines.addAll(chart.lines());
  }

  /** All on one scale, so that a bar means the same in every chart. */
  private void algorithms() {
    long admittedMax = 0;
    long deniedMax = 0;
    for (Trial trial : comparison.trials()) {
      admittedMax = Math.max(admittedMax, Bars.max(trial.admitted().perBin(timeline)));
      deniedMax = Math.max(deniedMax, Bars.max(trial.denied().perBin(timeline)));
    }
    for (Trial trial : comparison.trials()) {
      lines.add("");
      lines.add(terminal.paint(Ink.HEAD, trial.name()));
      String reading = Reading.of(trial, comparison.scenario().startNanos());
      lines.addAll(wrap(reading, "  "));
      lines.addAll(chart(trial, admittedMax, deniedMax));
    }
  }

  private List<String> chart(Trial trial, long admittedMax, long deniedMax) {
    Limit limit = trial.tightest();
    Peak peak = trial.peak(limit);
    Chart chart = new Chart(terminal, timeline);
    long[] admitted = trial.admitted().perBin(timeline);
    if (peak.units() > limit.count()) {
      chart.bars(admitted, admittedMax, Ink.ADMITTED, peak);
      String ratio = String.format(Locale.ROOT, "%.2f×", peak.ratio(limit.count()));
      chart.bracket(peak, peak.units() + " = " + ratio);
    } else {
      chart.bars(admitted, admittedMax, Ink.ADMITTED);
    }
    if (!trial.denied().isEmpty()) {
      chart.denied(trial.denied().perBin(timeline), deniedMax);
    }
    chart.times();
    return chart.lines();
  }

  private List<String> wrap(String text, String indent) {
    List<String> wrapped = new ArrayList<>();
    StringBuilder line = new StringBuilder(indent);
    for (String word : text.split(" ", -1)) {
      if (line.length() + word.length() > terminal.columns()) {
        wrapped.add(line.toString().stripTrailing());
        line = new StringBuilder(indent);
      }
      line.append(word).append(' ');
    }
    wrapped.add(line.toString().stripTrailing());
    return wrapped;
  }
}
