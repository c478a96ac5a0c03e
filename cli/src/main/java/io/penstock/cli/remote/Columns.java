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
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i)).append(" ".repeat(width(i) - row.get(i).length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private int width(int column) {
    return rows.stream()
        .filter(row -> row.size() > column)
        .mapToInt(row -> row.get(column).length())
        .max()
        .orElse(0);
  }
}
