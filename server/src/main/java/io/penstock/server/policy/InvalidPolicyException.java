package io.penstock.server.policy;

import java.util.List;
import java.util.stream.Collectors;

/** A document was refused; nothing has changed. Says everything that is wrong with it. */
public final class InvalidPolicyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Who has made more mistakes than this reads no further. */
  static final int PROBLEMS_MAX = 100;

  private final transient List<Problem> problems;

  public InvalidPolicyException(List<Problem> problems) {
    super(first(problems).stream().map(Problem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(first(problems));
  }

  private static List<Problem> first(List<Problem> problems) {
    return problems.subList(0, Math.min(problems.size(), PROBLEMS_MAX));
  }

  /** What is wrong, at least one thing; the first hundred of more. */
  public List<Problem> problems() {
    return problems;
  }
}
