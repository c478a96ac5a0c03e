package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class OutputTest {
  private static final boolean RESP2 = false;
  private static final boolean RESP3 = true;

  private final Output out = new Output(1);

  private String written() {
    return new String(out.bytes(), 0, out.length(), UTF_8);
  }

  @Property
  void integer_anyNumber_isWrittenInFull(@ForAll long value) {
    Output one = new Output(1);
    one.integer(value);

    assertThat(new String(one.bytes(), 0, one.length(), UTF_8)).isEqualTo(":" + value + "\r\n");
  }

  @Test
  void integer_extremes_areWrittenInFull() {
    out.five(Long.MIN_VALUE, Long.MAX_VALUE, -1, 10, 9);

    assertThat(written())
        .isEqualTo("*5\r\n:-9223372036854775808\r\n:9223372036854775807\r\n:-1\r\n:10\r\n:9\r\n");
  }

  @Test
  void error_lineEndsInText_areNotWritten() {
    out.error("ERR a\r\n+OK\u0000\u0085\u2028é");

    assertThat(written()).isEqualTo("-ERR a??+OK????\r\n");
  }

  @Test
  void bulk_lineEndsInText_areCounted() {
    out.bulk("a\r\né");

    assertThat(written()).isEqualTo("$5\r\na\r\né\r\n");
  }

  @Test
  void nothing_eachProtocol_hasItsOwnForm() {
    out.nil(RESP2);
    out.nil(RESP3);
    out.nilArray(RESP2);
    out.map(2, RESP2);
    out.map(2, RESP3);
    out.set(1, RESP3);

    assertThat(written()).isEqualTo("$-1\r\n_\r\n*-1\r\n*4\r\n%2\r\n~1\r\n");
  }

  @Test
  void cut_afterMore_takesItBack() {
    out.simple("OK");
    int mark = out.length();
    out.array(5);
    out.cut(mark);

    assertThat(written()).isEqualTo("+OK\r\n");
  }
}
