package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyDocument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How tiers have changed, while policies are loaded. Confined to one thread.
 *
 * <p>The counters stored with a policy are those it read when it was put. A tier that changed since
 * has moved them, for all its policies at once, and that is in no row of theirs. So it is found
 * again from the changes of the tier: a node that was restarted reads the counters that the others
 * read.
 */
final class TierHistory {
  /** What a tier said from a change on. */
  private record Said(long revision, PolicyDocument document) {}

  /** Policies that are alike; there may be a million. */
  private record Alike(@Nullable String document, String counters, int changesBefore) {}

  private final Map<String, List<Said>> tiers = new HashMap<>();
  private final List<Long> revisions = new ArrayList<>();
  private final Map<Alike, Counters> known = new HashMap<>();
  private final KnownCounters read;

  /** None yet; says which counters policies read meanwhile. */
  TierHistory(KnownCounters read) {
    this.read = read;
  }

  /** Notes a change of a tier; they come in order. */
  void add(Change change) {
    String document = change.document();
    if (document == null) {
      // Nobody refers to it, or it could not have been deleted.
      tiers.remove(change.name());
      return;
    }
    revisions.add(change.revision());
    tiers
        .computeIfAbsent(change.name(), name -> new ArrayList<>())
        .add(new Said(change.revision(), PolicyDocument.parse(Kind.TIER, document)));
  }

  /** The counters that a policy reads now. */
  Counters counters(Change policy) {
    int before = changesBefore(policy.revision());
    return before == revisions.size()
        ? Counters.parse(policy.counters())
        : known.computeIfAbsent(
            new Alike(policy.document(), policy.counters(), before), alike -> moved(policy));
  }

  private int changesBefore(long revision) {
    int low = 0;
    int high = revisions.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (revisions.get(middle) < revision) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The counters of a policy, moved by each change of its tier since it was put. */
  private Counters moved(Change policy) {
    Counters counters = Counters.parse(policy.counters());
    String json = policy.document();
    PolicyDocument document = json == null ? null : PolicyDocument.parse(Kind.POLICY, json);
    String tier = document == null ? null : document.tier();
    if (document == null || tier == null) {
      return counters;
    }
    PolicyDocument before = null;
    for (Said said : tiers.getOrDefault(tier, List.of())) {
      if (before != null && said.revision() > policy.revision()) {
        List<Limit> next = Grant.limits(document.terms(said.document()));
        counters = counters.next(Grant.limits(document.terms(before)), next);
        read.add(next, counters);
      }
      before = said.document();
    }
    return counters;
  }
}
