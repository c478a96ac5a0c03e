package io.penstock.cli.simulate;

import io.penstock.cli.simulate.Terminal.Ink;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Columns of text, aligned. The first is aligned left, the others right. Confined to its thread.
 */
final class Table {
  private static final String GAP = "  ";

  /** One cell; without ink it is plain. Immutable. */
  record Cell(String text, @Nullable Ink ink) {
    static Cell of(String text) {
      return new Cell(text, null);
    }
  }

  /**
   * A column: two lines of heading and a cell for every row. Immutable.
   *
   * @param spare how easily it is spared where room is short; 0 is never
   */
  record Column(String above, String heading, int spare, List<Cell> cells) {
    int width() {
      int width = Math.max(above.length(), heading.length());
      for (Cell cell : cells) {
        width = Math.max(width, cell.text().length());
      }
      return width;
    }
  }

  private final List<Column> columns = new ArrayList<>();

  void add(Column column) {
    columns.add(column);
  }

  /** The lines of the table. The columns most easily spared are left out until it fits. */
  List<String> lines(Terminal terminal) {
    List<Column> shown = new ArrayList<>(columns);
    while (width(shown) > terminal.columns()) {
      Column spared = Collections.max(shown, Comparator.comparingInt(Column::spare));
      if (spared.spare() == 0) {
        break;
      }
      shown.remove(spared);
    }
    List<String> lines = new ArrayList<>();
    lines.add(line(terminal, shown, -2));
    lines.add(line(terminal, shown, -1));
    for (int row = 0; row < shown.get(0).cells().size(); row++) {
      lines.add(line(terminal, shown, row));
    }
    return lines;
  }

  private static int width(List<Column> columns) {
    return columns.stream().mapToInt(Column::width).sum() + GAP.length() * (columns.size() - 1);
  }

  private static String line(Terminal terminal, List<Column> columns, int row) {
    StringBuilder line = new StringBuilder();
    for (Column column : columns) {
      Cell cell = cell(column, row);
      String space = " ".repeat(column.width() - cell.text().length());
      Ink ink = cell.ink();
      String text = ink == null ? cell.text() : terminal.paint(ink, cell.text());
      boolean first = line.length() == 0;
      line.append(first ? text + space : GAP + space + text);
    }
    return line.toString().stripTrailing();
  }

  private static Cell cell(Column column, int row) {
    return switch (row) {
      case -2 -> new Cell(column.above(), Ink.NOTE);
      case -1 -> new Cell(column.heading(), Ink.NOTE);
      default -> column.cells().get(row);
    };
  }
}
