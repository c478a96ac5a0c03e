package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.LogLines;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.logging.Level;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Why other nodes do not answer. */
class SilenceTest {
  private final Silence silence = new Silence();
  private final LogLines log = new LogLines(Silence.class.getName(), Level.WARNING);

  @AfterEach
  void stopListening() {
    log.close();
  }

  private static Throwable distrust(Throwable said) {
    IOException carried = new IOException("carried", said);
    return new CompletionException(Objects.requireNonNull(DistrustException.of(carried)));
  }

  private static Throwable distrust(String said) {
    return distrust(new SSLException(said));
  }

  @Test
  void reason_ofTls_isWhatIsBehindItAndNotEndless() {
    SSLException handshake = new SSLHandshakeException("something");
    handshake.initCause(new SecurityException("not signed by ours"));
    silence.lasts("n2", distrust(handshake));
    assertThat(silence.of("n2")).isEqualTo("n2 [tls: not signed by ours]");
    silence.lasts("n3", distrust("0".repeat(9_999)));
    assertThat(silence.all()).isEqualTo("n2 [tls: not signed by ours], n3 [tls: %0120d]", 0);
    assertThat(DistrustException.of(new IOException("refused"))).isNull();
  }

  @Test
  void reason_ofWhoeverIsGoneOrAnswers_isToldNoMore() {
    silence.lasts("n2", distrust("expired"));
    silence.lasts("n2", new CompletionException(new IOException("refused")));
    assertThat(silence.of("n2")).isEqualTo("n2");
    silence.lasts("n2", distrust("expired"));
    silence.ends("n2");
    assertThat(silence.all()).isEmpty();
  }

  @Test
  void log_sameReasonsAgain_areLoggedOnceUntilItAnswers() {
    for (int i = 0; i < 9; i++) {
      silence.lasts("n2", distrust("expired"));
      silence.lasts("n2", distrust("closed"));
      silence.lasts("n3", distrust("expired"));
    }
    assertThat(log.lines()).hasSize(3);
    silence.ends("n2");
    silence.lasts("n2", distrust("expired"));
    assertThat(log.lines()).hasSize(4);
    for (int i = 0; i < 99; i++) {
      silence.lasts("n2", distrust("reason " + i));
    }
    assertThat(log.lines()).as("bounded").hasSize(11);
  }
}
