package io.penstock.server.cluster;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.node.Asked;
import io.penstock.server.node.Cargo;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.HoldingId;
import io.penstock.server.policy.Kind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Questions as bytes. The first byte is the number of the format. Stateless. */
final class QuestionCodec {
  static final int FORMAT = 5;

  /** The sorts of questions, in the order of their numbers: new ones come last. */
  private static final List<Sort<?>> SORTS =
      List.of(
          new Sort<>(
              Question.Check.class,
              (check, out) -> write(check.request(), out),
              in -> new Question.Check(request(in))),
          new Sort<>(
              Question.Reserve.class,
              (reserve, out) -> write(reserve.request(), out).wide(reserve.ttlMillis()),
              in -> new Question.Reserve(request(in), in.wide("ttlMs"))),
          new Sort<>(
              Question.Acquire.class,
              (acquire, out) -> write(acquire.request(), out).wide(acquire.leaseMillis()),
              in -> new Question.Acquire(request(in), in.wide("leaseMs"))),
          new Sort<>(
              Question.Commit.class,
              (commit, out) -> out.text(commit.id()).wide(commit.cost()),
              in -> new Question.Commit(in.text("id"), in.wide("cost"))),
          new Sort<>(
              Question.Settle.class,
              (settle, out) -> out.word(settle.act()).text(settle.id()),
              in -> new Question.Settle(in.word("act", Question.Settle.Act.class), in.text("id"))),
          new Sort<>(
              Question.Reset.class,
              (reset, out) -> keys(out, reset.domain(), reset.descriptors()),
              in -> new Question.Reset(in.text("domain"), descriptors(in))),
          new Sort<>(
              Question.Block.class,
              (block, out) ->
                  keys(out, block.domain(), block.descriptors()).wide(block.untilMillis()),
              in -> new Question.Block(in.text("domain"), descriptors(in), in.wide("until"))),
          new Sort<>(
              Question.Overrule.class,
              (order, out) ->
                  keys(out, order.domain(), order.descriptors())
                      .list(order.limits(), (limit, to) -> to.text(limit.toString()))
                      .wide(order.untilMillis()),
              in ->
                  new Question.Overrule(
                      in.text("domain"),
                      descriptors(in),
                      in.list("limits", QuestionCodec::limit),
                      in.wide("until"))),
          new Sort<>(
              Question.Throttle.class,
              (throttle, out) ->
                  out.wide(throttle.hash()).text(throttle.limit().toString()).wide(throttle.cost()),
              in -> new Question.Throttle(in.wide("hash"), limit(in), in.wide("cost"))),
          new Sort<>(
              Question.Forget.class,
              (forget, out) -> out.wide(forget.hash()),
              in -> new Question.Forget(in.wide("hash"))),
          new Sort<>(
              Question.Forgive.class,
              (forgive, out) -> out.word(forgive.kind()).text(forgive.name()),
              in -> new Question.Forgive(in.word("kind", Kind.class), in.text("name"))),
          new Sort<>(
              Question.TryOut.class,
              (proposed, out) -> out.text(proposed.scope()).text(proposed.document()),
              in -> new Question.TryOut(in.text("scope"), in.text("document"))),
          new Sort<>(
              Question.Stake.class,
              (stake, out) -> id(stake.id(), write(stake.request(), out)),
              in -> new Question.Stake(request(in), id(in))),
          new Sort<>(
              Question.TakeBack.class,
              (back, out) -> id(back.id(), write(back.look(), out)),
              in -> new Question.TakeBack(request(in), id(in))),
          new Sort<>(
              Bring.class, (bring, out) -> write(bring.cargo(), out), in -> new Bring(cargo(in))));

  /** How a sort of questions is written after its number. */
  private record Sort<Q extends Question<?>>(
      Class<Q> type, Writing<Q> writing, Function<Unpacking, Q> reading) {
    boolean isWritten(Question<?> question, int number, Packing out) {
      if (!type.isInstance(question)) {
        return false;
      }
      writing.to(type.cast(question), out.number(number));
      return true;
    }
  }

  private interface Writing<Q> {
    Object to(Q question, Packing out);
  }

  private QuestionCodec() {}

  static byte[] write(Delivery<?> delivery) {
    Packing out = new Packing().number(FORMAT);
    out.wide(delivery.origin()).wide(delivery.number());
    out.whole(delivery.group()).whole(delivery.millisLeft());
    out.wide(delivery.revision());
    for (int i = 0; i < SORTS.size(); i++) {
      if (SORTS.get(i).isWritten(delivery.question(), i, out)) {
        return out.done();
      }
    }
    throw new IllegalStateException(
        "question: " + delivery.question().getClass() + " (expected: one with a number)");
  }

  static Delivery<?> read(byte[] bytes) {
    Unpacking in = new Unpacking(bytes);
    in.format(FORMAT);
    long origin = in.wide("origin");
    long number = in.wide("number");
    int group = in.whole("group");
    int millisLeft = in.whole("millisLeft");
    long revision = in.wide("revision");
    Sort<?> sort = in.choice("sort", SORTS.toArray(Sort[]::new));
    Question<?> question = told(in, sort);
    in.end();
    return new Delivery<>(origin, number, group, millisLeft, revision, question);
  }

  /** What a value refuses is malformed too: a key without a letter, a limit of nothing. */
  private static Question<?> told(Unpacking in, Sort<?> sort) {
    try {
      return sort.reading.apply(in);
    } catch (IllegalArgumentException e) {
      throw new MalformedException("question", e);
    }
  }

  private static Packing write(CheckRequest request, Packing out) {
    return out.text(request.domain())
        .textOrNone(request.requestId())
        .truth(request.mayRefund())
        .list(
            request.asked(),
            (asked, to) -> {
              Limit given = asked.given();
              write(asked.descriptor(), to).wide(asked.cost());
              to.textOrNone(given == null ? null : given.toString());
            });
  }

  private static Packing write(Cargo cargo, Packing out) {
    return out.whole(cargo.shard())
        .wide(cargo.number())
        .wide(cargo.attempt())
        .whole(cargo.index())
        .truth(cargo.last())
        .wide(cargo.checksum())
        .wide(cargo.atNanos())
        .raw(cargo.bytes());
  }

  private static Cargo cargo(Unpacking in) {
    return new Cargo(
        in.whole("shard"),
        in.wide("number"),
        in.wide("attempt"),
        in.whole("index"),
        in.truth("last"),
        in.wide("checksum"),
        in.wide("atNanos"),
        ByteBuffer.wrap(in.raw("records")));
  }

  private static CheckRequest request(Unpacking in) {
    String domain = in.text("domain");
    String requestId = in.textOrNone("requestId");
    boolean mayRefund = in.truth("mayRefund");
    List<Asked> asked =
        in.list(
            "asked",
            from ->
                new Asked(descriptor(from), from.wide("cost"), given(from.textOrNone("limit"))));
    if (asked.isEmpty()) {
      throw new MalformedException("asked", "none", "at least one");
    }
    return new CheckRequest(domain, asked, requestId, mayRefund);
  }

  private static Packing id(HoldingId id, Packing out) {
    return out.wide(id.hash()).wide(id.check());
  }

  private static HoldingId id(Unpacking in) {
    return new HoldingId(in.wide("id"), in.wide("check"));
  }

  private static @Nullable Limit given(@Nullable String text) {
    return text == null ? null : Limit.parse(text);
  }

  private static Limit limit(Unpacking in) {
    return Limit.parse(in.text("limit"));
  }

  private static Packing keys(Packing out, String domain, List<Descriptor> descriptors) {
    return out.text(domain).list(descriptors, QuestionCodec::write);
  }

  private static List<Descriptor> descriptors(Unpacking in) {
    return in.list("descriptors", QuestionCodec::descriptor);
  }

  private static Packing write(Descriptor descriptor, Packing out) {
    return out.list(descriptor.entries(), (entry, to) -> to.text(entry.key()).text(entry.value()));
  }

  private static Descriptor descriptor(Unpacking in) {
    return new Descriptor(
        in.list("entries", from -> new Entry(from.text("key"), from.text("value"))));
  }
}
