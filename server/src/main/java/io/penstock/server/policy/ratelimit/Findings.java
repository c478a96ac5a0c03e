package io.penstock.server.policy.ratelimit;

import io.penstock.server.policy.InvalidPolicyException;
import io.penstock.server.policy.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.error.Mark;

/** What is to be said about a file: problems, and notes. Confined to the thread that reads. */
final class Findings {
  private static final int SHOWN_CHARS_MAX = 100;

  /** Of the same note only the first places are told, with how many there are. */
  private static final class Places {
    private final String first;
    private int count;

    private Places(String first) {
      this.first = first;
    }
  }

  private final List<Problem> problems = new ArrayList<>();
  private final Map<String, Places> notes = new LinkedHashMap<>();

  /** Where something is, for people: the field, line and column. */
  static String where(String path, Mark mark) {
    return path + " (line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ")";
  }

  void problem(String where, String value, String expected) {
    String shown =
        value.length() <= SHOWN_CHARS_MAX ? value : value.substring(0, SHOWN_CHARS_MAX) + "…";
    problems.add(new Problem(where, shown, expected));
  }

  /** Notes what is read but does not mean the same here. */
  void note(String where, String what) {
    notes.computeIfAbsent(what, any -> new Places(where)).count++;
  }

  List<String> notes() {
    List<String> texts = new ArrayList<>();
    notes.forEach(
        (what, places) -> {
          String more = places.count == 1 ? "" : " and " + (places.count - 1) + " more";
          texts.add(places.first + more + ": " + what);
        });
    return List.copyOf(texts);
  }

  void throwProblems() {
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
  }
}
