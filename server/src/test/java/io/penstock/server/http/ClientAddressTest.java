package io.penstock.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.config.Network;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {
  private static final ClientAddress TRUSTING =
      new ClientAddress(
          List.of(
              Network.parse("10.0.0.0/8"), Network.parse("192.0.2.7"), Network.parse("fd00::/8")));

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "198.51.100.1; 1.1.1.1; 198.51.100.1",
        "10.0.0.1; 1.1.1.1; 1.1.1.1",
        "10.0.0.1; 6.6.6.6, 1.1.1.1; 1.1.1.1",
        "10.0.0.1; 6.6.6.6, 1.1.1.1, 192.0.2.7, 10.9.9.9; 1.1.1.1",
        "10.0.0.1; 10.0.0.2, 10.0.0.3; 10.0.0.2",
        "10.0.0.1; ''; 10.0.0.1",
        "10.0.0.1; unknown; 10.0.0.1",
        "10.0.0.1; 6.6.6.6, unknown, 10.0.0.2; 10.0.0.2",
        "10.0.0.1; 1.1.1.1:8080; 1.1.1.1",
        "10.0.0.1; [2001:DB8::1]:8080; 2001:db8::1",
        "10.0.0.1; 2001:0db8:0:0:0:0:0:1; 2001:db8::1",
        "10.0.0.1; ::ffff:1.1.1.1; 1.1.1.1",
        "10.0.0.1; example.com; 10.0.0.1",
        "fd00::1; 1.1.1.1; 1.1.1.1",
        "2001:db8::9; 1.1.1.1; 2001:db8::9"
      })
  void find_chainOfProxies_isTheRightmostThatIsNotTrusted(
      String peer, String forwarded, String client) throws Exception {
    assertThat(TRUSTING.find(InetAddress.getByName(peer), List.of(forwarded))).isEqualTo(client);
  }

  @Test
  void find_severalFields_areOneList() throws Exception {
    InetAddress peer = InetAddress.getByName("10.0.0.1");
    assertThat(TRUSTING.find(peer, List.of("6.6.6.6", "1.1.1.1", "10.0.0.2"))).isEqualTo("1.1.1.1");
    assertThat(TRUSTING.find(peer, List.of())).isEqualTo("10.0.0.1");
  }

  @Test
  void find_unixSocket_isAProxyIfAnyIs() {
    assertThat(TRUSTING.find(/* peer= */ null, List.of("1.1.1.1"))).isEqualTo("1.1.1.1");
    assertThat(TRUSTING.find(/* peer= */ null, List.of())).isNull();
    ClientAddress nobody = new ClientAddress(List.of());
    assertThat(nobody.find(/* peer= */ null, List.of("1.1.1.1"))).isNull();
  }
}
