package io.penstock.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.core.state.KeyHash;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which scope applies to a descriptor, and what a change of the index leaves alone. */
class ScopeIndexTest {
  private static final KeyHash SECRET = new KeyHash(1, 2);

  private static ScopeIndex<String> index(String... scopes) {
    ScopeEdit<String> edit = ScopeIndex.<String>empty(SECRET).edit();
    for (String scope : scopes) {
      edit.put(Scope.parse(scope), scope);
    }
    return edit.done();
  }

  private static @Nullable String find(ScopeIndex<String> index, String... keysAndValues) {
    return index.find("api", Descriptor.of(keysAndValues));
  }

  @Test
  void find_exactWildcardAndBare_takesTheMostSpecific() {
    ScopeIndex<String> index = index("api/user", "api/user=ac*", "api/user=acme*", "api/user=acme");
    assertThat(find(index, "user", "acme")).isEqualTo("api/user=acme");
    assertThat(find(index, "user", "acme2")).isEqualTo("api/user=acme*");
    assertThat(find(index, "user", "ac")).isEqualTo("api/user=ac*");
    assertThat(find(index, "user", "bob")).isEqualTo("api/user");
  }

  @Test
  void find_otherDomainOrKeys_findsNothing() {
    ScopeIndex<String> index = index("api/plan=free/user", "api/user");
    assertThat(index.find("web", Descriptor.of("user", "1"))).isNull();
    assertThat(find(index, "plan", "free")).isNull();
    assertThat(find(index, "user", "1", "plan", "free")).isNull();
    assertThat(find(index, "plan", "free", "user", "1", "more", "x")).isNull();
    assertThat(find(index, "plan", "paid", "user", "1")).isNull();
    assertThat(find(index, "plan", "free", "user", "1")).isEqualTo("api/plan=free/user");
    assertThat(find(index, "User", "1")).isNull();
  }

  @Test
  void find_domainsInTurn_eachHasItsOwn() {
    ScopeIndex<String> index = index("api/user", "web/user");
    for (int i = 0; i < 3; i++) {
      for (String domain : List.of("api", "web")) {
        assertThat(index.find(domain, Descriptor.of("user", "1"))).isEqualTo(domain + "/user");
      }
      assertThat(index.find("none", Descriptor.of("user", "1"))).isNull();
    }
    ScopeIndex<String> changed = index.without(Scope.parse("api/user"));
    assertThat(changed.find("api", Descriptor.of("user", "1"))).isNull();
    assertThat(index.find("api", Descriptor.of("user", "1"))).isEqualTo("api/user");
  }

  @Test
  void find_textsOfAnyLength_areToldApart() {
    List<String> scopes = new ArrayList<>();
    for (int length = 1; length < 200; length++) {
      for (char c : new char[] {'a', 'b', 'é', '語'}) {
        scopes.add("api/user=" + "a".repeat(length - 1) + c);
        scopes.add("api/" + "k".repeat(length) + c + "=1");
      }
    }
    ScopeIndex<String> index = index(scopes.toArray(String[]::new));
    for (String scope : scopes) {
      assertThat(index.get(Scope.parse(scope))).isEqualTo(scope);
    }
  }

  @Test
  void r17_specificWayThatEndsNowhere_backtracks() {
    ScopeIndex<String> index =
        index("api/plan=free/user=7", "api/plan=f*/user=8", "api/plan/user", "api/plan=free/k/k");
    assertThat(find(index, "plan", "free", "user", "7")).isEqualTo("api/plan=free/user=7");
    assertThat(find(index, "plan", "free", "user", "8")).isEqualTo("api/plan=f*/user=8");
    assertThat(find(index, "plan", "free", "user", "9")).isEqualTo("api/plan/user");
  }

  @Test
  void find_oneWildcardEndsNowhere_triesTheNextOne() {
    ScopeIndex<String> index = index("api/p=/a/b*/user=1", "api/p=/a*/user=2", "api/p=*/user=3");
    assertThat(find(index, "p", "/a/b/c", "user", "1")).isNull();
    index = index("api/p=\\/a\\/b*/user=1", "api/p=\\/a*/user=2", "api/p=*/user=3");
    assertThat(find(index, "p", "/a/b/c", "user", "1")).isEqualTo("api/p=\\/a\\/b*/user=1");
    assertThat(find(index, "p", "/a/b/c", "user", "2")).isEqualTo("api/p=\\/a*/user=2");
    assertThat(find(index, "p", "/a/b/c", "user", "3")).isEqualTo("api/p=*/user=3");
  }

  @Test
  void r17_amongThousandsOfWildcards_takesTheLongestText() {
    ScopeEdit<String> edit = ScopeIndex.<String>empty(SECRET).edit();
    for (int i = 0; i < 3_000; i++) {
      edit.put(Scope.parse("api/path=/t" + i + "/*"), "t" + i);
    }
    edit.put(Scope.parse("api/path=/t1*/x"), "long end");
    edit.put(Scope.parse("api/path=*"), "any");
    ScopeIndex<String> index = edit.done();
    for (int i = 0; i < 3_000; i++) {
      assertThat(find(index, "path", "/t" + i + "/a")).isEqualTo("t" + i);
    }
    assertThat(find(index, "path", "/t1/x")).isEqualTo("long end");
    assertThat(find(index, "path", "/t123/x")).isEqualTo("t123");
    assertThat(find(index, "path", "/t3000/x")).isEqualTo("any");
    assertThat(find(index.without(Scope.parse("api/path=/t123/*")), "path", "/t123/x"))
        .isEqualTo("long end");
  }

  @Test
  void find_valuesThatLookLikeScopes_areOnlyValues() {
    ScopeIndex<String> index =
        index("api/user=", "api/user=\0", "api/a=b/c=d", "api/e=/search", "api/x=\\*", "api/y=a=b");
    assertThat(find(index, "user", "")).isEqualTo("api/user=");
    assertThat(find(index, "user", "\0")).isEqualTo("api/user=\0");
    assertThat(find(index, "user", "\0\0")).isNull();
    assertThat(find(index, "a", "b/c=d")).isNull();
    assertThat(find(index, "a=b", "", "c=d", "")).isNull();
    assertThat(find(index, "e", "/search")).isEqualTo("api/e=/search");
    assertThat(find(index, "e", "", "search", "")).isNull();
    assertThat(find(index, "x", "*")).isEqualTo("api/x=\\*");
    assertThat(find(index, "x", "y")).isNull();
    assertThat(find(index, "y", "a=b")).isEqualTo("api/y=a=b");
    assertThat(find(index, "y=a", "b")).isNull();
  }

  @Test
  void find_hugeTextsAndManyEntries_areOnlyNotFound() {
    String huge = "x".repeat(70_000);
    ScopeIndex<String> index = index("api/user", "api/k=x*");
    assertThat(find(index, "user", huge)).isEqualTo("api/user");
    assertThat(find(index, "k", huge)).isEqualTo("api/k=x*");
    assertThat(find(index, huge, "1")).isNull();
    assertThat(index.find(huge, Descriptor.of("user", "1"))).isNull();
    assertThat(find(index, Stream.generate(() -> "user").limit(64).toArray(String[]::new)))
        .isNull();
  }

  @Test
  void find_latin1AndWideTexts_areKeptApart() {
    ScopeIndex<String> index =
        index("api/user=é", "api/user=\u0101", "api/юзер=x", "api/user=\u0001");
    assertThat(find(index, "user", "é")).isEqualTo("api/user=é");
    assertThat(find(index, "user", "\u0101")).isEqualTo("api/user=\u0101");
    assertThat(find(index, "user", "\u0001")).isEqualTo("api/user=\u0001");
    assertThat(find(index, "юзер", "x")).isEqualTo("api/юзер=x");
    assertThat(find(index, "user", "e\u0301")).isNull();
  }

  @Test
  void find_keysWithOneHashCode_areKeptApart() {
    ScopeEdit<String> edit = ScopeIndex.<String>empty(SECRET).edit();
    int all = 1 << 11;
    for (int i = 0; i < all; i++) {
      edit.put(Scope.parse("api/" + colliding(i) + "=" + colliding(i)), "v" + i);
    }
    ScopeIndex<String> index = edit.done();
    assertThat(colliding(0).hashCode()).isEqualTo(colliding(all - 1).hashCode());
    for (int i = 0; i < all; i++) {
      assertThat(find(index, colliding(i), colliding(i))).isEqualTo("v" + i);
      assertThat(find(index, colliding(i), colliding(i + 1))).isNull();
    }
  }

  /** Texts that differ, and of which {@link String#hashCode} is the same. */
  private static String colliding(int number) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 12; bit++) {
      text.append((number >>> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  @Test
  void find_textsLongerThanACell_areFoundAndGiveTheirRoomBack() {
    ScopeIndex<String> index = ScopeIndex.empty(SECRET);
    for (int i = 0; i < 500; i++) {
      index = index.with(Scope.parse("api/user=" + "x".repeat(i) + "\u0101"), "v" + i);
    }
    for (int i = 0; i < 500; i += 2) {
      index = index.without(Scope.parse("api/user=" + "x".repeat(i) + "\u0101"));
    }
    for (int i = 0; i < 500; i++) {
      assertThat(find(index, "user", "x".repeat(i) + "\u0101"))
          .isEqualTo(i % 2 == 0 ? null : "v" + i);
    }
  }

  @Test
  void findLess_scope_isWhatAppliedBefore() {
    ScopeIndex<String> index = index("api/user", "api/user=a*", "api/user=acme", "api/p=1/q");
    assertThat(index.findLess(Scope.parse("api/user=acme"))).isEqualTo("api/user=a*");
    assertThat(index.findLess(Scope.parse("api/user=ab*"))).isEqualTo("api/user=a*");
    assertThat(index.findLess(Scope.parse("api/user=a*"))).isEqualTo("api/user");
    assertThat(index.findLess(Scope.parse("api/user=*e"))).isEqualTo("api/user");
    assertThat(index.findLess(Scope.parse("api/user=bob"))).isEqualTo("api/user");
    assertThat(index.findLess(Scope.parse("api/user"))).isNull();
    assertThat(index.findLess(Scope.parse("api/p=1/q=2"))).isEqualTo("api/p=1/q");
    assertThat(index.findLess(Scope.parse("api/p/q=2"))).isNull();
  }

  @Test
  void r17_changed_leavesTheOldIndexAsItWas() {
    ScopeIndex<String> before = index("api/user", "api/user=1");
    ScopeIndex<String> changed = before.with(Scope.parse("api/user=1"), "new");
    ScopeIndex<String> added = before.with(Scope.parse("api/user=2"), "two");
    ScopeIndex<String> removed = before.without(Scope.parse("api/user=1"));
    assertThat(find(before, "user", "1")).isEqualTo("api/user=1");
    assertThat(find(before, "user", "2")).isEqualTo("api/user");
    assertThat(find(changed, "user", "1")).isEqualTo("new");
    assertThat(find(added, "user", "2")).isEqualTo("two");
    assertThat(find(removed, "user", "1")).isEqualTo("api/user");
    assertThat(List.of(before.size(), changed.size(), added.size(), removed.size()))
        .containsExactly(2, 2, 3, 1);
  }

  @Test
  void edit_goesOnAfterDone_leavesWhatWasDone() {
    ScopeEdit<String> edit = ScopeIndex.<String>empty(SECRET).edit();
    List<ScopeIndex<String>> versions = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      edit.put(Scope.parse("api/user=" + i), "v" + i);
      versions.add(edit.done());
    }
    for (int i = 0; i < 300; i++) {
      ScopeIndex<String> version = versions.get(i);
      assertThat(version.size()).isEqualTo(i + 1);
      assertThat(find(version, "user", "" + i)).isEqualTo("v" + i);
      assertThat(find(version, "user", "" + (i + 1))).isNull();
    }
  }

  @Test
  void edit_manyScopesInAndOut_keepsExactlyTheRest() {
    ScopeEdit<Integer> edit = ScopeIndex.<Integer>empty(SECRET).edit();
    int all = 50_000;
    for (int i = 0; i < all; i++) {
      edit.put(Scope.parse("api/user=customer-" + i + (i % 3 == 0 ? "/endpoint=/x" : "")), i);
    }
    assertThat(edit.done().size()).isEqualTo(all);
    for (int i = 0; i < all; i += 2) {
      edit.remove(Scope.parse("api/user=customer-" + i + (i % 3 == 0 ? "/endpoint=/x" : "")));
    }
    ScopeIndex<Integer> index = edit.done();
    assertThat(index.size()).isEqualTo(all / 2);
    for (int i = 0; i < all; i++) {
      String user = "customer-" + i;
      Descriptor descriptor =
          i % 3 == 0 ? Descriptor.of("user", user, "endpoint", "/x") : Descriptor.of("user", user);
      assertThat(index.find("api", descriptor)).isEqualTo(i % 2 == 0 ? null : i);
    }
  }

  @Test
  void find_anyWay_makesNoGarbageOnceCompiled() {
    ScopeIndex<String> index = index("api/user", "api/user=a*z", "api/user=acme", "api/p=1/q=2");
    List<Descriptor> asked =
        List.of(
            Descriptor.of("user", "acme"),
            Descriptor.of("user", "a to z"),
            Descriptor.of("user", "\u044e\u0437\u0435\u0440"),
            Descriptor.of("p", "1", "q", "2"),
            Descriptor.of("nobody", "x"));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    int found = 0;
    for (int round = 0; round < 50_000 && least > 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1_000; i++) {
        found += index.find("api", asked.get(i % asked.size())) == null ? 0 : 1;
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).isZero();
    assertThat(found).isPositive();
  }
}
