package io.penstock.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.state.KeyHash;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Whatever is put and removed, the index answers as a list that is searched from end to end. */
class ScopeIndexLawTest {
  private static final KeyHash SECRET = new KeyHash(1, 2);
  private static final String UNUSED = "\u2603";

  /** One change: a scope with a value, or without one to remove it. */
  record Change(Scope scope, @Nullable String value) {}

  @Property(tries = 400)
  void index_afterAnyChanges_answersAsTheNaiveBook(
      @ForAll("changes") List<Change> changes, @ForAll("asked") List<Descriptor> asked) {
    NaiveBook book = new NaiveBook();
    ScopeIndex<String> index = ScopeIndex.empty(SECRET);
    for (Change change : changes) {
      String value = change.value();
      if (value == null) {
        book.remove(change.scope());
        index = index.without(change.scope());
      } else {
        book.put(change.scope(), value);
        index = index.with(change.scope(), value);
      }
    }
    assertThat(index.size()).isEqualTo(book.size());
    for (Descriptor descriptor : asked) {
      assertThat(index.find("d", descriptor)).isEqualTo(book.find("d", descriptor));
    }
    for (Change change : changes) {
      assertThat(index.get(change.scope())).isEqualTo(book.get(change.scope()));
      assertThat(index.findLess(change.scope())).isEqualTo(book.findLess(change.scope(), UNUSED));
    }
  }

  @Property(tries = 400)
  void index_emptiedAgain_holdsNothing(@ForAll("changes") List<Change> changes) {
    ScopeIndex<String> index = ScopeIndex.empty(SECRET);
    for (Change change : changes) {
      index = index.with(change.scope(), "x");
    }
    for (Change change : changes) {
      index = index.without(change.scope());
    }
    assertThat(index.size()).isZero();
    assertThat(index.tree().domain("d")).isNull();
  }

  @Provide
  Arbitrary<List<Change>> changes() {
    Arbitrary<String> values = Arbitraries.strings().alpha().ofLength(4).injectNull(0.25);
    Arbitrary<Scope> scopes =
        levels().list().ofMinSize(1).ofMaxSize(3).map(levels -> Scope.of("d", levels));
    return Combinators.combine(scopes, values).as(Change::new).list().ofMaxSize(30);
  }

  private static Arbitrary<Level> levels() {
    Arbitrary<Glob> globs =
        Arbitraries.oneOf(
            texts(1).map(Glob::exactly),
            Combinators.combine(texts(0), texts(0)).as((a, b) -> Glob.of(a + "*" + b)),
            texts(0).map(text -> Glob.of("*" + text + "*")));
    return Combinators.combine(keys(), globs.injectNull(0.3)).as(Level::new);
  }

  @Provide
  Arbitrary<List<Descriptor>> asked() {
    return Combinators.combine(keys(), texts(0))
        .as(Entry::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(Descriptor::new)
        .list()
        .ofSize(40);
  }

  private static Arbitrary<String> keys() {
    return Arbitraries.of("k", "l");
  }

  private static Arbitrary<String> texts(int min) {
    return Arbitraries.strings().withChars("ab/=\0").ofMinLength(min).ofMaxLength(3);
  }
}
