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

  Problem problem() {
    return problem;
  }
}
