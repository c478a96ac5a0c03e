package io.penstock.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Gatekeeper;
import org.jspecify.annotations.Nullable;

/**
 * Reads, asks and answers the plain checks of all connections of an event loop, with buffers that
 * they share. Confined to it.
 */
final class PlainDesk {
  /** A larger one goes the long way. */
  private static final int BYTES_MAX = 1 << 14;

  /** What bytes begin with. */
  enum Found {
    /** A plain check, which is asked now. */
    CHECK,
    /** One that is not whole, as far as can be seen. */
    BEGINNING,
    OTHER
  }

  private final CheckRoutes checks;
  private final Gatekeeper gatekeeper;
  private final PlainHead head;
  private final PlainBody body;
  private final PlainReply reply = new PlainReply();
  private final int bodyBytesMax;
  private final int turnsMax;
  private final byte[] bytes = new byte[BYTES_MAX];

  PlainDesk(CheckRoutes checks, Gatekeeper gatekeeper, HttpSettings settings) {
    this.checks = checks;
    this.gatekeeper = gatekeeper;
    this.head = new PlainHead(settings.bounds().headBytes());
    this.body = new PlainBody(settings.bounds());
    this.bodyBytesMax = settings.bounds().bodyBytes();
    this.turnsMax = settings.bounds().pipelined();
  }

  /** How many checks of a connection may wait for their answers. */
  int turnsMax() {
    return turnsMax;
  }

  /** Asks the check that the bytes begin with, if they do, and takes it from them. */
  Found ask(ByteBuf in, Turns turns) {
    int count = Math.min(in.readableBytes(), BYTES_MAX);
    in.getBytes(in.readerIndex(), bytes, 0, count);
    if (!head.isPlain(bytes, 0, count)) {
      return head.isCut() && count < BYTES_MAX ? Found.BEGINNING : Found.OTHER;
    }
    int end = head.end() + head.length();
    Caller caller = caller();
    if (caller == null || head.length() > bodyBytesMax || end > BYTES_MAX) {
      return Found.OTHER;
    }
    if (end > count) {
      return Found.BEGINNING;
    }
    Question question = body.read(bytes, head.end(), end);
    if (question == null) {
      return Found.OTHER;
    }
    ask(question, caller, turns);
    in.skipBytes(end);
    return Found.CHECK;
  }

  private @Nullable Caller caller() {
    return gatekeeper.isOpen()
        ? gatekeeper.anonymous()
        : gatekeeper.byHeader(head.authorization(), head.apiKey());
  }

  /** Asks once: whatever fails may have been decided, so that nothing asks it again. */
  private void ask(Question question, Caller caller, Turns turns) {
    Asker<Answer> turn = turns.ask();
    try {
      checks.check(question, caller, head, turn);
    } catch (RuntimeException e) {
      turn.fail(e);
    }
    turns.asked();
  }

  ByteBuf reply(Answer answer, ByteBufAllocator alloc) {
    return reply.of(answer, alloc);
  }

  ByteBuf reply(Refusal refusal, ByteBufAllocator alloc) {
    return reply.of(refusal, alloc);
  }
}
