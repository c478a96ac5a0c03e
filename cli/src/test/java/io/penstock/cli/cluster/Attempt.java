package io.penstock.cli.cluster;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One check that a client has sent, and what it was told. Immutable.
 *
 * @param id its request id; null if it has none
 * @param node the node that was asked, counted from 0
 */
record Attempt(String key, @Nullable String id, int node, Span span, Verdict verdict) {
  private static final Pattern EPOCH =
      Pattern.compile("\"decidedBy\":\"n\\d shard \\d+ epoch (\\d+)");

  /** When it was sent, and when it was answered or given up. */
  record Span(long sentNanos, long heardNanos) {}

  /** What a client can tell from an answer. */
  enum Kind {
    ALLOWED,
    DENIED,
    /** Nobody decided in time: denied without being counted, or counted without being told. */
    FAIL_CLOSED,
    /** No answer at all: it may be counted. */
    SILENT,
    /** What no node may ever say: allowed without being counted, or something else altogether. */
    WRONG
  }

  /**
   * An answer.
   *
   * @param epoch of the owner that decided; 0 if none did
   * @param isDuplicate whether it is the first answer to its request id once more
   */
  record Verdict(Kind kind, long remaining, long epoch, boolean isDuplicate) {
    /** What an answer says of a key whose policy is of a consistency. */
    static Verdict of(Reply reply, String consistency) {
      Kind kind = kind(reply, consistency);
      boolean decided = kind == Kind.ALLOWED || kind == Kind.DENIED;
      Matcher epoch = EPOCH.matcher(reply.body());
      return new Verdict(
          kind,
          decided ? reply.remaining() : 0,
          decided && epoch.find() ? Long.parseLong(epoch.group(1)) : 0,
          reply.body().contains("\"duplicate\":true"));
    }

    private static Kind kind(Reply reply, String consistency) {
      if (reply.status() == 0 || reply.status() == 503) {
        return Kind.SILENT;
      }
      if (reply.isAllowed(consistency)) {
        return Kind.ALLOWED;
      }
      if (reply.isDenied(consistency)) {
        return Kind.DENIED;
      }
      boolean denies = reply.body().startsWith("{\"allowed\":false,");
      return denies && reply.body().contains("\"reason\":\"fail-closed\"")
          ? Kind.FAIL_CLOSED
          : Kind.WRONG;
    }

    /** Whether an owner has decided it just now; an answer that is repeated was decided before. */
    boolean isDecidedAnew() {
      return (kind == Kind.ALLOWED || kind == Kind.DENIED) && !isDuplicate;
    }
  }

  boolean isAllowed() {
    return verdict.kind == Kind.ALLOWED;
  }

  /** Whether it was allowed what was left of its key: that is at its limit from then on. */
  boolean isLast() {
    return isAllowed() && verdict.remaining == 0 && !verdict.isDuplicate;
  }

  /** Whether it may be counted although nobody said so. */
  boolean isUnknown() {
    return verdict.kind == Kind.FAIL_CLOSED || verdict.kind == Kind.SILENT;
  }
}
