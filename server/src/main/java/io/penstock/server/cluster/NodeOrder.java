package io.penstock.server.cluster;

/**
 * What one node asks another to do, or to tell of itself. Immutable.
 *
 * @param group which group it is about; empty if it is about none
 * @param node for whom; empty if for nobody
 */
record NodeOrder(Wish wish, String group, String node) {
  /** Tells these questions from those that only an owner answers. */
  static final int FORMAT = 2;

  /** What is asked for. */
  enum Wish {
    /** How it is. */
    TELL,
    /** To lead nothing more. */
    DRAIN,
    /** To keep a group that it is to lead, rather than others. */
    KEEP,
    /** To let another node lead a group. */
    MOVE,
    /** To tell how much is decided on its shards. */
    RATES,
    /** To tell which keys that is for. */
    KEYS,
    /** How it is, if it can take part in groups that come into being later (R19). */
    GROW
  }

  static NodeOrder of(Wish wish) {
    return new NodeOrder(wish, /* group= */ "", /* node= */ "");
  }

  /** Whether a question of another node is one of these. */
  static boolean isMeant(byte[] question) {
    return question.length > 0 && question[0] == FORMAT;
  }

  byte[] write() {
    return new Packing().number(FORMAT).word(wish).text(group).text(node).done();
  }

  static NodeOrder read(byte[] bytes) {
    Unpacking in = new Unpacking(bytes);
    in.format(FORMAT);
    NodeOrder order = new NodeOrder(in.word("wish", Wish.class), in.text("group"), in.text("node"));
    in.end();
    return order;
  }
}
