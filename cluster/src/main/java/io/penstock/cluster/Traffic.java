package io.penstock.cluster;

import java.util.concurrent.atomic.LongAdder;

/** Counts what goes over the streams between this node and others. Thread-safe. */
public final class Traffic {
  /** Messages of one sort, and what they carried. Thread-safe. */
  public static final class Count {
    private final LongAdder messages = new LongAdder();
    private final LongAdder letters = new LongAdder();

    void add(int carried) {
      messages.increment();
      letters.add(carried);
    }

    /** Messages that were sent. */
    public long messages() {
      return messages.sum();
    }

    /** Questions or answers in them: by their ratio, how many go together. */
    public long letters() {
      return letters.sum();
    }
  }

  private final Count questions = new Count();
  private final Count answers = new Count();
  private final LongAdder outstanding = new LongAdder();

  /** What this node asked others. */
  public Count questions() {
    return questions;
  }

  /** What this node answered others. */
  public Count answers() {
    return answers;
  }

  void asked(int more) {
    outstanding.add(more);
  }

  /** Questions of this node that no answer has come to yet. */
  public long outstanding() {
    return outstanding.sum();
  }
}
