package io.penstock.server;

/**
 * How much a client may ask for, on every protocol. Immutable.
 *
 * @param headBytes request line and headers, or metadata of a call
 * @param bodyBytes a body, a message, or a command with its arguments
 * @param descriptors descriptors of one check
 * @param entries entries of one descriptor
 * @param keyLength UTF-8 bytes of the key of an entry
 * @param valueLength UTF-8 bytes of the value of an entry, or of a key of the Redis protocol
 * @param requestIdLength UTF-8 bytes of a request id
 * @param checks checks of one batch
 * @param connections open connections, per protocol
 * @param idleSeconds how long a connection may be silent
 * @param pipelined requests of one connection that wait for their answers
 */
public record Bounds(
    int headBytes,
    int bodyBytes,
    int descriptors,
    int entries,
    int keyLength,
    int valueLength,
    int requestIdLength,
    int checks,
    int connections,
    int idleSeconds,
    int pipelined) {
  /** Limits of one policy, or of one order for a key. */
  public static final int LIMITS = 16;

  /** What holds unless the configuration says otherwise. */
  public static Bounds defaults() {
    return new Bounds(16 << 10, 1 << 20, 32, 16, 1 << 10, 8 << 10, 256, 1_000, 10_000, 75, 1_000);
  }
}
