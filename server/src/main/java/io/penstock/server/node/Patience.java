package io.penstock.server.node;

import io.penstock.server.policy.Kind;
import io.penstock.server.policy.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Asks a node on a thread that may wait for the answer. Stateless. */
public final class Patience {
  private Patience() {}

  /** The answer, or a throw of why there is none. */
  public static <T> T answer(Consumer<Asker<T>> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    question.accept(Asker.of(answer::complete, answer::completeExceptionally));
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** Carries out a write of a policy or a tier, and then forgives if that is asked for. */
  public static Written write(
      Node node, Kind kind, String name, boolean forgives, Supplier<Written> put) {
    Written written = node.policies().write(kind, name, forgives, put);
    if (!forgives) {
      return written;
    }
    try {
      Patience.<Boolean>answer(done -> node.forgive(kind, name, done));
      return written;
    } catch (UnavailableException e) {
      /* It is written all the same: an error would say that it is not. */
      List<String> warnings = new ArrayList<>(written.warnings());
      warnings.add("nothing is forgiven: " + e.getMessage());
      return new Written(written.version(), warnings);
    }
  }
}
