package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.Algorithm;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.core.policy.Consistency;
import io.penstock.core.policy.Terms;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyDocumentTest {
  private static PolicyDocument policy(String json) {
    return PolicyDocument.parse(Kind.POLICY, json.replace('\'', '"'));
  }

  private static PolicyDocument tier(String json) {
    return PolicyDocument.parse(Kind.TIER, json.replace('\'', '"'));
  }

  private static Terms terms(String json) {
    return policy(json).terms(/* tier= */ null);
  }

  private static List<Problem> problems(String json) {
    return problemsOf(() -> policy(json));
  }

  private static List<Problem> problemsOf(Runnable parsing) {
    InvalidPolicyException refused =
        catchThrowableOfType(InvalidPolicyException.class, parsing::run);
    assertThat(refused).isNotNull();
    return refused.problems();
  }

  private static void assertProblem(String json, String field, String value, String expected) {
    assertThat(problems(json))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.field()).isEqualTo(field);
              assertThat(problem.value()).isEqualTo(value);
              assertThat(problem.expected()).contains(expected);
            });
  }

  @Test
  void terms_limitsOnly_haveTheDefaults() {
    assertThat(terms("{'limits':['100/s burst 200','10000/day']}"))
        .isEqualTo(
            new Terms(
                Policy.parse("100/s burst 200; 10000/day"),
                Consistency.FAST,
                /* serviceClass= */ "",
                /* localCap= */ null,
                /* shadow= */ false,
                /* enabled= */ true,
                /* refunds= */ false,
                /* blocked= */ false,
                Terms.BUDGET_MILLIS,
                /* share= */ List.of()));
  }

  @Test
  void terms_everyField_isRead() {
    String json =
        "{'limits':['10/s'],'algorithm':'fixed-window','failMode':'local','consistency':'none',"
            + "'class':'paid','shadow':true,'enabled':false,'unlimited':false,'localCap':'2/s',"
            + "'refunds':true,'blocked':false,'budgetMs':120,'share':['user']}";
    assertThat(terms(json))
        .isEqualTo(
            new Terms(
                new Policy(List.of(Limit.parse("10/s")), Algorithm.FIXED_WINDOW, FailMode.LOCAL),
                Consistency.NONE,
                "paid",
                Limit.parse("2/s"),
                /* shadow= */ true,
                /* enabled= */ false,
                /* refunds= */ true,
                /* blocked= */ false,
                /* budgetMillis= */ 120,
                /* share= */ List.of("user")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'consistency':'fast'                | OPEN
          'consistency':'strict'              | CLOSED
          'class':'abuse'                     | CLOSED
          'class':'free'                      | LOCAL
          'class':'paid'                      | OPEN
          'class':'free','consistency':'strict' | CLOSED
          'class':'abuse','failMode':'open'   | OPEN
          'consistency':'strict','failMode':'local' | LOCAL
          """,
      quoteCharacter = '~')
  void failMode_byConsistencyAndClass_hasItsDefault(String fields, FailMode expected) {
    assertThat(terms("{'limits':['1/s']," + fields + "}").policy())
        .isEqualTo(Policy.parse("1/s").withFailMode(expected));
  }

  @Test
  void warnings_strictThatDoesNotFailClosed_areTold() {
    String open = "{'limits':['1/s'],'consistency':'strict','failMode':'open'}";
    assertThat(policy(open).warnings(null))
        .singleElement()
        .asString()
        .startsWith("failMode: open (a strict policy");
    assertThat(policy("{'limits':['1/s'],'consistency':'strict'}").warnings(null)).isEmpty();
    assertThat(policy("{'limits':['1/s'],'localCap':'1/s'}").warnings(null))
        .singleElement()
        .asString()
        .startsWith("localCap: 1/s (has no effect with failMode open");
  }

  @Test
  void parse_manyMistakes_tellsThemAll() {
    String json =
        "{'limits':['10/s','10/x',5,'20/s'],'algorithm':'GCRA','failMode':'maybe',"
            + "'consistency':'async','class':'','shadow':'yes','enabled':1,'localCap':'x',"
            + "'Refunds':true,'shadow':false}";
    assertThat(problems(json))
        .extracting(Problem::field)
        .containsExactlyInAnyOrder(
            "limits[1]",
            "limits[2]",
            "limits[3]",
            "algorithm",
            "failMode",
            "consistency",
            "class",
            "shadow",
            "shadow",
            "enabled",
            "localCap",
            "Refunds");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {'limits':['10/x']}            | limits[0] | 10/x          | period: a unit of ms s min
          {'limits':['x']}               | limits[0] | x             | COUNT/PERIOD[ burst N][ ZONE]
          {'limits':['0/s']}             | limits[0] | 0/s           | count: >= 1
          {'limits':['1/s burst 0']}     | limits[0] | 1/s burst 0   | burst: >= 1
          {'limits':['1.5/s']}           | limits[0] | 1.5/s         | COUNT/PERIOD
          {'limits':['1/s','2/s']}       | limits[1] | 2/s | another period than limits[0]: 1/s
          {'limits':['1/s'],'limits':['2/s']} | limits | […] | each field once
          {'limits':[]}                  | limits    | []            | a list of 1..16 limits
          {'limits':'1/s'}               | limits    | 1/s           | a list of 1..16 limits
          {'limits':null}                | limits    | null          | a list of 1..16 limits
          {'limits':['1/s'],'algorithm':'leaky'} | algorithm | leaky | gcra, token-bucket, leaky
          {'limits':['1/s'],'failMode':'Open'}   | failMode  | Open  | open, closed, local
          {'limits':['1/s'],'consistency':'async'} | consistency | async | none; async
          {'tier':'a','localCap':'5 concurrent lease 1s'} | localCap | 5 concurrent lease 1s | rate
          {'limits':['1/s'],'x':{}}      | x         | {}            | no such field; one of limits
          {}                             | limits    | nothing       | one of limits, unlimited
          {'unlimited':false}            | limits    | nothing       | one of limits, unlimited
          {'limits':['1/s'],'tier':'a'}  | tier      | a             | only one of
          {'limits':['1/s'],'unlimited':true} | unlimited | true     | only one of
          {'tier':'a','unlimited':true}  | unlimited | true          | only one of
          {'tier':5}                     | tier      | 5             | the name of a tier
          {'tier':'a','override':{'tier':'b'}} | override.tier | b  | no such field
          {'tier':'a','override':3}      | override  | 3             | an object
          {'tier':'a','shadow':true,'override':{'shadow':true}} | shadow | true | not here and in
          {'limits':['1/s'],'override':{}} | override | {}           | no override without a tier
          """)
  void parse_oneMistake_namesItsField(String json, String field, String value, String expected) {
    assertThat(problems(json).get(0).field()).isEqualTo(field);
    assertThat(problems(json).get(0).value()).isEqualTo(value);
    assertThat(problems(json).get(0).expected()).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[]",
        "3",
        "null",
        "'x'",
        "{}{}",
        "{'limits':['1/s']} x",
        "{'limits':[NaN]}",
        "{limits:['1/s']}",
        "{'limits':['1/s'],}",
        "{'limits':['1/s']}]",
        "// no\n{}",
        "{'a':01}"
      })
  void parse_notOneJsonObject_isAProblem(String json) {
    assertThat(problems(json)).isNotEmpty();
  }

  @Test
  void parse_syntaxError_tellsLineAndColumn() {
    assertThat(problems("{'limits':\n ['1/s'}").get(0).field()).startsWith("line 2, column ");
  }

  @Test
  void parse_deepOrLongText_isAProblem() {
    assertThat(problems("[".repeat(100))).hasSize(1);
    assertProblem(" ".repeat(70_000), "document", "70000 characters", "at most 65536");
    assertThat(problems("{'limits':['" + "9".repeat(10_000) + "/s']}").get(0).value())
        .hasSizeLessThan(200);
  }

  @Test
  void parse_stateAboveTheBound_isRefusedWithItsBytes() {
    assertThat(terms("{'limits':['4096/hour'],'algorithm':'sliding-window-log'}")).isNotNull();
    assertProblem(
        "{'limits':['4097/hour'],'algorithm':'sliding-window-log'}",
        "limits[0]",
        "4097/hour",
        "at most 65536 bytes of state per key with sliding-window-log, this needs 65552");
    assertProblem(
        "{'limits':['10/s','5000 concurrent lease 1s']}",
        "limits[1]",
        "5000 concurrent lease 1s",
        "with concurrency, this needs 80000");
    assertProblem(
        "{'limits':['1000000000000000000/73year'],'algorithm':'sliding-window-log'}",
        "limits[0]",
        "1000000000000000000/73year",
        "this needs 16000000000000000000");
    assertThat(terms("{'limits':['1000000/day UTC'],'algorithm':'sliding-window-log'}"))
        .isNotNull();
  }

  @Test
  void parse_burstWithWindow_isRefusedBesideOtherProblems() {
    assertThat(problems("{'limits':['1/s burst 2','3/min','4/60s'],'algorithm':'fixed-window'}"))
        .extracting(Problem::toString)
        .containsExactly(
            "limits[0]: 1/s burst 2 (expected: no burst with fixed-window)",
            "limits[2]: 4/60s (expected: another period than limits[1]: 3/min)");
  }

  @Test
  void terms_ofATier_areThoseOfTheTierAndWhatDiffers() {
    PolicyDocument free = tier("{'limits':['10/s'],'class':'free','shadow':true}");
    assertThat(policy("{'tier':'free'}").terms(free)).isEqualTo(free.terms(null));
    Terms differs =
        policy("{'tier':'free','refunds':true,'override':{'limits':['20/s'],'shadow':false}}")
            .terms(free);
    assertThat(differs.policy()).hasToString("20/s");
    assertThat(differs.shadow()).isFalse();
    assertThat(differs.refunds()).isTrue();
    assertThat(differs.serviceClass()).isEqualTo("free");
    assertThat(policy("{'tier':'free','override':{'unlimited':true}}").terms(free).unlimited())
        .isTrue();
    PolicyDocument open = tier("{'unlimited':true}");
    assertThat(policy("{'tier':'t','override':{'limits':['1/s']}}").terms(open).unlimited())
        .isFalse();
  }

  @Test
  void terms_overrideThatDoesNotFitTheTier_areRefused() {
    PolicyDocument burst = tier("{'limits':['10/s burst 20']}");
    PolicyDocument window = policy("{'tier':'b','override':{'algorithm':'fixed-window'}}");
    assertThat(problemsOf(() -> window.terms(burst)))
        .singleElement()
        .hasToString("tier b: limits[0]: 10/s burst 20 (expected: no burst with fixed-window)");
    PolicyDocument fixed = tier("{'limits':['10/s'],'algorithm':'fixed-window'}");
    PolicyDocument own = policy("{'tier':'f','override':{'limits':['1/s burst 2']}}");
    assertThat(problemsOf(() -> own.terms(fixed)))
        .singleElement()
        .hasToString("override.limits[0]: 1/s burst 2 (expected: no burst with fixed-window)");
  }

  @Test
  void terms_tierMissingOrNotReferredTo_isAMistakeOfTheCaller() {
    assertThatThrownBy(() -> policy("{'tier':'free'}").terms(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tier: null (expected: that of free)");
  }

  @Test
  void parse_tierThatRefersToATier_isRefused() {
    assertThat(problemsOf(() -> tier("{'tier':'a'}")))
        .extracting(Problem::field)
        .containsExactly("tier", "limits");
  }
}
