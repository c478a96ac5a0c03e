package io.penstock.server.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of shards that came into being after its cluster, or became spare, as the nodes have
 * agreed (R16, R19). Immutable.
 *
 * @param number one more than that of the last group, if it comes into being
 * @param founders with whom it begins, as nodes name each other; of a group that there was, who
 *     agreed
 * @param filled whether it has got its share of the shards; if not, it gets it, or gives it up
 */
public record LateGroup(int number, String founders, boolean filled) {
  /** The same with its share. */
  public LateGroup full() {
    return new LateGroup(number, founders, /* filled= */ true);
  }

  /** The same without: there are fewer nodes than groups. */
  public LateGroup spare() {
    return new LateGroup(number, founders, /* filled= */ false);
  }

  /** What a proposal makes of it after all that there are; null if it does not follow. */
  @Nullable LateGroup after(List<LateGroup> before) {
    for (LateGroup each : before) {
      if (each.number == number) {
        return each.founders.equals(founders) && (filled || each.filled) ? this : null;
      }
    }
    int last = before.isEmpty() ? number - 1 : before.get(before.size() - 1).number;
    return !filled && number <= last + 1 ? this : null;
  }
}
