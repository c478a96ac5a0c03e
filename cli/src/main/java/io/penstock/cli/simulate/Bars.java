package io.penstock.cli.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Numbers drawn with characters. */
final class Bars {
  private static final String EIGHTHS = " ▁▂▃▄▅▆▇█";
  private static final String SHADES = " ░▒▓";

  private Bars() {}

  static long max(long[] values) {
    return Arrays.stream(values).max().orElse(0);
  }

  /** Bars of so many rows, the top one first. Whatever is above zero can be seen. */
  static List<String> rows(long[] values, long max, int height) {
    List<String> rows = new ArrayList<>();
    for (int row = height - 1; row >= 0; row--) {
      StringBuilder line = new StringBuilder();
      for (long value : values) {
        long eighths = level(value, max, 8L * height) - 8L * row;
        line.append(EIGHTHS.charAt((int) Math.max(0, Math.min(8, eighths))));
      }
      rows.add(line.toString());
    }
    return rows;
  }

  /** One row, the darker the more. */
  static String shades(long[] values, long max) {
    StringBuilder line = new StringBuilder();
    for (long value : values) {
      line.append(SHADES.charAt((int) level(value, max, SHADES.length() - 1L)));
    }
    return line.toString();
  }

  private static long level(long value, long max, long levels) {
    return value == 0 ? 0 : Math.max(1, Math.round((double) value * levels / max));
  }
}
