package io.penstock.server.node;

import io.penstock.server.policy.Change;
import io.penstock.server.policy.PolicyDocument;
import io.penstock.server.policy.Problem;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.stream.Collectors;

/** Says in the log which stored policies are not counted to the letter. Stateless. */
final class Uncounted {
  private static final System.Logger LOG = System.getLogger(Uncounted.class.getName());
  private static final String CONCURRENT = "concurrent";

  private Uncounted() {}

  /* There may be a million documents at a start: only what may say it twice is read once more. */
  /** Tells of a document with several concurrent limits, which earlier versions accepted. */
  static void tell(Change change) {
    String document = change.document();
    if (document == null || document.indexOf(CONCURRENT) == document.lastIndexOf(CONCURRENT)) {
      return;
    }
    String problems =
        PolicyDocument.problems(change.kind(), document).stream()
            .map(Problem::toString)
            .collect(Collectors.joining("; "));
    if (!problems.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "{0} {1}: of its concurrent limits the first one counts: {2}",
          change.kind().name().toLowerCase(Locale.ROOT),
          change.name(),
          problems);
    }
  }
}
