package io.penstock.server.policy;

import org.jspecify.annotations.Nullable;

/**
 * A change that somebody asks for, and what became of it. What was asked is immutable; the outcome
 * is guarded by the lock of the store.
 */
final class Write {
  final Kind kind;
  final String name;
  final Expected expected;
  final String by;
  final @Nullable PolicyDocument document;

  private @Nullable Written written;
  private @Nullable RuntimeException refusal;

  private Write(
      Kind kind, String name, @Nullable PolicyDocument document, Expected expected, String by) {
    this.kind = kind;
    this.name = name;
    this.expected = expected;
    this.by = by;
    this.document = document;
  }

  static Write put(Kind kind, String name, String json, Expected expected, String by) {
    return new Write(kind, name, PolicyDocument.parse(kind, json), expected, by);
  }

  static Write delete(Kind kind, String name, Expected expected, String by) {
    return new Write(kind, name, /* document= */ null, expected, by);
  }

  void done(Written written) {
    this.written = written;
  }

  void refuse(RuntimeException refusal) {
    this.refusal = refusal;
  }

  boolean isSettled() {
    return written != null || refusal != null;
  }

  Written result() {
    if (refusal != null) {
      throw refusal;
    }
    if (written == null) {
      throw new IllegalStateException(name + ": asked for and not settled");
    }
    return written;
  }
}
