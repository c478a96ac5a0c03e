package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.Bounds;
import io.penstock.server.policy.Problem;
import java.nio.charset.Charset;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuestionReaderTest {
  private static final Bounds BOUNDS = new Bounds(1 << 14, 1 << 16, 2, 2, 8, 16, 8, 2, 10, 10, 10);
  private static final String DESCRIPTORS = "[[{'key':'user','value':'42'}]]";

  private static Question read(String json) {
    return read(json, UTF_8, QuestionField.CHECK);
  }

  private static Question read(String json, Charset charset, Set<QuestionField> known) {
    return QuestionReader.one(json.replace('\'', '"').getBytes(charset), BOUNDS, known);
  }

  private static void assertRefused(String field, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(Refusal.class))
        .satisfies(
            refusal -> {
              assertThat(refusal.status()).isEqualTo(400);
              assertThat(Objects.requireNonNull(refusal.problem()).field()).isEqualTo(field);
              assertThat(refusal.detail()).startsWith(field + ": ").contains("(expected: ");
            });
  }

  @Test
  void one_everyField_isRead() {
    Question question =
        read(
            "{'requestId':'r','cost':-3,'descriptors':[[{'value':'','key':'a'}],"
                + "[{'key':'b','value':'\\u0000é😀'},{'key':'c','value':'/'}]],'domain':'api'}");
    assertThat(question.domain()).isEqualTo("api");
    assertThat(question.requestId()).isEqualTo("r");
    assertThat(question.cost()).isEqualTo(-3);
    assertThat(question.descriptors())
        .containsExactly(Descriptor.of("a", ""), Descriptor.of("b", "\0é😀", "c", "/"));
  }

  @Test
  void one_onlyWhatIsRequired_costsOne() {
    Question question = read("{'domain':'api','descriptors':" + DESCRIPTORS + "}");
    assertThat(question.cost()).isEqualTo(1);
    assertThat(question.requestId()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "body;[]",
        "body;null",
        "body;'text'",
        "body;{",
        "body;{'domain':'a'",
        "domain;{}",
        "domain;{'descriptors':DD}",
        "descriptors;{'domain':'a'}",
        "domain;{'domain':1,'descriptors':DD}",
        "domain;{'domain':null,'descriptors':DD}",
        "domain;{'domain':'','descriptors':DD}",
        "domain;{'domain':'123456789','descriptors':DD}",
        "domain;{'domain':'a','domain':'a','descriptors':DD}",
        "Domain;{'Domain':'a','descriptors':DD}",
        "x;{'domain':'a','descriptors':DD,'x':1}",
        "x;{'domain':'a','descriptors':DD,'x':[[[[[[[[[[[[]]]]]]]]]]]]}",
        "ttlMs;{'domain':'a','descriptors':DD,'ttlMs':1}",
        "descriptors;{'domain':'a','descriptors':[]}",
        "descriptors;{'domain':'a','descriptors':{}}",
        "descriptors[0];{'domain':'a','descriptors':[[]]}",
        "descriptors[0];{'domain':'a','descriptors':['a']}",
        "descriptors[1];{'domain':'a','descriptors':[[{'key':'a','value':'b'}],1]}",
        "descriptors[0][0];{'domain':'a','descriptors':[[1]]}",
        "descriptors[0][0].key;{'domain':'a','descriptors':[[{}]]}",
        "descriptors[0][0].value;{'domain':'a','descriptors':[[{'key':'a'}]]}",
        "descriptors[0][0].key;{'domain':'a','descriptors':[[{'key':'','value':'a'}]]}",
        "descriptors[0][0].key;{'domain':'a','descriptors':[[{'key':'a','key':'a'}]]}",
        "descriptors[0][0].KEY;{'domain':'a','descriptors':[[{'KEY':'a','value':'a'}]]}",
        "descriptors[0][0].value;{'domain':'a','descriptors':[[{'key':'a','value':1}]]}",
        "descriptors[0][0].value;{'domain':'a','descriptors':[[{'key':'a','value':null}]]}",
        "descriptors[0][0].value;{'domain':'a','descriptors':[[{'key':'a','value':['']}]]}",
        "descriptors[0][0].value;{'domain':'a','descriptors':[[{'key':'a','value':'\\ud800'}]]}",
        "descriptors[0][0].value;{'domain':'a','descriptors':[[{'key':'a','value':'V17'}]]}",
        "descriptors[0][0].key;{'domain':'a','descriptors':[[{'key':'123456789','value':''}]]}",
        "descriptors[2];{'domain':'a','descriptors':[[E],[E],[E]]}",
        "descriptors[0][2];{'domain':'a','descriptors':[[E,E,E]]}",
        "cost;{'domain':'a','descriptors':DD,'cost':1.0}",
        "cost;{'domain':'a','descriptors':DD,'cost':1e2}",
        "cost;{'domain':'a','descriptors':DD,'cost':'1'}",
        "cost;{'domain':'a','descriptors':DD,'cost':true}",
        "cost;{'domain':'a','descriptors':DD,'cost':null}",
        "cost;{'domain':'a','descriptors':DD,'cost':9223372036854775808}",
        "cost;{'domain':'a','descriptors':DD,'cost':-9223372036854775809}",
        "cost;{'domain':'a','descriptors':DD,'cost':NaN}",
        "cost;{'domain':'a','descriptors':DD,'cost':01}",
        "cost;{'domain':'a','descriptors':DD,'cost':+1}",
        "cost;{'domain':'a','descriptors':DD,'cost':.5}",
        "requestId;{'domain':'a','descriptors':DD,'requestId':1}",
        "requestId;{'domain':'a','descriptors':DD,'requestId':''}",
        "requestId;{'domain':'a','descriptors':DD,'requestId':'123456789'}",
        "body;{'domain':'a','descriptors':DD,}",
        "body;{'domain':'a','descriptors':DD}{}",
        "body;{'domain':'a','descriptors':DD} x",
        "body;{/**/'domain':'a','descriptors':DD}",
        "body;{domain:'a','descriptors':DD}",
      })
  void one_oddBody_isRefusedByTheNameOfTheField(String field, String json) {
    String entry = "{'key':'a','value':'b'}";
    String body =
        json.replace("DD", DESCRIPTORS).replace("V17", "v".repeat(17)).replace("E", entry);
    assertRefused(field, () -> read(body.replace("K" + entry + "Y", "KEY")));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE})
  void one_anyLong_isACost(long cost) {
    String json = "{'domain':'a','descriptors':" + DESCRIPTORS + ",'cost':" + cost + "}";
    assertThat(read(json).cost()).isEqualTo(cost);
  }

  @Test
  void one_otherEncoding_isRefused() {
    String json = "{'domain':'é','descriptors':" + DESCRIPTORS + "}";
    assertThat(read(json).domain()).isEqualTo("é");
    assertRefused("body", () -> read(json, ISO_8859_1, QuestionField.CHECK));
    assertRefused("body", () -> read(json, UTF_16LE, QuestionField.CHECK));
    assertRefused("body", () -> read("\ufeff" + json));
    assertRefused("body", () -> read(json.replace('é', '\u00c0'), ISO_8859_1, Set.of()));
    assertRefused("body", () -> read(""));
  }

  @Test
  void one_overlongNul_isRefused() {
    String json = "{'domain':'\u00c0\u0080','descriptors':" + DESCRIPTORS + "}";
    assertRefused("body", () -> read(json, ISO_8859_1, QuestionField.CHECK));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{'cost':NaN};cost: NaN (expected: JSON as of RFC 8259, at line 1, column ",
        "{'cost':-Infinity};cost: -Infinity (expected: JSON",
        "{'cost':007};cost: 007 (expected: JSON",
        "{'cost':+1};cost: +1 (expected: JSON",
        "{'cost':1 /* one */};body: / (expected: JSON",
        "{'cost':tru};cost: tru (expected: JSON",
        "{cost:1};body: cost (expected: JSON",
        "{'cost':1,};body: } (expected: JSON",
        "{'cost':;cost: the end (expected: JSON",
        "{'descriptors':[[{'key':NaN}]]};descriptors[0][0].key: NaN (expected: JSON",
        "{'descriptors':[[[[[[[[[[]]]]]]]]]]};descriptors[0][0]: [ (expected: an object)",
        "{'cost':N65};cost: nested too deep, or too long (expected: at most 8 levels, ",
      })
  void one_noJson_isToldInOurWords(String json, String words) {
    assertThatThrownBy(() -> read(json.replace("N65", "1".repeat(65))))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith(words)
        .hasMessageNotContainingAny("Feature", "ALLOW", "Constraints", "enable", "token");
  }

  private static Question order(String json) {
    return QuestionReader.order(
        json.replace('\'', '"').getBytes(UTF_8), BOUNDS, QuestionField.OVERRIDE);
  }

  @Test
  void order_override_hasLimitsAndAnInstant() {
    String json = "{'domain':'a','descriptors':" + DESCRIPTORS + ",'limits':['5/s'],'until':U}";
    Question text = order(json.replace("U", "'1970-01-01T01:00:01+01:00'"));
    assertThat(text.untilMillis()).isEqualTo(1_000);
    assertThat(text.limits()).hasToString("[5/s]");
    assertThat(order(json.replace("U", "7")).untilMillis()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{};domain, descriptors, limits, until",
        "{'domain':1,'descriptors':[[{'key':''},{'value':1}]],'x':[{}],'until':'soon'};"
            + "domain, descriptors[0][0].key, descriptors[0][1].value, x, until, limits",
        "{'domain':'a','domain':{'b':[]},'descriptors':{},'limits':[1,'5/x','5/s','6/s'],"
            + "'until':1};domain, descriptors, limits[0], limits[1], limits[3]",
        "{'domain':'a','descriptors':DD,'limits':[],'until':{}};limits, until",
        "{'domain':'','descriptors':DD,'limits':['1/s'],'until':NaN};domain, until",
        "{'domain':'','descriptors':DD,'limits':['1/s'],'until':1}{};domain",
        ";body",
      })
  void order_severalProblems_areAllTold(String json, String fields) {
    String body = json == null ? "" : json.replace("DD", DESCRIPTORS);
    assertThatThrownBy(() -> order(body))
        .asInstanceOf(type(Refusal.class))
        .satisfies(
            refusal ->
                assertThat(refusal.problems())
                    .extracting(Problem::field)
                    .containsExactly(fields.split(", ")));
  }

  @Test
  void order_moreProblemsThanAnybodyReads_endsEarly() {
    String unknown = "'x':1,".repeat(10_000);
    assertThatThrownBy(() -> order("{" + unknown + "'y':1}"))
        .asInstanceOf(type(Refusal.class))
        .satisfies(refusal -> assertThat(refusal.problems()).hasSizeBetween(100, 101));
  }

  @Test
  void batch_tooMany_isRefused() {
    String check = "{'domain':'a','descriptors':" + DESCRIPTORS + "}";
    String three = "{'checks':[" + check + "," + check + "," + check + "]}";
    assertRefused("checks[2]", () -> batch(three));
    assertRefused("checks", () -> batch("{'checks':[]}"));
    assertRefused("checks", () -> batch("{}"));
    assertRefused("checks", () -> batch("{'checks':[" + check + "],'checks':[]}"));
    assertRefused("check", () -> batch("{'check':[]}"));
    assertRefused("checks[0].domain", () -> batch("{'checks':[{}]}"));
    assertThat(
            QuestionReader.batch(
                ("{'checks':[" + check + "]}").replace('\'', '"').getBytes(UTF_8), BOUNDS))
        .hasSize(1);
  }

  private static void batch(String json) {
    QuestionReader.batch(json.replace('\'', '"').getBytes(UTF_8), BOUNDS);
  }
}
