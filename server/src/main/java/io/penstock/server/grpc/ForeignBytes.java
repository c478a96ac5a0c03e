package io.penstock.server.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.server.RawText;

/** Reads a request of Envoy in which the value of an entry is not UTF-8. Stateless. */
final class ForeignBytes {
  /*
   * Envoy hands on the bytes of a header as they are, and lets a request pass if it is told of an
   * error: one byte would lift every limit. So values may be any bytes, and only they.
   */
  private ForeignBytes() {}

  static RateLimitRequest read(byte[] message) throws InvalidProtocolBufferException {
    UnknownFieldSet fields = UnknownFieldSet.parseFrom(message);
    int descriptors = RateLimitRequest.DESCRIPTORS_FIELD_NUMBER;
    RateLimitRequest.Builder request =
        RateLimitRequest.newBuilder().mergeFrom(without(fields, descriptors));
    for (ByteString each : fields.getField(descriptors).getLengthDelimitedList()) {
      request.addDescriptors(descriptor(UnknownFieldSet.parseFrom(each)));
    }
    return request.build();
  }

  private static RateLimitDescriptor descriptor(UnknownFieldSet fields)
      throws InvalidProtocolBufferException {
    int entries = RateLimitDescriptor.ENTRIES_FIELD_NUMBER;
    RateLimitDescriptor.Builder descriptor =
        RateLimitDescriptor.newBuilder().mergeFrom(without(fields, entries));
    for (ByteString each : fields.getField(entries).getLengthDelimitedList()) {
      descriptor.addEntries(entry(UnknownFieldSet.parseFrom(each)));
    }
    return descriptor.build();
  }

  private static RateLimitDescriptor.Entry entry(UnknownFieldSet fields)
      throws InvalidProtocolBufferException {
    int value = RateLimitDescriptor.Entry.VALUE_FIELD_NUMBER;
    RateLimitDescriptor.Entry.Builder entry =
        RateLimitDescriptor.Entry.newBuilder().mergeFrom(without(fields, value));
    for (ByteString each : fields.getField(value).getLengthDelimitedList()) {
      entry.setValue(RawText.of(each.toByteArray()));
    }
    return entry.build();
  }

  private static ByteString without(UnknownFieldSet fields, int number) {
    return fields.toBuilder().clearField(number).build().toByteString();
  }
}
