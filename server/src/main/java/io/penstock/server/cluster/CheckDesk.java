package io.penstock.server.cluster;

import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.FailModes;
import io.penstock.server.node.Held;
import io.penstock.server.node.HoldingId;
import io.penstock.server.node.Outline;
import io.penstock.server.node.PolicyDesk;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends checks to whoever decides on their keys: as one question if that is one group, else in
 * parts (R21). Beyond its budget a check is answered by the fail mode of its policy. Thread-safe.
 */
final class CheckDesk {
  /** How long each step of a check in parts may take at least, when its budget is nearly over. */
  private static final long STEP_NANOS_MIN = 1_000_000;

  private final Dispatch dispatch;
  private final Settling settling;
  private final FailModes failModes;

  CheckDesk(Dispatch dispatch, Settling settling, PolicyDesk policies) {
    this.dispatch = dispatch;
    this.settling = settling;
    this.failModes = new FailModes(dispatch.name(), policies);
  }

  /** What fail modes answer; null if the policies known here are of another cluster (R24). */
  private @Nullable Answer failed(CheckRequest request) {
    return dispatch.link().isEstranged()
        ? null
        : dispatch.tally().failed(failModes.answer(request));
  }

  void check(CheckRequest request, Asker<Answer> done) {
    Outline outline = failModes.outline(request);
    if (outline.isOfOneGroup(dispatch.owners()::group)) {
      Fallback<Answer> fallback = byMode(request, outline.strict());
      errand(request, outline, new Question.Check(request), fallback, done).begin();
    } else {
      Asker<Held> told = Asker.of(held -> done.accept(held.answer()), done::fail);
      new Compound(dispatch, request, outline, new Stakes(deadlineNanos(outline)), told).begin();
    }
  }

  /** Has something held; what is asked of each group is told by a function. */
  void hold(CheckRequest request, Function<CheckRequest, Question<Held>> asking, Asker<Held> done) {
    Outline outline = failModes.outline(request);
    if (outline.isOfOneGroup(dispatch.owners()::group)) {
      Fallback<Held> fallback = unheld(request, outline.strict());
      errand(request, outline, asking.apply(request), fallback, done).begin();
    } else {
      new Compound(dispatch, request, outline, new Holds(asking, outline), done).begin();
    }
  }

  private Fallback<Answer> byMode(CheckRequest request, boolean isStrict) {
    return new ByMode<>(request, isStrict, answer -> answer, Answer::allowed);
  }

  private Fallback<Held> unheld(CheckRequest request, boolean isStrict) {
    return new ByMode<>(
        request,
        isStrict,
        answer -> new Held(answer, /* id= */ null),
        held -> held.answer().allowed());
  }

  private <T> Errand<T> errand(
      CheckRequest request,
      Outline outline,
      Question<T> question,
      Fallback<T> fallback,
      Asker<T> done) {
    Trip<T> trip = new Trip<>(question, new Route(request, outline), outline.budget());
    return new Errand<>(dispatch, trip, fallback, done);
  }

  /** To the group of the first key: by what is known when it goes out, then by what is by then. */
  private final class Route implements IntSupplier {
    private final CheckRequest request;
    private @Nullable Outline known;

    Route(CheckRequest request, @Nullable Outline known) {
      this.request = request;
      this.known = known;
    }

    @Override
    public int getAsInt() {
      Outline outline = known == null ? failModes.outline(request) : known;
      known = null;
      return outline.group(0, dispatch.owners()::group);
    }
  }

  /** What fail modes answer; T is how it is told. */
  private final class ByMode<T> implements Fallback<T> {
    private final CheckRequest request;
    private final boolean isStrict;
    private final Function<Answer, T> told;
    private final Predicate<T> isAllowed;

    ByMode(
        CheckRequest request, boolean isStrict, Function<Answer, T> told, Predicate<T> isAllowed) {
      this.request = request;
      this.isStrict = isStrict;
      this.told = told;
      this.isAllowed = isAllowed;
    }

    @Override
    public @Nullable T answer() {
      Answer failed = failed(request);
      return failed == null ? null : told.apply(failed);
    }

    /** Who has an id may ask again, and then gets the answer that was decided (R22). */
    @Override
    public boolean isCancel(T answer) {
      return !isAllowed.test(answer) && request.requestId() == null && isStrict;
    }
  }

  /** A part of what goes to several groups. */
  private <T> Errand<T> part(
      CheckRequest part,
      long deadlineNanos,
      Question<T> question,
      Fallback<T> fallback,
      Asker<T> told) {
    long left = Math.max(STEP_NANOS_MIN, deadlineNanos - dispatch.clock().nanos());
    IntSupplier route = new Route(part, /* known= */ null);
    return new Errand<>(
        dispatch, new Trip<>(question, route, Duration.ofNanos(left)), fallback, told);
  }

  private long deadlineNanos(Outline outline) {
    return dispatch.clock().nanos() + outline.budget().toNanos();
  }

  private void look(
      CheckRequest keys,
      long deadlineNanos,
      Question<Answer> question,
      Fallback<Answer> fallback,
      Asker<Answer> told) {
    part(keys, deadlineNanos, question, fallback, told).begin();
  }

  /** If nobody answers, keys stand as fail modes say. */
  private void look(CheckRequest keys, long deadlineNanos, Asker<Answer> told) {
    look(keys, deadlineNanos, new Question.Check(keys), () -> failModes.answer(keys), told);
  }

  /** The parts of a check. */
  private final class Stakes implements Compound.Errands {
    private final long deadlineNanos;

    Stakes(long deadlineNanos) {
      this.deadlineNanos = deadlineNanos;
    }

    @Override
    public Errand<?> part(CheckRequest part, long key, Asker<Held> told) {
      HoldingId id = HoldingId.of(key);
      Asker<Answer> answered =
          Asker.of(answer -> told.accept(new Held(answer, id.toString())), told::fail);
      Question<Answer> stake = new Question.Stake(part, id);
      return CheckDesk.this.part(part, deadlineNanos, stake, () -> failed(part), answered);
    }

    @Override
    public void look(CheckRequest keys, Asker<Answer> told) {
      CheckDesk.this.look(keys, deadlineNanos, told);
    }

    /** If nobody answers in time, whoever owns next does. */
    @Override
    public void undo(CheckRequest keys, Held part, Asker<Answer> told) {
      HoldingId id = Objects.requireNonNull(HoldingId.parse(String.valueOf(part.id())));
      Question.TakeBack question = new Question.TakeBack(keys, id);
      Fallback<Answer> later =
          () -> {
            settling.takeBack(question);
            return part.answer();
          };
      CheckDesk.this.look(keys, deadlineNanos, question, later, told);
    }
  }

  /** The parts of something that is held. */
  private final class Holds implements Compound.Errands {
    private final Function<CheckRequest, Question<Held>> asking;
    private final boolean isStrict;
    private final long deadlineNanos;

    Holds(Function<CheckRequest, Question<Held>> asking, Outline outline) {
      this.asking = asking;
      this.isStrict = outline.strict();
      this.deadlineNanos = deadlineNanos(outline);
    }

    @Override
    public Errand<?> part(CheckRequest part, long key, Asker<Held> told) {
      Fallback<Held> fallback = unheld(part, isStrict);
      return CheckDesk.this.part(part, deadlineNanos, asking.apply(part), fallback, told);
    }

    @Override
    public void look(CheckRequest keys, Asker<Answer> told) {
      CheckDesk.this.look(keys, deadlineNanos, told);
    }

    /** What nobody answered has no id: it was cancelled, or is held until its time is over. */
    @Override
    public void undo(CheckRequest keys, Held part, Asker<Answer> told) {
      String id = part.id();
      if (id != null) {
        settling.settle(id, each -> new Question.Settle(Question.Settle.Act.CANCEL, each));
      }
      Fallback<Answer> asBefore = part::answer;
      CheckDesk.this.look(keys, deadlineNanos, new Question.Check(keys), asBefore, told);
    }
  }
}
