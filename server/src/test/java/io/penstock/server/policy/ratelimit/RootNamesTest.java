package io.penstock.server.policy.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For whom a file is meant, however its fields are written. */
class RootNamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "# x\ndomain: a\ndescriptors: []\n",
        "---\n'domain'  : a\n",
        "{domain: j, descriptors: [{key: x}]}",
        "{\"domain\": \"j\", \"descriptors\": [{\"key\": \"x\"}]}",
        "{\n  \"descriptors\" :\n [ ],\n  \"domain\" : \"j\"\n}\n",
        "other: {policies: 1}\n? [tiers, policies]\n: tiers\ndomain: a\n",
        "--- {}\n--- {domain: a}\n",
        "domain: a\ndescriptors: [{key: ",
        "text: |\n  x\ndomain: a\n",
      })
  void isMeant_fileOfThatService_is(String text) {
    assertThat(RatelimitYaml.isMeant(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# domain: a\n",
        "policies:\n  api/domain: {}\n",
        "{policies: {a/b: {domain: x}}}",
        "tiers: {}\ndomain: x\n",
        "[domain, descriptors]",
        "domain",
        "{other: domain, more: [domain]}",
        "text: |\n  x\n  domain: a\n",
        "\t: ]",
      })
  void isMeant_anyOther_isNot(String text) {
    assertThat(RatelimitYaml.isMeant(text)).isFalse();
  }
}
