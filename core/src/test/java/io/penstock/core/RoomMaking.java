package io.penstock.core;

import java.time.Instant;

/** What makes room for a key that is used up. */
enum RoomMaking {
  RESET {
    @Override
    void happen(UsedUp scene) {
      scene.limiter().reset("a");
    }
  },
  CANCEL {
    @Override
    void happen(UsedUp scene) {
      scene.other().cancel();
    }
  },
  COMMIT_OF_LESS {
    @Override
    void happen(UsedUp scene) {
      scene.other().commit(0);
    }
  },
  REFUND {
    @Override
    void happen(UsedUp scene) {
      scene.limiter().refund("a", 1);
    }
  },
  REFUND_BY_HASH {
    @Override
    void happen(UsedUp scene) {
      scene.limiter().tryAcquireHash(scene.limiter().hash("a"), -1);
    }
  },
  REFUND_BY_RESERVE {
    @Override
    void happen(UsedUp scene) {
      scene.limiter().reserve("a", -1);
    }
  },
  REFUND_IN_A_BATCH {
    @Override
    void happen(UsedUp scene) {
      Batch batch = scene.limiter().newBatch(1);
      batch.add("a", -1);
      batch.decide();
    }
  },
  REFUND_TOGETHER {
    @Override
    void happen(UsedUp scene) {
      Limiter.tryAcquireAll(scene.limiter().check("a", -1), scene.limiter().check("b", 1));
    }
  },
  UPDATE {
    @Override
    void happen(UsedUp scene) {
      scene.limiter().update(MORE);
    }
  },
  OVERRIDE {
    @Override
    void happen(UsedUp scene) {
      scene.limiter().override("a", MORE, FAR);
    }
  },
  UNBLOCK {
    @Override
    void prepare(UsedUp scene) {
      scene.limiter().reset("a");
      scene.limiter().block("a", FAR);
    }

    @Override
    void happen(UsedUp scene) {
      scene.limiter().block("a", Instant.EPOCH);
    }
  },
  OVERRIDE_LIFTED {
    @Override
    void prepare(UsedUp scene) {
      scene.limiter().update(MORE);
      scene.limiter().override("a", Policy.parse("1/day"), FAR);
      scene.limiter().tryAcquire("a");
    }

    @Override
    void happen(UsedUp scene) {
      scene.limiter().override("a", MORE, Instant.EPOCH);
    }
  };

  private static final Policy MORE = Policy.parse("1000/s");
  private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

  /** A limiter whose key "a" is used up, by a reservation. */
  record UsedUp(MemoryLimiter limiter, Reservation other) {
    static UsedUp of(String policy, Clock clock) {
      MemoryLimiter limiter = Limiter.builder().policy(policy).clock(clock).build();
      return new UsedUp(limiter, limiter.reserve("a", 1));
    }
  }

  void prepare(UsedUp scene) {}

  abstract void happen(UsedUp scene);
}
