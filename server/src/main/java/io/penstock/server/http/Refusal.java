package io.penstock.server.http;

import io.penstock.server.policy.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that is refused, as problem+json tells it. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int TEXT_LENGTH_MAX = 64;

  private final int status;
  private final transient @Nullable Problem problem;
  private final transient List<Problem> problems;

  private Refusal(int status, String detail, @Nullable Problem problem, List<Problem> problems) {
    // A stack would only say where hostile input was read, and cost more than the answer.
    super(detail, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    this.status = status;
    this.problem = problem;
    this.problems = problems;
  }

  static Refusal of(int status, String detail) {
    return new Refusal(status, detail, /* problem= */ null, List.of());
  }

  /** A field that is not what it should be. */
  static Refusal field(String field, String value, String expected) {
    return field(new Problem(cut(field), cut(value), expected));
  }

  /** A field that is not what it should be. */
  static Refusal field(Problem problem) {
    return new Refusal(400, problem.toString(), problem, List.of());
  }

  /** A text of so many bytes in UTF-8; any other is refused. */
  static String bounded(String field, String text, int bytesMin, int bytesMax) {
    int bytes = Utf8.length(text);
    if (bytes < bytesMin || bytes > bytesMax) {
      throw field(field, bytes + " bytes", bytesMin + ".." + bytesMax + " bytes");
    }
    return text;
  }

  /** A document with everything that is wrong with it. */
  static Refusal document(List<Problem> problems) {
    String detail = problems.size() + (problems.size() == 1 ? " problem" : " problems");
    return new Refusal(400, detail + "; nothing has changed", /* problem= */ null, problems);
  }

  /** The same under another status. */
  Refusal as(int otherStatus) {
    return new Refusal(otherStatus, detail(), problem, problems);
  }

  int status() {
    return status;
  }

  String detail() {
    return String.valueOf(getMessage());
  }

  /** The one field that is not what it should be; null if it is not that. */
  @Nullable Problem problem() {
    return problem;
  }

  List<Problem> problems() {
    return problems;
  }

  /** What clients have named is told back only as far as it helps them. */
  private static String cut(String text) {
    return text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX) + "…";
  }
}
