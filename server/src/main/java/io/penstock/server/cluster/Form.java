package io.penstock.server.cluster;

import io.penstock.server.node.Answer;
import io.penstock.server.node.AnswerCodec;
import io.penstock.server.node.Cargo;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.Part;
import io.penstock.server.node.Settled;
import io.penstock.server.node.Throttled;
import io.penstock.server.policy.DryRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** How answers of a type become bytes and come back. Immutable. */
record Form<T>(BiConsumer<T, Packing> writing, Function<Unpacking, T> reading) {
  static final Form<Answer> ANSWER = new Form<>(Form::write, Form::readAnswer);
  static final Form<Held> HELD =
      new Form<>(
          (held, out) -> {
            write(held.answer(), out);
            out.textOrNone(held.id());
          },
          in -> new Held(readAnswer(in), in.textOrNone("id")));
  static final Form<Settled> SETTLED =
      new Form<>((settled, out) -> out.word(settled), in -> in.word("settled", Settled.class));
  static final Form<Durability> DURABILITY =
      new Form<>(
          (durability, out) -> out.word(durability), in -> in.word("durability", Durability.class));
  static final Form<Throttled> THROTTLED =
      new Form<>(
          (throttled, out) ->
              out.truth(throttled.allowed())
                  .wide(throttled.limit())
                  .wide(throttled.remaining())
                  .wide(throttled.retryAfterNanos())
                  .wide(throttled.resetAfterNanos()),
          in ->
              new Throttled(
                  in.truth("allowed"),
                  in.wide("limit"),
                  in.wide("remaining"),
                  in.wide("retryAfter"),
                  in.wide("resetAfter")));
  static final Form<DryRun.Forecast> FORECAST =
      new Form<>(
          (forecast, out) ->
              out.wide(forecast.checks())
                  .wide(forecast.denied())
                  .wide(forecast.spanMillis())
                  .list(
                      forecast.topKeys(),
                      (key, to) -> to.text(key.key()).wide(key.checks()).wide(key.denied()))
                  .rest(forecast.notRemembered()),
          in ->
              new DryRun.Forecast(
                  in.wide("checks"),
                  in.wide("denied"),
                  in.wide("spanMillis"),
                  in.list(
                      "topKeys",
                      from ->
                          new DryRun.KeyForecast(
                              from.text("key"), from.wide("checks"), from.wide("denied"))),
                  in.rest("notRemembered")));
  static final Form<Cargo.Landing> LANDING =
      new Form<>(
          (landing, out) -> out.word(landing), in -> in.word("landing", Cargo.Landing.class));
  static final Form<Boolean> TRUTH =
      new Form<>((truth, out) -> out.truth(truth), in -> in.truth("truth"));

  /* What the memory of request ids keeps of an answer, and then what it leaves out. */
  private static void write(Answer answer, Packing out) {
    out.raw(AnswerCodec.write(answer)).text(answer.decidedBy()).truth(answer.duplicate());
    for (Part part : answer.parts()) {
      out.wide(part.retryAfterNanos());
    }
  }

  private static Answer readAnswer(Unpacking in) {
    byte[] kept = in.raw("answer");
    String decidedBy = in.text("decidedBy");
    Answer answer;
    try {
      answer = AnswerCodec.read(kept, decidedBy);
    } catch (RuntimeException e) {
      throw new MalformedException("answer", e);
    }
    boolean duplicate = in.truth("duplicate");
    List<Part> parts = new ArrayList<>();
    for (Part part : answer.parts()) {
      check("deciding limit", part.deciding(), -1, part.meters().size());
      parts.add(part.retryingAfter(in.wide("retryAfter")));
    }
    check("deciding", answer.deciding(), 0, parts.size());
    return new Answer(
        answer.allowed(),
        answer.deciding(),
        parts,
        answer.waitNanos(),
        answer.durability(),
        decidedBy,
        duplicate);
  }

  private static void check(String name, int index, int min, int end) {
    if (index < min || index >= end) {
      throw new MalformedException(name, index, min + ".." + (end - 1));
    }
  }
}
