package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values as a client sent them, in a request that is otherwise whole. */
class ForeignBytesTest {
  private static ByteString field(int number, ByteString content) {
    UnknownFieldSet.Field field =
        UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build();
    return UnknownFieldSet.newBuilder().addField(number, field).build().toByteString();
  }

  /** A request with two descriptors, the second of which costs 3. */
  private static byte[] request(byte... value) {
    ByteString key = field(1, ByteString.copyFromUtf8("user"));
    ByteString entry = field(1, key.concat(field(2, ByteString.copyFrom(value))));
    RateLimitRequest.Builder plain = RateLimitRequest.newBuilder().setDomain("api");
    plain.addDescriptorsBuilder().addEntriesBuilder().setKey("ip").setValue("é");
    byte[] cost = {26, 2, 8, 3};
    ByteString second = field(2, entry.concat(ByteString.copyFrom(cost)));
    return plain.build().toByteString().concat(second).toByteArray();
  }

  private static String value(byte... value) throws Exception {
    return ForeignBytes.read(request(value)).getDescriptors(1).getEntries(0).getValue();
  }

  @Test
  void read_valueOfAnyBytes_isATextOfItsOwn() throws Exception {
    RateLimitRequest read = ForeignBytes.read(request((byte) 'a', (byte) 0xFF));
    assertThat(read.getDomain()).isEqualTo("api");
    assertThat(read.getDescriptors(0).getEntries(0).getValue()).isEqualTo("é");
    assertThat(read.getDescriptors(1).getEntries(0).getKey()).isEqualTo("user");
    assertThat(read.getDescriptors(1).getHitsAddend().getValue()).isEqualTo(3);
    assertThat(value((byte) 'a', (byte) 0xFF)).isEqualTo("a\udcff");
    assertThat(value((byte) 0xFE)).isEqualTo("\udcfe");
    assertThat(value("é".getBytes(UTF_8))).isEqualTo("é");
  }

  @Test
  void read_whatIsNoRequest_isRefused() {
    byte[] domain = {10, 1, (byte) 0xFF};
    assertThatExceptionOfType(InvalidProtocolBufferException.class)
        .isThrownBy(() -> ForeignBytes.read(domain));
    byte[] cut = {18, 9, 10};
    assertThatExceptionOfType(InvalidProtocolBufferException.class)
        .isThrownBy(() -> ForeignBytes.read(cut));
  }

  /** Envoy lets a request pass if it is told of an error: no byte of a header may bring one. */
  @Test
  void call_valueThatIsNoUtf8_isCountedAsAKeyOfItsOwn(@TempDir Path folder) throws Exception {
    LiveFront live = LiveFront.open(folder);
    live.put("api/user", "{\"limits\":[\"10/day\"]}");
    try (RawHttp2 raw = new RawHttp2(live.front.port()).greet()) {
      for (int call = 0; call < 3; call++) {
        int stream = 2 * call + 1;
        raw.post(stream, RawHttp2.ENVOY, "content-type", "application/grpc");
        raw.message(stream, request((byte) (call == 2 ? 0xFE : 0xFF)));
        byte[] framed = raw.await(frame -> frame.type() == RawHttp2.DATA).content();
        byte[] message = Arrays.copyOfRange(framed, 5, framed.length);
        assertThat(RateLimitResponse.parseFrom(message).getStatuses(1).getLimitRemaining())
            .isEqualTo(call == 1 ? 4 : 7);
      }
    } finally {
      live.close();
    }
  }
}
