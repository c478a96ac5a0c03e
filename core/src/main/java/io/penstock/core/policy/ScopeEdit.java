package io.penstock.core.policy;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes to an index, one or millions, that become a new one. Confined to one thread.
 *
 * @param <V> what applies at a scope
 */
public final class ScopeEdit<V> {
  private final EdgeEdit edges;
  private final Hashes hashes;
  private int size;
  private long nextId;

  ScopeEdit(ScopeIndex<V> index) {
    this.edges = new EdgeEdit(index.tree().edges());
    this.hashes = index.tree().hashes();
    this.size = index.size();
    this.nextId = index.nextId();
  }

  private Tree tree() {
    return new Tree(edges.live(), hashes);
  }

  /** Puts what applies at a scope in the place of what did. */
  public void put(Scope scope, V value) {
    Objects.requireNonNull(value, "value");
    Object domain = grown(tree().domain(scope.domain()), scope.levels(), 0, value);
    setDomain(scope.domain(), domain);
  }

  /** What a node becomes once a value is put below it. */
  private Object grown(@Nullable Object node, List<Level> levels, int depth, V value) {
    if (depth == levels.size()) {
      boolean isNew = node == null || (node instanceof Fork fork && fork.value() == null);
      size += isNew ? 1 : 0;
      return node instanceof Fork fork ? fork.withValue(value) : value;
    }
    Fork fork = node instanceof Fork same ? same : new Fork(nextId++, node, /* children= */ 0);
    Object child = tree().child(fork, levels.get(depth));
    Object after = grown(child, levels, depth + 1, value);
    if (after != child) {
      setChild(fork, levels.get(depth), after);
    }
    return child == null ? fork.withChildren(fork.children() + 1) : fork;
  }

  /** Takes away what applies at a scope, if anything does. */
  public void remove(Scope scope) {
    Object domain = tree().domain(scope.domain());
    if (domain != null) {
      setDomain(scope.domain(), pruned(domain, scope.levels(), 0));
    }
  }

  /** What a node becomes once a value below it is taken away; null if nothing is left. */
  private @Nullable Object pruned(Object node, List<Level> levels, int depth) {
    if (depth == levels.size()) {
      boolean isThere = !(node instanceof Fork fork && fork.value() == null);
      size -= isThere ? 1 : 0;
      return node instanceof Fork fork ? fork.withValue(null) : null;
    }
    Object child = node instanceof Fork fork ? tree().child(fork, levels.get(depth)) : null;
    if (!(node instanceof Fork fork) || child == null) {
      return node;
    }
    Object after = pruned(child, levels, depth + 1);
    if (after != child) {
      setChild(fork, levels.get(depth), after);
    }
    if (after != null) {
      return fork;
    }
    return fork.children() > 1 ? fork.withChildren(fork.children() - 1) : fork.value();
  }

  private void setDomain(String domain, @Nullable Object target) {
    set(Tree.domains(), domain, hashes.of(domain), target);
  }

  private void setChild(Fork fork, Level level, @Nullable Object target) {
    String key = level.key();
    long keyHash = hashes.of(key);
    Glob value = level.value();
    if (value == null) {
      set(Tree.bare(fork), key, keyHash, target);
    } else if (value.isExact()) {
      long valueHash = hashes.of(value.exact());
      long head = Hashes.head(Tree.exact(fork), keyHash, valueHash);
      edges.put(head, key, value.exact(), target);
    } else {
      Wildcards wildcards = tree().wildcards(fork, key, keyHash).with(value, target);
      set(Tree.wild(fork), key, keyHash, wildcards.isEmpty() ? null : wildcards);
    }
  }

  /** Sets the end of an edge that has no value; null removes it. */
  private void set(long place, String key, long keyHash, @Nullable Object target) {
    edges.put(Hashes.head(place, keyHash, /* valueHash= */ 0), key, "", target);
  }

  /** The index of all changes so far. */
  public ScopeIndex<V> done() {
    return new ScopeIndex<>(new Tree(edges.done(), hashes), size, nextId);
  }
}
