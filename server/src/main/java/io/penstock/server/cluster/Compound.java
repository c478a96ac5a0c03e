package io.penstock.server.cluster;

import io.penstock.core.Clock;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Held;
import io.penstock.server.node.Outline;
import io.penstock.server.node.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One check over several groups: all of its parts count, or none (R21). Its steps follow each
 * other; within a step, answers come on any thread.
 *
 * <p>All parts go out together, unless one of them is known to be denied just now: that one goes
 * alone first. When a part is denied, the others are undone and looked at, and then the denial is
 * told.
 */
final class Compound {
  /** What is asked of each group. */
  interface Errands {
    /**
     * A part of the check that one group decides; it is not asked yet.
     *
     * @param key one of those it is counted under
     */
    Errand<?> part(CheckRequest part, long key, Asker<Held> told);

    /** Looks at keys without taking anything. */
    void look(CheckRequest keys, Asker<Answer> told);

    /** Has a part undone that was told to be allowed, or that nobody answered; then looks. */
    void undo(CheckRequest keys, Held part, Asker<Answer> told);
  }

  /** Between the ids of what several groups hold. */
  static final String BETWEEN = ".";

  private static final Asker<Answer> NOBODY = Asker.of(answer -> {}, failure -> {});

  /** The descriptors of one group. */
  private final class Piece {
    private final List<Integer> places = new ArrayList<>();
    private @Nullable CheckRequest request;
    private @Nullable Errand<?> errand;
    private volatile @Nullable Held told;
    private volatile @Nullable Answer answer;

    private CheckRequest request() {
      CheckRequest known = request;
      if (known == null) {
        List<Asked> asked = places.stream().map(whole.asked()::get).toList();
        known = new CheckRequest(whole.domain(), asked, partId, whole.mayRefund());
        request = known;
      }
      return known;
    }

    private CheckRequest look() {
      List<Asked> asked =
          request().asked().stream()
              .map(each -> new Asked(each.descriptor(), /* cost= */ 0, each.given()))
              .toList();
      return new CheckRequest(whole.domain(), asked, /* requestId= */ null, whole.mayRefund());
    }

    private boolean isKnownDenied(long nowNanos) {
      return places.stream().anyMatch(at -> denials.has(outline.keys().get(at), nowNanos));
    }

    private boolean isGivenUp() {
      Errand<?> asked = errand;
      return asked != null && asked.isGivenUp();
    }

    private void remember(long nowNanos) {
      Answer given = answer;
      if (given == null || isGivenUp()) {
        return;
      }
      for (int i = 0; i < places.size(); i++) {
        long key = outline.keys().get(places.get(i));
        Part part = given.parts().get(i);
        if (part.allowed()) {
          denials.remove(key);
        } else {
          denials.add(key, nowNanos, part.retryAfterNanos());
        }
      }
    }
  }

  private final Clock clock;
  private final Denials denials;
  private final CheckRequest whole;
  private final @Nullable String partId;
  private final Outline outline;
  private final Errands errands;
  private final Asker<Held> done;
  private final List<Piece> pieces;
  private volatile @Nullable RuntimeException failure;

  Compound(
      Dispatch dispatch, CheckRequest whole, Outline outline, Errands errands, Asker<Held> done) {
    this.clock = dispatch.clock();
    this.denials = dispatch.denials();
    this.whole = whole;
    this.partId = dispatch.policies().partId(whole);
    this.outline = outline;
    this.errands = errands;
    this.done = done;
    Map<Integer, Piece> byGroup = new TreeMap<>();
    for (int i = 0; i < whole.asked().size(); i++) {
      int group = outline.group(i, dispatch.owners()::group);
      byGroup.computeIfAbsent(group, key -> new Piece()).places.add(i);
    }
    this.pieces = List.copyOf(byGroup.values());
  }

  void begin() {
    long nowNanos = clock.nanos();
    List<Piece> first = pieces.stream().filter(piece -> piece.isKnownDenied(nowNanos)).toList();
    if (first.isEmpty()) {
      ask(pieces, this::end);
    } else {
      ask(first, this::goOn);
    }
  }

  /** Those known to be denied were asked: if they are not any more, the others are. */
  private void goOn() {
    List<Piece> rest = pieces.stream().filter(piece -> piece.errand == null).toList();
    if (failure == null && !isDenied() && !rest.isEmpty()) {
      ask(rest, this::end);
    } else {
      end();
    }
  }

  private void ask(List<Piece> asked, Runnable then) {
    AtomicInteger missing = new AtomicInteger(asked.size());
    Runnable count =
        () -> {
          if (missing.decrementAndGet() == 0) {
            then.run();
          }
        };
    for (Piece piece : asked) {
      Errand<?> errand =
          errands.part(
              piece.request(),
              outline.keys().get(piece.places.get(0)),
              Asker.of(
                  told -> {
                    piece.answer = told.answer();
                    piece.told = told;
                    count.run();
                  },
                  cause -> {
                    failure = cause;
                    count.run();
                  }));
      piece.errand = errand;
      try {
        errand.begin();
      } catch (RuntimeException e) {
        failure = e;
        count.run();
      }
    }
  }

  private boolean isDenied() {
    return pieces.stream().map(piece -> piece.answer).anyMatch(a -> a != null && !a.allowed());
  }

  private void end() {
    RuntimeException cause = failure;
    if (cause == null && !isDenied()) {
      done.accept(new Held(joined(), id()));
      return;
    }
    List<Piece> looked = new ArrayList<>();
    for (Piece piece : pieces) {
      piece.remember(clock.nanos());
      if (piece.answer == null || answer(piece).allowed()) {
        looked.add(piece);
      } else if (piece.isGivenUp()) {
        look(piece, NOBODY);
      }
    }
    if (cause == null) {
      look(looked);
    } else {
      looked.stream().filter(piece -> piece.told != null).forEach(piece -> look(piece, NOBODY));
      done.fail(cause);
    }
  }

  /** What is denied took nothing: how the other keys stand is told as it is. */
  private void look(List<Piece> looked) {
    AtomicInteger missing = new AtomicInteger(looked.size());
    Runnable count =
        () -> {
          if (missing.decrementAndGet() == 0) {
            deny();
          }
        };
    if (looked.isEmpty()) {
      deny();
    }
    for (Piece piece : looked) {
      look(
          piece,
          Asker.of(
              answer -> {
                piece.answer = answer;
                count.run();
              },
              cause -> {
                failure = cause;
                count.run();
              }));
    }
  }

  private void look(Piece piece, Asker<Answer> told) {
    Held part = piece.told;
    try {
      if (part == null) {
        errands.look(piece.look(), told);
      } else {
        errands.undo(piece.look(), part, told);
      }
    } catch (RuntimeException e) {
      told.fail(e);
    }
  }

  private void deny() {
    RuntimeException cause = failure;
    if (cause == null) {
      done.accept(new Held(joined(), /* id= */ null));
    } else {
      done.fail(cause);
    }
  }

  private static Answer answer(Piece piece) {
    Answer answer = piece.answer;
    if (answer == null) {
      throw new IllegalStateException("part: not answered (expected: all are)");
    }
    return answer;
  }

  /** The ids of all that is held; null if nothing is. */
  private @Nullable String id() {
    List<String> ids = new ArrayList<>();
    for (Piece piece : pieces) {
      Held told = piece.told;
      String id = told == null ? null : told.id();
      if (id != null) {
        ids.add(id);
      }
    }
    return ids.isEmpty() ? null : String.join(BETWEEN, ids);
  }

  private Answer joined() {
    Part[] parts = new Part[whole.asked().size()];
    Integer[] from = new Integer[parts.length];
    List<Answer> answers = new ArrayList<>();
    for (Piece piece : pieces) {
      Answer answer = answer(piece);
      answers.add(answer);
      for (int i = 0; i < piece.places.size(); i++) {
        parts[piece.places.get(i)] = answer.parts().get(i);
        from[piece.places.get(i)] = answers.size() - 1;
      }
    }
    return Answer.joined(answers, List.of(parts), List.of(from));
  }
}
