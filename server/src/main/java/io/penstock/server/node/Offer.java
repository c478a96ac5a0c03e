package io.penstock.server.node;

import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyDocument;
import org.jspecify.annotations.Nullable;

/**
 * What one document offers to all scopes that have it: its grant changes when its tier does, for
 * all of them at once. Thread-safe; changed only by the {@link PolicyBook}.
 */
final class Offer {
  private final String document;
  private final @Nullable String tier;
  private volatile Grant grant;
  private int holders;

  Offer(String document, @Nullable String tier, Grant grant) {
    this.document = document;
    this.tier = tier;
    this.grant = grant;
  }

  String document() {
    return document;
  }

  PolicyDocument parsed() {
    return PolicyDocument.parse(Kind.POLICY, document);
  }

  /** The followers of this and of all that say and read the same: they will follow it too. */
  Followers alike(Followers all) {
    return all.saying(parsed(), grant.counters());
  }

  /** The tier that the document refers to; null if it stands alone. */
  @Nullable String tier() {
    return tier;
  }

  Grant grant() {
    return grant;
  }

  void grant(Grant next) {
    grant = next;
  }

  /** Counts a scope that has this offer, or one that has it no more; answers how many have. */
  int held(int more) {
    holders += more;
    return holders;
  }
}
