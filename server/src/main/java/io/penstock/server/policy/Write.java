package io.penstock.server.policy;

import org.jspecify.annotations.Nullable;

/**
 * A change that somebody asks for, and what became of it. What was asked is immutable; the outcome
 * is guarded by the lock of the store.
 */
final class Write {
  /**
   * Who asks. Immutable.
   *
   * @param expected null for the file, which replaces whatever is there
   */
  record Asker(Source source, String by, @Nullable Expected expected) {}

  private static final int BY_CHARS_MAX = 256;
  private static final Asker FILE = new Asker(Source.FILE, "file", /* expected= */ null);

  final Kind kind;
  final String name;
  final @Nullable PolicyDocument document;
  final Asker asker;

  /** Whether the file takes over what was written by the API. */
  final boolean takesOver;

  private @Nullable Written written;
  private @Nullable RuntimeException refusal;

  private Write(
      Kind kind, String name, @Nullable PolicyDocument document, Asker asker, boolean takesOver) {
    this.kind = kind;
    this.name = name;
    this.document = document;
    this.asker = asker;
    this.takesOver = takesOver;
  }

  static Write put(Kind kind, String name, String json, Expected expected, String by) {
    Asker asker = new Asker(Source.API, cut(by), expected);
    return new Write(kind, name, PolicyDocument.parse(kind, json), asker, /* takesOver= */ false);
  }

  static Write delete(Kind kind, String name, Expected expected, String by) {
    Asker asker = new Asker(Source.API, cut(by), expected);
    return new Write(kind, name, /* document= */ null, asker, /* takesOver= */ false);
  }

  private static String cut(String by) {
    return by.length() <= BY_CHARS_MAX ? by : by.substring(0, BY_CHARS_MAX);
  }

  /** The file holds this document. */
  static Write ofFile(Kind kind, String name, PolicyDocument document, boolean takesOver) {
    return new Write(kind, name, document, FILE, takesOver);
  }

  /** The file holds no document of that name any more. */
  static Write goneFromFile(Kind kind, String name) {
    return new Write(kind, name, /* document= */ null, FILE, /* takesOver= */ false);
  }

  /** What it is about, as a log says it. */
  @Override
  public String toString() {
    return kind == Kind.TIER ? "tier " + name : name;
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
