package io.penstock.server.config;

import io.penstock.server.policy.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration was refused. Says everything that is wrong with it, one line each. */
public final class InvalidConfigException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  public InvalidConfigException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
