package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Scope;
import io.penstock.core.policy.ScopeEdit;
import io.penstock.core.policy.ScopeIndex;
import io.penstock.core.policy.Terms;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rules;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyDocument;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The policies in force, by scope. Thread-safe: one writer at a time, readers never wait.
 *
 * <p>A change of one scope that names a single key is carried out on that key at once ({@link
 * KeyMover}). A change that concerns many keys gives them new rules, and each key is converted when
 * it is next touched, as of the instant of the change.
 */
final class PolicyBook {
  private record Content(String document, Counters counters) {}

  private final Rules rules;
  private final KnownCounters known;
  private final Map<String, PolicyDocument> tiers = new HashMap<>();
  private final Map<String, Set<Offer>> offersOfTier = new HashMap<>();
  private final Map<Content, Offer> offers = new HashMap<>();
  private final RuleUse use;
  private volatile ScopeIndex<Placed> index;
  private volatile long revision;

  PolicyBook(Rules rules, KnownCounters known, KeyHash secret) {
    this.rules = rules;
    this.known = known;
    this.use = new RuleUse(rules, known);
    this.index = ScopeIndex.empty(secret);
  }

  /** The policy that applies to a descriptor, or null. */
  @Nullable Placed find(String domain, Descriptor descriptor) {
    return index.find(domain, descriptor);
  }

  /** The number of the newest change that is in force. */
  long revision() {
    return revision;
  }

  /** The counters that a policy would read if it were put now: decided before it is stored. */
  synchronized Counters counters(Kind kind, String name, String document) {
    PolicyDocument parsed = PolicyDocument.parse(kind, document);
    if (kind == Kind.TIER) {
      PolicyDocument old = tiers.get(name);
      return old == null
          ? Counters.PLAIN
          : Counters.PLAIN.next(Grant.limits(old.terms(null)), Grant.limits(parsed.terms(null)));
    }
    Placed old = applied(Scope.parse(name));
    if (old == null) {
      return Counters.PLAIN;
    }
    Grant grant = old.offer().grant();
    return grant.counters().next(grant.limits(), Grant.limits(terms(parsed)));
  }

  /** Takes over all that was stored, changes of tiers first, before anything is decided. */
  synchronized void load(Consumer<Consumer<Change>> stored) {
    ScopeEdit<Placed> edit = index.edit();
    TierHistory past = new TierHistory(known);
    stored.accept(change -> load(change, edit, past));
    index = edit.done();
  }

  private void load(Change change, ScopeEdit<Placed> edit, TierHistory past) {
    Uncounted.tell(change);
    revision = Math.max(revision, change.revision());
    if (change.kind() == Kind.TIER) {
      past.add(change);
      keepTier(change);
      return;
    }
    String document = change.document();
    if (document == null) {
      return;
    }
    Scope scope = Scope.parse(change.name());
    Offer offer = offer(scope, null, document, past.counters(change), /* nowNanos= */ 0);
    edit.put(scope, new Placed(change.name(), change.version(), offer));
  }

  /** Puts a change in force. */
  synchronized void apply(Change change, long nowNanos, KeyMover mover) {
    if (change.kind() == Kind.TIER) {
      changeTier(change, nowNanos);
    } else {
      changePolicy(change, nowNanos, mover);
    }
    revision = Math.max(revision, change.revision());
  }

  private void changePolicy(Change change, long nowNanos, KeyMover mover) {
    Counters counters = Counters.parse(change.counters());
    Scope scope = Scope.parse(change.name());
    Placed own = index.get(scope);
    Placed old = own == null ? index.findLess(scope) : own;
    Grant from = old == null ? null : old.offer().grant();
    Descriptor single = SingleKey.of(scope);
    String document = change.document();
    Offer offer = document == null ? null : offer(scope, from, document, counters, nowNanos);
    index =
        offer == null
            ? index.without(scope)
            : index.with(scope, new Placed(change.name(), change.version(), offer));
    Grant to = grant(scope);
    if (single != null) {
      mover.move(scope.domain(), single, from, to);
    }
    if (own != null) {
      release(own.offer(), to, nowNanos);
    }
  }

  /*
   * A scope of many keys has rules of its own, while there is room, although others have the same
   * limits: or a key that leaves it, as by its deletion, was taken for one of theirs.
   */
  private Offer offer(
      Scope scope, @Nullable Grant from, String document, Counters counters, long nowNanos) {
    if (SingleKey.of(scope) != null || (from == null && !rules.hasRoom())) {
      return offer(document, counters);
    }
    PolicyDocument parsed = PolicyDocument.parse(Kind.POLICY, document);
    Terms terms = terms(parsed);
    Placed own = index.get(scope);
    boolean alone = own != null && own.offer().tier() == null && own.offer().held(0) == 1;
    Followers followers =
        from == null ? Followers.ofNone(rules, nowNanos) : new Followers(rules, nowNanos);
    Grant grant =
        alone && from != null
            ? from.replacedBy(terms, counters, followers)
            : Grant.begun(from, terms, counters, followers);
    use.leave(from, grant, nowNanos);
    return held(new Offer(document, parsed.tier(), grant));
  }

  private void changeTier(Change change, long nowNanos) {
    PolicyDocument tier = keepTier(change);
    if (tier == null) {
      return;
    }
    Followers followers = new Followers(rules, nowNanos);
    for (Offer offer : List.copyOf(offersOfTier.getOrDefault(change.name(), Set.of()))) {
      Grant old = offer.grant();
      PolicyDocument own = offer.parsed();
      Terms next = own.terms(tier);
      Counters counters = old.counters().next(old.limits(), Grant.limits(next));
      Followers alike = followers.saying(own, old.counters());
      replace(offer, old, old.replacedBy(next, counters, alike), nowNanos);
    }
  }

  private @Nullable PolicyDocument keepTier(Change change) {
    String document = change.document();
    if (document == null) {
      tiers.remove(change.name());
      return null;
    }
    PolicyDocument tier = PolicyDocument.parse(Kind.TIER, document);
    tiers.put(change.name(), tier);
    known.add(tier.ownLimits(), Counters.PLAIN);
    return tier;
  }

  /** The offer of everybody with the same document. */
  private Offer offer(String document, Counters counters) {
    Offer offer = offers.get(new Content(document, counters));
    if (offer != null) {
      offer.held(1);
      return offer;
    }
    PolicyDocument parsed = PolicyDocument.parse(Kind.POLICY, document);
    Offer made = new Offer(document, parsed.tier(), Grant.shared(terms(parsed), counters, rules));
    offers.put(new Content(document, counters), made);
    return held(made);
  }

  private Offer held(Offer offer) {
    offer.held(1);
    use.begin(offer.grant());
    String tier = offer.tier();
    if (tier != null) {
      offersOfTier.computeIfAbsent(tier, name -> new HashSet<>()).add(offer);
    }
    return offer;
  }

  /** Lets a scope have an offer no more: its keys go on under another grant, if there is one. */
  private void release(Offer offer, @Nullable Grant to, long nowNanos) {
    if (offer.held(-1) > 0) {
      return;
    }
    offers.remove(new Content(offer.document(), offer.grant().counters()), offer);
    String tier = offer.tier();
    if (tier != null) {
      offersOfTier.getOrDefault(tier, new HashSet<>()).remove(offer);
    }
    use.end(offer.grant(), to, nowNanos);
  }

  private @Nullable Placed applied(Scope scope) {
    Placed own = index.get(scope);
    return own == null ? index.findLess(scope) : own;
  }

  private Terms terms(PolicyDocument document) {
    String tier = document.tier();
    PolicyDocument known = tier == null ? null : tiers.get(tier);
    if (tier != null && known == null) {
      throw document.unknownTier();
    }
    return document.terms(known);
  }

  /** What a document would say now. */
  synchronized Terms terms(String document) {
    return terms(PolicyDocument.parse(Kind.POLICY, document, tiers::get));
  }

  /** What applies at a scope now, or would if it had no policy of its own; null if nothing does. */
  @Nullable Grant grant(Scope scope) {
    Placed placed = applied(scope);
    return placed == null ? null : placed.offer().grant();
  }

  /** An offer with the limits of a tier, as nearly all that refer to it have; null if none has. */
  synchronized @Nullable Offer offerLike(String tier) {
    PolicyDocument known = tiers.get(tier);
    List<Limit> limits = known == null ? List.of() : Grant.limits(known.terms(null));
    for (Offer offer : offersOfTier.getOrDefault(tier, Set.of())) {
      if (offer.grant().limits().equals(limits)) {
        return offer;
      }
    }
    return null;
  }

  /** Lets nobody owe more than fits, of the keys of a scope or of a tier. */
  synchronized void forgive(Kind kind, String name, long nowNanos) {
    Followers followers = new Followers(rules, nowNanos);
    if (kind == Kind.TIER) {
      for (Offer offer : List.copyOf(offersOfTier.getOrDefault(name, Set.of()))) {
        Grant old = offer.grant();
        replace(offer, old, old.forgiven(offer.alike(followers), rule -> true), nowNanos);
      }
      return;
    }
    Scope scope = Scope.parse(name);
    Placed own = index.get(scope);
    if (own != null) {
      Offer shared = own.offer();
      boolean isOnly = shared.held(0) == 1;
      Grant forgiven = shared.grant().forgiven(followers, rule -> isOnly && use.isUsedOnce(rule));
      use.leave(shared.grant(), forgiven, nowNanos);
      Offer alone = held(new Offer(shared.document(), shared.tier(), forgiven));
      index = index.with(scope, new Placed(name, own.version(), alone));
      release(shared, forgiven, nowNanos);
    }
  }

  private void replace(Offer offer, Grant old, Grant next, long nowNanos) {
    use.begin(next);
    use.leave(old, next, nowNanos);
    offer.grant(next);
    use.end(old, next, nowNanos);
    /* Whoever comes later shares it only if he reads the counters that it reads by now. */
    if (offers.remove(new Content(offer.document(), old.counters()), offer)) {
      offers.putIfAbsent(new Content(offer.document(), next.counters()), offer);
    }
  }

  /** A grant for single keys, which keeps the rules it needs until it is let go. */
  synchronized Grant hold(Terms terms, Counters counters) {
    Grant grant = Grant.shared(terms, counters, rules);
    use.begin(grant);
    return grant;
  }

  synchronized void letGo(Grant grant, long nowNanos) {
    use.end(grant, /* to= */ null, nowNanos);
  }
}
