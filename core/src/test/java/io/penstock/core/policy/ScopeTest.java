package io.penstock.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How scopes read and are written. */
class ScopeTest {
  /**
   * The parts of a scope: domain, then key and value; {@code |} between them, {@code ~} if bare.
   */
  @ParameterizedTest
  @CsvSource(
      delimiterString = "->",
      value = {
        "api/user -> api|user~",
        "api/user=42 -> api|user=<42>",
        "api/user= -> api|user=<>",
        "api/plan=free/user -> api|plan=<free>|user~",
        "api/plan=free/user=4*2 -> api|plan=<free>|user=<4><2>",
        "api/user=* -> api|user=<><>",
        "api/endpoint=/search -> api|endpoint=</search>",
        "api/endpoint=/v1/users/id=5 -> api|endpoint=</v1/users/id=5>",
        "api/plan=free/endpoint=/search -> api|plan=<free>|endpoint=</search>",
        "api/route=/api/*/action -> api|route=</api/></action>",
        "api/file=docs/* -> api|file=<docs/><>",
        "api/file=docs/ -> api|file=<docs/>",
        "api/url=http://a/b -> api|url=<http://a/b>",
        "api/token=a=b== -> api|token=<a=b==>",
        "a=b*/key -> a=b*|key~",
        "api/file=docs\\/a/user -> api|file=<docs/a>|user~",
        "api/file=docs\\/a -> api|file=<docs/a>",
        "api/k\\=e\\/y\\*=\\* -> api|k=e/y*=<*>",
        "api/user=DOMAIN\\bob -> api|user=<DOMAIN\\bob>",
        "api/user=a\\\\b\\ -> api|user=<a\\\\b\\>",
        "api/user=a\\\\/key -> api|user=<a\\>|key~",
        "api/user=a\\\\* -> api|user=<a\\><>",
        "a\\/b/key -> a/b|key~",
      })
  void parse_text_hasTheseParts(String text, String parts) {
    Scope scope = Scope.parse(text);
    assertThat(parts(scope)).isEqualTo(parts);
    assertThat(scope).hasToString(text);
    assertThat(Scope.of(scope.domain(), scope.levels())).isEqualTo(scope).hasToString(text);
  }

  private static String parts(Scope scope) {
    return scope.domain()
        + scope.levels().stream()
            .map(level -> "|" + level.key() + parts(level))
            .collect(Collectors.joining());
  }

  private static String parts(Level level) {
    StringBuilder out = new StringBuilder("=");
    Glob value = level.value();
    for (int i = 0; value != null && i < value.parts(); i++) {
      out.append('<').append(value.part(i)).append('>');
    }
    return value == null ? "~" : out.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "api",
        "/",
        "/user",
        "api/",
        "api//user",
        "api/=1",
        "api/user/",
        "api/*",
        "api/us*r=1",
        "api/user/*",
        "api/user//x",
        "api/a=b/c//d"
      })
  void parse_keyOrDomainMissing_isRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scope.parse(text))
        .withMessageStartingWith("scope: " + text + " (expected: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "->",
      value = {
        "api/user -> api",
        "a\\/b/user -> a/b",
        "a\\\\/b/user -> a\\",
        "a\\b/user -> a\\b",
        "api -> api",
        "api/user/ -> api",
        "a\\/b -> a/b",
      })
  void domainOf_text_isReadAsThatOfAScope(String text, String domain) {
    assertThat(Scope.domainOf(text)).isEqualTo(domain);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "->",
      value = {
        "api/user=** -> api/user=*",
        "api/user=a***b**/plan=**c -> api/user=a*b*/plan=*c",
        "api/user=*\\**\\*/plan -> api/user=*\\**\\*/plan",
        "api/user=*a* -> api/user=*a*",
        "a**b/user -> a**b/user",
        "api/user=\\*\\* -> api/user=\\*\\*",
      })
  void withSingleStars_text_hasOneInARow(String text, String single) {
    assertThat(Scope.parse(text).withSingleStars()).hasToString(single);
  }

  @Test
  void parse_otherSpelling_isRefusedWithTheRightOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scope.parse("api/endpoint=\\/search"))
        .withMessage("scope: api/endpoint=\\/search (expected: written as api/endpoint=/search)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scope.parse("api/user=a\\=b"))
        .withMessageContaining("written as api/user=a=b");
  }

  @Test
  void parse_tooLongOrTooDeepOrNotUnicode_isRefused() {
    String longest = "api/user=" + "x".repeat(Scope.LENGTH_MAX - "api/user=".length());
    assertThat(Scope.parse(longest)).hasToString(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scope.parse(longest + "x"))
        .withMessageContaining("at most 2048 characters, not 2049")
        .withMessageMatching(".{0,200}");
    String deepest = "api" + "/k".repeat(Scope.LEVELS_MAX);
    assertThat(Scope.parse(deepest).levels()).hasSize(Scope.LEVELS_MAX);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scope.parse(deepest + "/k"))
        .withMessageContaining("at most 16 levels, not 17");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scope.parse("api/user=\uD83D"))
        .withMessageContaining("surrogate");
    assertThat(Scope.parse("api/user=\uD83D\uDE00\0").levels()).hasSize(1);
  }

  @Test
  void of_emptyValueBeforeTheLastLevel_isRefused() {
    List<Level> levels =
        List.of(new Level("a", Glob.exactly("")), new Level("b", /* value= */ null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scope.of("api", levels))
        .withMessageContaining("an empty value only at the last level");
  }

  @Property
  void of_anyParts_readsBackAsThose(
      @ForAll("texts") String domain, @ForAll("levels") List<Level> levels) {
    Scope scope = Scope.of(domain, levels);
    Scope read = Scope.parse(scope.toString());
    assertThat(read).isEqualTo(scope).hasToString(scope.toString());
    assertThat(read.domain()).isEqualTo(domain);
    assertThat(read.levels()).isEqualTo(levels);
  }

  @Property
  void parse_anyText_isRefusedOrGivenBackLetterForLetter(@ForAll("hostile") String text) {
    Scope scope;
    try {
      scope = Scope.parse("d/" + text);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageStartingWith("scope: d/");
      return;
    }
    assertThat(scope).hasToString("d/" + text);
    assertThat(Scope.of(scope.domain(), scope.levels())).hasToString("d/" + text);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars("ab/=*\\\0é").ofMinLength(1).ofMaxLength(6);
  }

  @Provide
  Arbitrary<String> hostile() {
    return Arbitraries.strings().withChars("ab/=*\\").ofMaxLength(12);
  }

  @Provide
  Arbitrary<List<Level>> levels() {
    Arbitrary<Glob> globs =
        Arbitraries.oneOf(texts().map(Glob::exactly), texts().map(text -> Glob.of("*" + text)));
    return Combinators.combine(texts(), globs.injectNull(0.3))
        .as(Level::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(3);
  }
}
