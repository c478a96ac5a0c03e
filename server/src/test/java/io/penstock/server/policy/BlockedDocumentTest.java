package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.policy.Terms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents that admit nothing, or count several values together. */
class BlockedDocumentTest {
  private static PolicyDocument policy(String json) {
    return PolicyDocument.parse(Kind.POLICY, json.replace('\'', '"'));
  }

  @Test
  void terms_blocked_haveNoPolicyAndAreNotUnlimited() {
    Terms terms = policy("{'blocked':true,'shadow':true}").terms(/* tier= */ null);
    assertThat(terms.blocked()).isTrue();
    assertThat(terms.unlimited()).isFalse();
    assertThat(terms.policy()).isNull();
    assertThat(policy("{'limits':['1/s'],'blocked':false}").terms(null).blocked()).isFalse();
  }

  @Test
  void terms_unlimited_haveNoPolicyEither() {
    assertThat(policy("{'unlimited':true}").terms(null).unlimited()).isTrue();
    assertThat(policy("{'limits':['1/s'],'unlimited':false}").terms(null).unlimited()).isFalse();
  }

  @Test
  void terms_blockedOverATier_takeItsPlace() {
    PolicyDocument free = PolicyDocument.parse(Kind.TIER, "{\"limits\":[\"1/s\"]}");
    Terms over = policy("{'tier':'free','override':{'blocked':true}}").terms(free);
    assertThat(over.blocked()).isTrue();
    assertThat(over.policy()).isNull();
    PolicyDocument banned = PolicyDocument.parse(Kind.TIER, "{\"blocked\":true}");
    Terms lifted = policy("{'tier':'banned','override':{'limits':['1/s']}}").terms(banned);
    assertThat(lifted.blocked()).isFalse();
    assertThat(policy("{'tier':'banned'}").terms(banned).blocked()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{}|nothing (expected:", "{'x':1}|nothing (expected:"})
  void parse_tierWithoutLimits_isNotOfferedATier(String json, String words) {
    String tier = json.replace('\'', '"');
    InvalidPolicyException refused =
        catchThrowableOfType(
            InvalidPolicyException.class, () -> PolicyDocument.parse(Kind.TIER, tier));
    assertThat(refused).hasMessageContaining(words).hasMessageNotContaining("tier");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'limits':['1/s'],'blocked':true}       | blocked  | only one of limits, unlimited: true
          {'blocked':true,'unlimited':true}       | blocked  | only one of limits, unlimited: true
          {'tier':'t','override':{'blocked':true,'unlimited':true}} | override.blocked | no limits
          {'limits':['1/s'],'blocked':'yes'}      | blocked  | true or false
          {'limits':['1/s'],'share':[true]}       | share[0] | a key of the scope
          {'limits':['1/s'],'share':'user'}       | share    | a list of at most 16 keys
          """,
      quoteCharacter = '~')
  void parse_contradiction_isTold(String json, String field, String expected) {
    InvalidPolicyException refused =
        catchThrowableOfType(InvalidPolicyException.class, () -> policy(json));
    assertThat(refused).isNotNull();
    Problem problem = refused.problems().get(0);
    assertThat(problem.field()).isEqualTo(field);
    assertThat(problem.expected()).contains(expected);
  }
}
