package io.penstock.server.node;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.core.policy.Scope;
import io.penstock.core.state.KeyHash;
import io.penstock.server.policy.Sharing;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of keys: domain and entries, each with its length before it, so that no two keys are
 * ever joined to the same text. Thread-safe.
 */
final class Keys {
  private static final int BUFFER_BYTES = 1 << 10;

  /* What a hash is of comes first, so that a request id is never taken for a key. */
  private static final byte CHECKED = 0;
  private static final byte THROTTLED = 1;
  private static final byte REQUEST = 2;
  private static final byte HOLDING = 3;
  private static final byte SHARED = 4;
  private static final byte STAKE = 5;
  private static final byte LEASE = 6;

  private static final class Buffer {
    private byte[] bytes = new byte[BUFFER_BYTES];
    private int length;

    private void room(int more) {
      if (length + more > bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * (length + more));
      }
    }

    private Buffer begin(byte sort) {
      length = 0;
      bytes[length++] = sort;
      return this;
    }

    private void add(int number) {
      room(Integer.BYTES);
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        bytes[length++] = (byte) (number >>> shift);
      }
    }

    /* Every char as it is, in two bytes: nothing is normalised, and half a pair is itself. */
    private void add(String text) {
      add(text.length());
      room(2 * text.length());
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        bytes[length++] = (byte) c;
        bytes[length++] = (byte) (c >>> Byte.SIZE);
      }
    }

    private void add(String domain, Descriptor descriptor) {
      add(domain);
      add(descriptor);
    }

    private void add(Descriptor descriptor) {
      List<Entry> entries = descriptor.entries();
      for (int i = 0; i < entries.size(); i++) {
        add(entries.get(i).key());
        add(entries.get(i).value());
      }
    }

    private void add(byte[] key, int from, int size) {
      room(size);
      System.arraycopy(key, from, bytes, length, size);
      length += size;
    }
  }

  private final ThreadLocal<Buffer> buffers = ThreadLocal.withInitial(Buffer::new);
  private final KeyHash hash;
  private final KeyHash check;

  Keys(long secret0, long secret1) {
    this.hash = new KeyHash(secret0, secret1);
    this.check = new KeyHash(~secret0, ~secret1);
  }

  /** The hash of a key that policies apply to. */
  long of(String domain, Descriptor descriptor) {
    return of(CHECKED, domain, descriptor);
  }

  /** The hash of what several keys share: no key has it, whatever its values hold. */
  private long ofShared(String domain, Descriptor shared) {
    return of(SHARED, domain, shared);
  }

  /** The hash under which a key is counted: its own, or that of all who share a counter. */
  long counted(String domain, Descriptor descriptor, long own, @Nullable Placed placed) {
    List<String> share = placed == null ? List.of() : placed.offer().grant().terms().share();
    return share.isEmpty() || placed == null
        ? own
        : ofShared(domain, Sharing.of(Scope.parse(placed.scope()), share).key(descriptor));
  }

  private long of(byte sort, String domain, Descriptor descriptor) {
    Buffer buffer = buffers.get().begin(sort);
    buffer.add(domain, descriptor);
    return hash.of(buffer.bytes, 0, buffer.length);
  }

  /** The hash of a key whose limit comes with the request. */
  long of(byte[] key, int from, int length) {
    Buffer buffer = buffers.get().begin(THROTTLED);
    buffer.add(key, from, length);
    return hash.of(buffer.bytes, 0, buffer.length);
  }

  /** The two hashes of a request id, which belongs to the domain and the descriptors. */
  Twin ofRequest(CheckRequest request, String id) {
    return twin(REQUEST, request, id);
  }

  /** The same of a request that reserves: its answer is another than that to a check. */
  Twin ofReservation(CheckRequest request, String id) {
    return twin(HOLDING, request, id);
  }

  /** The same of a request for a lease: what is reserved cannot be renewed or released. */
  Twin ofLease(CheckRequest request, String id) {
    return twin(LEASE, request, id);
  }

  /** The same of a part of a check, which can be taken back. */
  Twin ofStake(CheckRequest part, String id) {
    return twin(STAKE, part, id);
  }

  private Twin twin(byte sort, CheckRequest request, String id) {
    Buffer buffer = buffers.get().begin(sort);
    buffer.add(id);
    List<Asked> all = request.asked();
    if (all.size() == 1 && all.get(0).descriptor().entries().size() == 1) {
      buffer.add(request.domain(), all.get(0).descriptor());
    } else {
      addStructured(buffer, request);
    }
    return new Twin(
        hash.of(buffer.bytes, 0, buffer.length), check.of(buffer.bytes, 0, buffer.length));
  }

  /*
   * How many descriptors there are, and how many entries each has, is part of the text: else one
   * of four entries may read like three of one. A single entry needs no such number, and keeps the
   * hash that it had before 0.6: there the length of the domain is where this begins below zero.
   */
  private static void addStructured(Buffer buffer, CheckRequest request) {
    buffer.add(-request.asked().size());
    buffer.add(request.domain());
    for (Asked asked : request.asked()) {
      buffer.add(asked.descriptor().entries().size());
      buffer.add(asked.descriptor());
    }
  }

  /** Two independent hashes of one thing: both collide only by a chance of 1 in 2^120. */
  record Twin(long hash, long check) {
    /** The same in the shard of a key: where that moves, what is remembered of it goes (R23). */
    Twin with(long key) {
      return new Twin(Signature.withShard(hash, Signature.shard(key)), check);
    }
  }
}
