package io.penstock.bench;

import java.io.IOException;
import java.util.regex.Pattern;

/** One node of a cluster, whatever product it is. Confined to one thread. */
interface Door {
  /** What a key is worth for a day. */
  int LIMIT = 1_000;

  /** Whether the node admits one more; throws if it does not answer, or says that it cannot. */
  boolean isAdmitted(String key) throws IOException;

  static Door of(String kind, String address) throws IOException {
    return switch (kind) {
      case "Penstock" ->
          http(
              address + "/v1/check",
              "{\"domain\":\"bench\",\"descriptors\":[[{\"key\":\"strict\",\"value\":\"%s\"}]]}",
              "\"allowed\":true",
              "\"reason\":\"fail");
      case "Gubernator" ->
          http(
              address + "/v1/GetRateLimits",
              "{\"requests\":[{\"name\":\"bench\",\"unique_key\":\"%s\",\"hits\":1,\"limit\":"
                  + LIMIT
                  + ",\"duration\":86400000}]}",
              "\"UNDER_LIMIT\"",
              "\"error\": *\"[^\"]");
      case "Redis" -> redis(address);
      default ->
          throw new IllegalArgumentException(
              "product: " + kind + " (expected: Penstock, Gubernator or Redis)");
    };
  }

  private static Door http(String url, String body, String admitted, String unable)
      throws IOException {
    int slash = url.indexOf('/');
    Line line = new Line(url.substring(0, slash));
    Pattern failure = Pattern.compile(unable);
    return key -> {
      String answer = line.ask("POST", url.substring(slash), body.formatted(key), /* head= */ "");
      if (failure.matcher(answer).find()) {
        line.close();
        throw new IOException(answer);
      }
      return answer.contains(admitted);
    };
  }

  /** Counts in a script, as people write it. */
  private static Door redis(String address) throws IOException {
    Line line = new Line(address);
    String script =
        "local n = redis.call('INCR', KEYS[1]) if n == 1 then redis.call('EXPIRE', KEYS[1], 86400)"
            + " end if n <= "
            + LIMIT
            + " then return 1 end return 0";
    return key -> {
      String name = "bench:" + key;
      line.send(
          "*4\r\n$4\r\nEVAL\r\n$%d\r\n%s\r\n$1\r\n1\r\n$%d\r\n%s\r\n"
              .formatted(script.length(), script, name.length(), name));
      String answer = line.read();
      if (answer.startsWith("-")) {
        line.close();
        throw new IOException("redis: " + answer + " (expected: a number)");
      }
      return answer.equals(":1");
    };
  }
}
