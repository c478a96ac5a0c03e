package io.penstock.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.config.ServerConfig.Access;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatekeeperTest {
  private static final String ALICE = "alice-0123456789abcdef";
  private static final String GATEWAY = "gateway-0123456789abcdef";

  @TempDir Path folder;

  private final FileWatch watch = new FileWatch();

  private static String sha256(String key) throws Exception {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private Path keys(String yaml) throws IOException {
    return Files.writeString(folder.resolve("keys.yaml"), yaml);
  }

  private Gatekeeper gatekeeper(String yaml) throws IOException {
    return Gatekeeper.of(new Access(keys(yaml), null, null, null, null), Clock.systemUTC(), watch);
  }

  private Gatekeeper withTwo() throws Exception {
    return gatekeeper(
        """
        - name: alice
          key: %s
          roles: {api: [admin], billing: [read, check]}
        - {name: gateway, sha256: "%s", roles: {"*": [check]}}
        """
            .formatted(ALICE, sha256(GATEWAY)));
  }

  private static @Nullable String name(@Nullable Caller caller) {
    return caller == null ? null : caller.name();
  }

  @Test
  void open_everybody_hasEveryRole() {
    Gatekeeper open = Gatekeeper.open();
    assertThat(open.isOpen()).isTrue();
    assertThat(open.anonymous().may(Role.ADMIN, "api")).isTrue();
    assertThat(name(open.byHeader(null, null))).isEqualTo("anonymous");
    assertThat(open.login("y")).isNull();
  }

  @Test
  void byHeader_keyInEitherHeader_findsItsCaller() throws Exception {
    Gatekeeper two = withTwo();
    assertThat(two.isOpen()).isFalse();
    assertThat(name(two.byHeader("Bearer " + ALICE, null))).isEqualTo("alice");
    assertThat(name(two.byHeader("bearer  " + ALICE, null))).isEqualTo("alice");
    assertThat(name(two.byHeader(null, GATEWAY))).isEqualTo("gateway");
    Login login = two.login(GATEWAY);
    assertThat(login == null ? null : name(login.caller())).isEqualTo("gateway");
  }

  @Test
  void byHeader_both_isTheAuthorizationIfItIsAnybodys() throws Exception {
    Gatekeeper two = withTwo();
    assertThat(name(two.byHeader("Bearer " + GATEWAY, ALICE))).isEqualTo("gateway");
    assertThat(name(two.byHeader("Bearer " + ALICE, GATEWAY))).isEqualTo("alice");
    assertThat(name(two.byHeader("Bearer " + ALICE, "wrong"))).isEqualTo("alice");
    assertThat(name(two.byHeader("Bearer wrong", GATEWAY))).isEqualTo("gateway");
    assertThat(name(two.byHeader("Basic " + ALICE, GATEWAY))).isEqualTo("gateway");
    assertThat(name(two.byHeader("", GATEWAY))).isEqualTo("gateway");
  }

  @Test
  void byHeader_nothingOrWrong_findsNobody() throws Exception {
    Gatekeeper two = withTwo();
    assertThat(two.byHeader(null, null)).isNull();
    assertThat(two.byHeader("Basic " + ALICE, null)).isNull();
    assertThat(two.byHeader(ALICE, null)).isNull();
    assertThat(two.byHeader(null, ALICE + "x")).isNull();
    assertThat(two.byHeader(null, sha256(GATEWAY))).isNull();
    assertThat(two.byHeader("Bearer wrong", "wrong")).isNull();
    assertThat(two.byHeader("Bearer ", "")).isNull();
    assertThat(two.login("")).isNull();
    assertThat(two.anonymous().may(Role.CHECK, "api")).isFalse();
  }

  @Test
  void may_rolesPerDomain_areKeptApart() {
    Caller caller =
        new Caller("c", Map.of("api", Set.of(Role.ADMIN), "billing", Set.of(Role.READ)));
    assertThat(caller.may(Role.CHECK, "api")).isTrue();
    assertThat(caller.may(Role.ADMIN, "api")).isTrue();
    assertThat(caller.may(Role.READ, "billing")).isTrue();
    assertThat(caller.may(Role.CHECK, "billing")).isFalse();
    assertThat(caller.may(Role.READ, "other")).isFalse();
    assertThat(caller.may(Role.READ, Caller.EVERY_DOMAIN)).isFalse();
    Caller all = new Caller("c", Map.of("*", Set.of(Role.READ)));
    assertThat(all.may(Role.READ, "anything")).isTrue();
    assertThat(all.may(Role.READ, Caller.EVERY_DOMAIN)).isTrue();
    assertThat(all.may(Role.ADMIN, "*")).isFalse();
  }

  @Test
  void apiKeys_fileChanges_isReadAgain() throws Exception {
    Gatekeeper two = withTwo();
    keys("- {name: bob, key: bob-0123456789abcdef, roles: {api: [check]}}\n");
    watch.poll();
    assertThat(two.byHeader(null, ALICE)).isNull();
    assertThat(name(two.byHeader(null, "bob-0123456789abcdef"))).isEqualTo("bob");
    assertThat(watch.trouble()).isNull();
  }

  @Test
  void login_fileChanges_isWhoTheFileSaysNow() throws Exception {
    Login login = Objects.requireNonNull(withTwo().login(GATEWAY));
    keys("- {name: other, key: " + GATEWAY + ", roles: {api: [read]}}\n");
    watch.poll();
    assertThat(name(login.caller())).isEqualTo("other");
    keys("- {name: bob, key: bob-0123456789abcdef, roles: {api: [check]}}\n");
    watch.poll();
    assertThat(login.caller()).isNull();
  }

  @Test
  void apiKeys_badChange_leavesWhatWasThereAndSaysWhy() throws Exception {
    Gatekeeper two = withTwo();
    keys("- {name: bob, key: short-secret, roles: {api: [chekc]}}\n");
    watch.poll();
    assertThat(name(two.byHeader(null, ALICE))).isEqualTo("alice");
    assertThat(watch.trouble())
        .contains("keys.yaml", "[0].key", "[0].roles: api: chekc (expected: domains")
        .doesNotContain("short-secret");
    Files.delete(folder.resolve("keys.yaml"));
    watch.poll();
    assertThat(name(two.byHeader(null, ALICE))).isEqualTo("alice");
    assertThat(watch.trouble()).contains("not there").doesNotContain("/");
    withTwo();
    watch.poll();
    assertThat(watch.trouble()).isNull();
  }

  @Test
  void apiKeys_everyMistake_isToldWithoutTheKey() {
    assertThatThrownBy(
            () ->
                gatekeeper(
                    """
                    - {name: a, key: %1$s, sha256: x, roles: {}}
                    - {nam: b, roles: {api: check}}
                    - {name: c, key: %1$s, roles: {api: [check]}}
                    - {name: d, key: %1$s, roles: {api: [check]}}
                    - {name: e, sha256: %1$s}
                    """
                        .formatted(ALICE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[0]: both (expected: key or sha256)")
        .hasMessageContaining("[1]: nam (expected:")
        .hasMessageContaining("[1].name")
        .hasMessageContaining("[1].roles: api")
        .hasMessageContaining("[3]: d (expected: a key that nobody else has)")
        .hasMessageContaining("[4].sha256")
        .hasMessageContaining("[4].roles: nothing")
        .extracting(Throwable::getMessage)
        .asString()
        .doesNotContain(ALICE);
    assertThatThrownBy(() -> gatekeeper("- name: a\n  key: \"%s\n".formatted(ALICE)))
        .hasMessageContaining("line 3, column 1: not YAML, or a field twice (expected: a list of")
        .extracting(GatekeeperTest::everything)
        .asString()
        .doesNotContain(ALICE);
  }

  private static String everything(Throwable thrown) {
    Throwable cause = thrown.getCause();
    return thrown + (cause == null ? "" : everything(cause));
  }
}
