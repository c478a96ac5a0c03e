package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.penstock.server.node.Answer;

/** The bytes that answer a plain check. Reused; confined to one event loop. */
final class PlainReply {
  private static final byte[] HEAD =
      ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
              + "x-content-type-options: nosniff\r\ncontent-length: ")
          .getBytes(US_ASCII);

  private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
  private static final String PROBLEM_HEAD =
      "\r\ncontent-type: application/problem+json\r\n"
          + "x-content-type-options: nosniff\r\ncontent-length: ";

  private static final int HEAD_REST = 16;

  private final JsonBytes json = new JsonBytes();

  ByteBuf of(Answer answer, ByteBufAllocator alloc) {
    json.clear();
    AnswerJson.write(json, answer);
    return bytes(HEAD, alloc);
  }

  ByteBuf of(Refusal refusal, ByteBufAllocator alloc) {
    json.clear();
    json.raw(ProblemJson.of(refusal).getBytes());
    String status = HttpResponseStatus.valueOf(refusal.status()).toString();
    return bytes(("HTTP/1.1 " + status + PROBLEM_HEAD).getBytes(US_ASCII), alloc);
  }

  private ByteBuf bytes(byte[] head, ByteBufAllocator alloc) {
    ByteBuf out = alloc.directBuffer(head.length + HEAD_REST + json.length());
    out.writeBytes(head);
    writeNumber(out, json.length());
    out.writeBytes(HEAD_END);
    out.writeBytes(json.bytes(), 0, json.length());
    return out;
  }

  private static void writeNumber(ByteBuf out, int number) {
    if (number >= 10) {
      writeNumber(out, number / 10);
    }
    out.writeByte('0' + number % 10);
  }
}
