package io.penstock.server.policy;

import java.util.List;
import java.util.stream.Collectors;

/** A document was refused; nothing has changed. Says everything that is wrong with it. */
public final class InvalidPolicyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  public InvalidPolicyException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
