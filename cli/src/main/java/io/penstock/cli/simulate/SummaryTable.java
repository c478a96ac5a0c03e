package io.penstock.cli.simulate;

import io.penstock.cli.simulate.Table.Cell;
import io.penstock.cli.simulate.Table.Column;
import io.penstock.cli.simulate.Terminal.Ink;
import io.penstock.core.Limit;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** One row of numbers for each algorithm. Confined to its thread. */
final class SummaryTable {
  private final Comparison comparison;
  private final Table table = new Table();

  private SummaryTable(Comparison comparison) {
    this.comparison = comparison;
  }

  static List<String> lines(Comparison comparison, Terminal terminal) {
    return new SummaryTable(comparison).table().lines(terminal);
  }

  private Table table() {
    List<Limit> limits = comparison.scenario().policy().limits();
    String period = limits.size() == 1 ? Reading.period(limits.get(0)) : "period";
    String tenth = TimeText.length(comparison.trials().get(0).tenthNanos());
    add(0, "", "algorithm", trial -> trial.name());
    add(8, "", "asked", trial -> Long.toString(trial.asked()));
    add(2, "", "admitted", trial -> Long.toString(trial.admittedRequests()));
    add(3, "", "denied", trial -> percent(trial.deniedShare()));
    add(4, "longest", "denial", SummaryTable::denial);
    table.add(
        new Column(
            "peak in any",
            period + " ÷ limit",
            /* spare= */ 1,
            comparison.trials().stream().map(SummaryTable::peak).toList()));
    add(5, "any", tenth, trial -> Long.toString(trial.tenthPeak().units()));
    add(6, "", "fano", trial -> decimal(comparison.fano(trial)));
    if (comparison.trials().stream().anyMatch(Trial::isQueue)) {
      add(7, "wait", "mean, max", SummaryTable::wait);
    }
    return table;
  }

  private void add(int spare, String above, String heading, Function<Trial, String> text) {
    List<Cell> cells = comparison.trials().stream().map(text).map(Cell::of).toList();
    table.add(new Column(above, heading, spare, cells));
  }

  private static String denial(Trial trial) {
    Denial longest = trial.longestDenial();
    return longest.requests() == 0
        ? "–"
        : longest.requests() + ", " + TimeText.length(longest.lengthNanos());
  }

  /** Above the limit is marked with a sign as well, for those who see no colour. */
  private static Cell peak(Trial trial) {
    Limit limit = trial.tightest();
    boolean several = trial.policy().limits().size() > 1;
    boolean over = trial.peak(limit).units() > limit.count();
    String text =
        String.format(
            Locale.ROOT,
            "%d%s = %.2f×%s",
            trial.peak(limit).units(),
            several ? "/" + limit.period() : "",
            trial.ratio(limit),
            over ? "▲" : " ");
    return over ? new Cell(text, Ink.OVER) : Cell.of(text);
  }

  private static String wait(Trial trial) {
    if (!trial.isQueue()) {
      return "–";
    }
    return TimeText.length(Math.round(trial.waits().meanNanos()))
        + ", "
        + TimeText.length(trial.waits().maxNanos());
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", 100 * share);
  }

  private static String decimal(double number) {
    return Double.isNaN(number) ? "–" : String.format(Locale.ROOT, "%.2f", number);
  }
}
