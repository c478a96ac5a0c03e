package io.penstock.server.grpc;

import io.penstock.server.policy.Problem;

/** A field of a request is not what it should be. */
final class FieldException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  FieldException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  /** The same of a message that is itself in a field. */
  FieldException in(String outer) {
    String field = outer + "." + problem.field();
    return new FieldException(new Problem(field, problem.value(), problem.expected()));
  }

  Problem problem() {
    return problem;
  }
}
