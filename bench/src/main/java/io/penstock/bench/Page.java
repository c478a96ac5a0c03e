package io.penstock.bench;

import org.jspecify.annotations.Nullable;

/** A page of Markdown in the making. Confined to one thread. */
final class Page {
  private final StringBuilder text = new StringBuilder();
  private boolean inTable;

  void title(String title) {
    text.append("# ").append(title).append('\n');
  }

  void heading(String heading) {
    leaveTable();
    text.append("\n## ").append(heading).append('\n');
  }

  void text(String paragraph) {
    leaveTable();
    text.append('\n').append(paragraph.strip()).append('\n');
  }

  /** Says when a part of the run took place, and on which commit. */
  void measured(@Nullable Facts step) {
    if (step != null) {
      text("Measured %s at commit %s.".formatted(step.text("date"), step.text("commit")));
    }
  }

  void row(String... cells) {
    if (!inTable) {
      text.append('\n');
      inTable = true;
    }
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private void leaveTable() {
    inTable = false;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
