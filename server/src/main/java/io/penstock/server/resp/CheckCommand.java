package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import io.penstock.server.fields.Whole;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Node;
import io.penstock.server.node.Part;
import io.penstock.server.node.RefundRefusedException;
import io.penstock.server.ops.Decisions;
import io.penstock.server.ops.Origin;
import io.penstock.server.security.Role;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code PENSTOCK.CHECK}: a check of one descriptor under its policy. Thread-safe. */
final class CheckCommand {
  static final String NAME = "penstock.check";

  private static final byte[] COST = "COST".getBytes(US_ASCII);
  private static final byte[] ID = "ID".getBytes(US_ASCII);
  private static final int FIRST_PAIR = 2;

  /** What is told where a number would have to be 0 or endless: nothing is counted. */
  private static final long NOT_COUNTED = -1;

  private final Node node;
  private final Decisions decisions;
  private final Bounds bounds;

  CheckCommand(Node node, Decisions decisions, Bounds bounds) {
    this.node = node;
    this.decisions = decisions;
    this.bounds = bounds;
  }

  /** {@code PENSTOCK.CHECK domain key value [key value …] [COST n] [ID id]}. */
  void check(Session session, Request request, Output out) {
    if (request.count() % 2 != 0) {
      throw Command.wrongArity(NAME);
    }
    String domain = name(request, 1, "domain", bounds.keyLength());
    if (!session.may(Role.CHECK, domain)) {
      throw Command.notAllowed(NAME);
    }
    int options = FIRST_PAIR + 2;
    while (options < request.count() && !isOption(request, options)) {
      options += 2;
    }
    Descriptor descriptor = descriptor(request, options);
    long cost = 1;
    String id = null;
    boolean hasCost = false;
    for (int i = options; i < request.count(); i += 2) {
      if (request.is(i, COST) && !hasCost) {
        cost = request.number(i + 1, "COST");
        hasCost = true;
      } else if (request.is(i, ID) && id == null) {
        id = name(request, i + 1, "ID", bounds.requestIdLength());
      } else {
        throw RefusedException.value("option", request.quote(i), "COST n and ID id, each once");
      }
    }
    send(session, domain, new Asked(descriptor, cost, /* given= */ null), id);
  }

  private static boolean isOption(Request request, int index) {
    return request.is(index, COST) || request.is(index, ID);
  }

  private Descriptor descriptor(Request request, int end) {
    int count = (end - FIRST_PAIR) / 2;
    if (count > bounds.entries()) {
      throw RefusedException.value("entries", Integer.toString(count), "<= " + bounds.entries());
    }
    List<Entry> entries = new ArrayList<>(count);
    for (int i = FIRST_PAIR; i < end; i += 2) {
      String key = name(request, i, "key", bounds.keyLength());
      entries.add(new Entry(key, text(request, i + 1, "value", bounds.valueLength())));
    }
    return new Descriptor(entries);
  }

  /** A text that must not be empty. */
  private static String name(Request request, int index, String name, int bytesMax) {
    if (request.length(index) == 0) {
      throw RefusedException.value(name, "", "at least one character");
    }
    return text(request, index, name, bytesMax);
  }

  private static String text(Request request, int index, String name, int bytesMax) {
    if (request.length(index) > bytesMax) {
      throw RefusedException.value(
          name, request.length(index) + " bytes", "<= " + bytesMax + " bytes");
    }
    return request.text(index, name);
  }

  private void send(Session session, String domain, Asked asked, @Nullable String id) {
    boolean mayRefund = session.may(Role.ADMIN, domain);
    Replies replies = session.replies();
    boolean resp3 = session.resp3();
    Slot<Answer> slot = replies.slot((answer, out) -> write(answer, resp3, out));
    try {
      CheckRequest check = new CheckRequest(domain, List.of(asked), id, mayRefund);
      node.check(check, decisions.watch(check, Origin.NONE, slot));
    } catch (RefundRefusedException e) {
      throw new RefusedException("NOPERM " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new RefusedException("ERR " + e.getMessage());
    }
    replies.settle(slot);
  }

  /** Writes an answer: first what {@code CL.THROTTLE} says, then what it cannot say. */
  static void write(Answer answer, boolean resp3, Output out) {
    Part part = answer.part();
    Meter meter = part.meter();
    out.array(11);
    out.integer(answer.allowed() ? 0 : 1);
    out.integer(meter == null ? NOT_COUNTED : answer.limit());
    out.integer(meter == null && answer.allowed() ? NOT_COUNTED : answer.remaining());
    out.integer(ThrottleCommand.retryAfterSeconds(answer.allowed(), answer.retryAfterNanos()));
    out.integer(Whole.secondsUntilFull(answer.resetAfterNanos(), answer.limit()));
    out.bulk(answer.why().text());
    String policy = part.policy();
    if (policy == null) {
      out.nil(resp3);
    } else {
      out.bulk(policy);
    }
    out.integer(part.policyVersion());
    out.bulk(answer.durability().text());
    out.integer(Whole.millis(answer.waitNanos()));
    out.integer(answer.duplicate() ? 1 : 0);
  }
}
