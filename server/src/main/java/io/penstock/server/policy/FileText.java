package io.penstock.server.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a policy file says, and what is wrong with that by itself. Immutable.
 *
 * @param documents all that could be read, also where something is wrong with them
 * @param wrongTiers the names of tiers that are there, and whose settings nobody knows
 * @param problems what is wrong, whatever tiers there are elsewhere; the first hundred of more
 */
public record FileText(
    List<FileDocument> documents, Set<String> wrongTiers, List<Problem> problems) {

  /** Finds a tier by its name; null if there is none. */
  @FunctionalInterface
  public interface Tiers {
    @Nullable PolicyDocument find(String name);
  }

  public FileText {
    documents = List.copyOf(documents);
    wrongTiers = Set.copyOf(wrongTiers);
    problems = problems.stream().limit(InvalidPolicyException.PROBLEMS_MAX).toList();
  }

  /** The tiers that policies of the file refer to and that it does not have. */
  public Set<String> tiersElsewhere() {
    Set<String> names = new TreeSet<>();
    for (FileDocument each : documents) {
      String tier = each.document().tier();
      if (tier != null) {
        names.add(tier);
      }
    }
    names.removeAll(wrongTiers);
    names.removeAll(tiers().keySet());
    return names;
  }

  private Map<String, PolicyDocument> tiers() {
    Map<String, PolicyDocument> tiers = new HashMap<>();
    for (FileDocument each : documents) {
      if (each.kind() == Kind.TIER) {
        tiers.put(each.name(), each.document());
      }
    }
    return tiers;
  }

  /**
   * Everything that is wrong with the file, also between its policies and their tiers.
   *
   * @param elsewhere where those are that the file does not have
   */
  public List<Problem> problemsBeside(Tiers elsewhere) {
    List<Problem> all = new ArrayList<>(problems);
    Map<String, PolicyDocument> tiers = tiers();
    for (FileDocument each : documents) {
      String tier = each.document().tier();
      if (all.size() >= InvalidPolicyException.PROBLEMS_MAX) {
        break;
      }
      if (tier != null && !wrongTiers.contains(tier)) {
        PolicyDocument known = tiers.get(tier);
        each.document().addOfTier(name -> known == null ? elsewhere.find(name) : known, all);
      }
    }
    return all;
  }
}
