package io.penstock.cli.simulate;

import io.penstock.cli.simulate.Terminal.Ink;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What passes over time, as bars above a time axis. Confined to its thread. */
final class Chart {
  /** The room left of the bars. */
  static final int GUTTER = 9;

  private static final int HEIGHT = 3;
  private static final int TICK_COLUMNS = 10;

  private final Terminal terminal;
  private final Timeline timeline;
  private final List<String> lines = new ArrayList<>();

  Chart(Terminal terminal, Timeline timeline) {
    this.terminal = terminal;
    this.timeline = timeline;
  }

  List<String> lines() {
    return lines;
  }

  /** Bars on a base line; the top is {@code max}. */
  void bars(long[] values, long max, Ink ink) {
    bars(values, max, ink, new Peak(0, 0, 0, 0));
  }

  /** Bars on a base line, in another colour where they lie in the window of a peak. */
  void bars(long[] values, long max, Ink ink, Peak over) {
    boolean marked = over.units() > 0;
    int from = marked ? timeline.bin(over.firstNanos()) : 0;
    int to = marked ? timeline.bin(over.lastNanos()) + 1 : 0;
    String label = label(max);
    for (String row : Bars.rows(values, Math.max(1, max), HEIGHT)) {
      String text =
          terminal.paint(ink, row.substring(0, from))
              + terminal.paint(Ink.OVER, row.substring(from, to))
              + terminal.paint(ink, row.substring(to));
      add(label, label.isEmpty() ? "│" : "┤", text);
      label = "";
    }
    StringBuilder line = new StringBuilder("─".repeat(timeline.bins()));
    for (long tick : timeline.ticks(TICK_COLUMNS)) {
      if (tick > 0 && column(tick) < line.length()) {
        line.setCharAt(column(tick), '┴');
      }
    }
    add("0", "└", terminal.paint(Ink.NOTE, line.toString()));
  }

  private static String label(long max) {
    String label = Long.toString(max);
    return label.length() <= GUTTER - 2 ? label : String.format(Locale.ROOT, "%.1e", (double) max);
  }

  void denied(long[] values, long max) {
    add("denied", " ", terminal.paint(Ink.DENIED, Bars.shades(values, Math.max(1, max))));
  }

  /** Marks the window of a peak from end to end, with a text in it if that fits. */
  void bracket(Peak peak, String text) {
    int from = column(peak.fromNanos());
    int to = Math.min(timeline.bins(), column(peak.toNanos()));
    int dashes = to - from - text.length() - 4;
    String mark;
    if (dashes >= 0) {
      mark = "└" + "─".repeat(dashes / 2) + " " + text + " " + "─".repeat((dashes + 1) / 2) + "┘";
    } else {
      from = column(peak.middleNanos());
      boolean fits = from + text.length() + 2 <= timeline.bins();
      mark = fits ? "▲ " + text : text + " ▲";
      from = fits ? from : Math.max(0, from - text.length() - 1);
    }
    add("", " ", terminal.paint(Ink.OVER, " ".repeat(from) + mark));
  }

  void times() {
    StringBuilder line = new StringBuilder();
    for (long tick : timeline.ticks(TICK_COLUMNS)) {
      String text = TimeText.instant(tick);
      int at = Math.max(column(tick), line.length());
      if (at + text.length() <= terminal.columns() - GUTTER) {
        line.append(" ".repeat(at - line.length())).append(text);
      }
    }
    add("", " ", terminal.paint(Ink.NOTE, line.toString()));
  }

  private int column(long nanos) {
    return (int) (nanos / timeline.binNanos());
  }

  private void add(String label, String axis, String text) {
    String gutter = String.format(Locale.ROOT, "%" + (GUTTER - 2) + "s %s", label, axis);
    lines.add((terminal.paint(Ink.NOTE, gutter) + text).stripTrailing());
  }
}
