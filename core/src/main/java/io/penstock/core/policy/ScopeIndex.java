package io.penstock.core.policy;

import io.penstock.core.state.KeyHash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What applies at each scope, and which of them to a descriptor. Immutable: a change makes a new
 * index that shares all but a few kilobytes with the old one. Lookups lock and allocate nothing.
 *
 * <p>A tree: the domain, then one level after another. At each level the exact value goes before
 * the wildcards, the one with the longest literal text first, and those before the bare key; a way
 * that ends nowhere is left for the next (R17).
 *
 * @param <V> what applies
 */
public final class ScopeIndex<V> {
  /** Where a domain is in the tree. */
  private record Place(String domain, Object node) {}

  private final Tree tree;
  private final int size;
  private final long nextId;

  /*
   * The domain that was found first, which mostly is the only one: to find it anew would be a tenth
   * of a lookup. Not volatile: whoever does not see it finds the same.
   */
  private @Nullable Place first;

  ScopeIndex(Tree tree, int size, long nextId) {
    this.tree = tree;
    this.size = size;
    this.nextId = nextId;
  }

  /** An index of nothing; its secret keeps others from aiming collisions. */
  public static <V> ScopeIndex<V> empty(KeyHash secret) {
    return new ScopeIndex<>(
        new Tree(Edges.none(), new Hashes(secret)), /* size= */ 0, Tree.ROOT + 1);
  }

  /** Many changes that become one new index. */
  public ScopeEdit<V> edit() {
    return new ScopeEdit<>(this);
  }

  /** This, with what applies at a scope. */
  public ScopeIndex<V> with(Scope scope, V value) {
    ScopeEdit<V> edit = edit();
    edit.put(scope, value);
    return edit.done();
  }

  /** This, with nothing at a scope. */
  public ScopeIndex<V> without(Scope scope) {
    ScopeEdit<V> edit = edit();
    edit.remove(scope);
    return edit.done();
  }

  Tree tree() {
    return tree;
  }

  long nextId() {
    return nextId;
  }

  public int size() {
    return size;
  }

  /** What applies to a descriptor; null if nothing does. */
  public @Nullable V find(String domain, Descriptor descriptor) {
    List<Entry> entries = descriptor.entries();
    return entries.size() > Scope.LEVELS_MAX || domain.length() > Scope.LENGTH_MAX
        ? null
        : find(node(domain), entries, 0);
  }

  private @Nullable Object node(String domain) {
    Place known = first;
    if (known != null && known.domain.equals(domain)) {
      return known.node;
    }
    Object node = tree.domain(domain);
    if (known == null && node != null) {
      first = new Place(domain, node);
    }
    return node;
  }

  /** What applies to the rest of a descriptor's entries below a node. */
  private @Nullable V find(@Nullable Object node, List<Entry> entries, int depth) {
    if (depth == entries.size()) {
      return value(node);
    }
    String key = entries.get(depth).key();
    String value = entries.get(depth).value();
    if (!(node instanceof Fork fork) || key.length() > Scope.LENGTH_MAX) {
      return null;
    }
    long keyHash = tree.hashes().of(key);
    if (value.length() <= Scope.LENGTH_MAX) {
      V found = find(tree.exact(fork, key, keyHash, value), entries, depth + 1);
      if (found != null) {
        return found;
      }
    }
    Wildcards wildcards = tree.wildcards(fork, key, keyHash);
    Glob glob = wildcards.next(value, /* after= */ null);
    for (; glob != null; glob = wildcards.next(value, glob)) {
      V found = find(wildcards.get(glob), entries, depth + 1);
      if (found != null) {
        return found;
      }
    }
    return find(tree.bare(fork, key, keyHash), entries, depth + 1);
  }

  /** What is at exactly this scope; null if nothing is. */
  public @Nullable V get(Scope scope) {
    Object node = tree.domain(scope.domain());
    for (Level level : scope.levels()) {
      node = node instanceof Fork fork ? tree.child(fork, level) : null;
    }
    return value(node);
  }

  /**
   * What applies to a scope as a whole if nothing is at that scope itself: the most specific of
   * those that cover every descriptor it stands for; null if there is none.
   */
  public @Nullable V findLess(Scope scope) {
    return covering(tree.domain(scope.domain()), scope.levels(), 0, /* own= */ true);
  }

  /** As {@link #find}, with levels in the place of entries. */
  private @Nullable V covering(@Nullable Object node, List<Level> levels, int depth, boolean own) {
    if (depth == levels.size()) {
      return own ? null : value(node);
    }
    if (!(node instanceof Fork fork)) {
      return null;
    }
    String key = levels.get(depth).key();
    long keyHash = tree.hashes().of(key);
    Glob value = levels.get(depth).value();
    if (value != null && value.isExact()) {
      Object child = tree.exact(fork, key, keyHash, value.exact());
      V found = covering(child, levels, depth + 1, own);
      if (found != null) {
        return found;
      }
    }
    Wildcards wildcards = tree.wildcards(fork, key, keyHash);
    Glob glob = value == null ? null : wildcards.nextCovering(value, /* after= */ null);
    for (; glob != null && value != null; glob = wildcards.nextCovering(value, glob)) {
      Object child = wildcards.get(glob);
      V found = covering(child, levels, depth + 1, own && glob.equals(value));
      if (found != null) {
        return found;
      }
    }
    return covering(tree.bare(fork, key, keyHash), levels, depth + 1, own && value == null);
  }

  @SuppressWarnings("unchecked") // only values of this index are put into its tree
  private @Nullable V value(@Nullable Object node) {
    return (V) (node instanceof Fork fork ? fork.value() : node);
  }
}
