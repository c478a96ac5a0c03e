package io.penstock.cli.remote;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns, each as wide as its widest cell. Confined to one thread. */
final class Columns {
  private final List<List<String>> rows = new ArrayList<>();

  Columns row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  void print(PrintWriter out) {
    int[] widths = new int[rows.stream().mapToInt(List::size).max().orElse(0)];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
