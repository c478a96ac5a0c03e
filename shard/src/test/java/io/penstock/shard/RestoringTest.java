package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.state.Rules;
import io.penstock.testkit.ManualClock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a replica applies while it is listed by another thread, and when it is full. */
@Timeout(60)
class RestoringTest {
  private static final int NOTES = 200_000;
  private static final int LISTINGS = 100;
  private static final byte[] BYTES = new byte[8];

  private final ManualClock clock = new ManualClock();

  private Notes notes(long countMax) {
    return new Notes(countMax, /* bytesMax= */ 1 << 30, clock, /* generation= */ null);
  }

  private static Chunks chunks() {
    Chunks.Output nowhere =
        new Chunks.Output() {
          @Override
          public long next() {
            return 1;
          }

          @Override
          public void append(Frame frame) {}
        };
    return new Chunks(nowhere, new Frame(new Rules()), /* nowNanos= */ 0);
  }

  /** Whether a thread has come to an end, or to where it waits for another one. */
  private static boolean isStill(Thread thread) {
    return thread.getState() == Thread.State.WAITING || !thread.isAlive();
  }

  @Test
  void r8_idsRestoredWhileTheyAreListed_waitForTheListing() throws InterruptedException {
    IdWindow ids =
        new IdWindow(1_000, 1 << 20, /* ageNanosMax= */ 1_000, clock, /* generation= */ null);
    ids.restore(1, 1, clock.nanos(), BYTES);
    Thread applying = new Thread(() -> ids.restore(1, 2, clock.nanos(), BYTES));
    AtomicReference<Boolean> hasWaited = new AtomicReference<>(false);
    ids.list(
        chunks(),
        hash -> {
          if (applying.getState() != Thread.State.NEW) {
            return true;
          }
          applying.start();
          while (!isStill(applying)) {
            Thread.onSpinWait();
          }
          hasWaited.set(applying.isAlive());
          return true;
        });
    applying.join();
    assertThat(hasWaited).hasValue(true);
    assertThat(ids.size()).isEqualTo(2);
  }

  @Test
  void r8_notesRestoredWhileTheyAreListed_neverFailTheListing() throws InterruptedException {
    Notes notes = notes(NOTES);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean isListed = new AtomicBoolean();
    Thread applying =
        new Thread(
            () -> {
              for (int i = 0; !isListed.get(); i = (i + 1) % NOTES) {
                notes.restore(new NoteId(i, 1), Long.MAX_VALUE, BYTES);
                if (i % 3 == 0) {
                  notes.restoreGone(new NoteId(i / 2, 1));
                }
              }
            });
    applying.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
    applying.start();
    int listings = 0;
    while (applying.isAlive() && listings < LISTINGS) {
      long[] found = new long[1];
      notes.forEach((hash, check, text) -> found[0]++);
      listings += found[0] > 0 ? 1 : 0;
    }
    isListed.set(true);
    applying.join();
    assertThat(failure).hasNullValue();
    assertThat(listings).isEqualTo(LISTINGS);
  }

  @Test
  void r11_notesBeyondTheBoundOfTheOwner_areAppliedAllTheSame() {
    Notes notes = notes(3);
    for (int i = 0; i < 5; i++) {
      notes.restore(new NoteId(i, 1), Long.MAX_VALUE, BYTES);
    }
    assertThat(notes.size()).isEqualTo(5);
    assertThat(notes.isCrowded()).isTrue();
    for (int i = 0; i < 5; i++) {
      notes.remove(i, 1);
    }
    assertThat(notes.size()).isZero();
    assertThat(notes.bytes()).isZero();
  }
}
