package io.penstock.core.state;

import io.penstock.core.state.Turn.Ask;
import java.util.Arrays;

/** Several turns decided at one instant, all kept or none. Confined to the thread that decides. */
public final class Together {
  private static final int TURNS_MIN = 4;
  private static final int ITSELF = -1;

  private Turn[] turns = {new Turn(), new Turn(), new Turn(), new Turn()};
  private States[] places = new States[TURNS_MIN];
  private int[] joinedTo = new int[TURNS_MIN];
  private int[] locks = new int[TURNS_MIN];
  private int size;
  private int locked;
  private int replays;
  private boolean looks;
  private boolean allowed;

  /** Forgets the turns of the last time. */
  public Together clear() {
    size = 0;
    replays = 0;
    looks = false;
    return this;
  }

  /** The next turn, to be filled in by the caller. */
  public Turn add(States place) {
    if (size == turns.length) {
      turns = Arrays.copyOf(turns, 2 * size);
      places = Arrays.copyOf(places, 2 * size);
      joinedTo = new int[2 * size];
      locks = new int[2 * size];
      Arrays.setAll(turns, i -> i < size ? turns[i] : new Turn());
    }
    places[size] = place;
    return turns[size++];
  }

  public int size() {
    return size;
  }

  public Turn turn(int index) {
    return turns[index];
  }

  /** Says whether the answer is all that is wanted, and nothing is to be taken. */
  public Together onlyLooks(boolean looks) {
    this.looks = looks;
    return this;
  }

  /** Forgets the turns of a check that was not decided, and gives the next plan time to appear. */
  public void again() {
    size = 0;
    /* It is published a few instructions after the rules of the last one have ended. */
    Stripes.pause(replays++);
  }

  /**
   * Decides all turns against each other; if all are allowed, all are kept. A turn that cannot be
   * kept and fails open counts as allowed, and the others still count. False if a rule is no longer
   * in force: then nothing was decided, and the turns must be made {@link #again}.
   */
  public boolean isPlayed() {
    if (size == 1 && !looks) {
      States place = places[0];
      forgetPlaces();
      place.play(turns[0]);
      allowed = turns[0].step().allowed();
    } else {
      playTogether();
    }
    return !isOutdated();
  }

  private boolean isOutdated() {
    boolean outdated = false;
    for (int i = 0; i < size; i++) {
      outdated |= turns[i].isOutdated();
    }
    return outdated;
  }

  /** Whether every turn of the check was allowed. */
  public boolean allowed() {
    return allowed;
  }

  private void playTogether() {
    joinRepeated();
    lockAll();
    boolean decided = false;
    try {
      allowed = isLoaded() && isPlayedThrough();
      decided = true;
      if (allowed) {
        keepAll();
      } else {
        keepNone();
      }
    } finally {
      if (!decided) {
        releaseAll();
      }
      unlockAll();
      forgetPlaces();
    }
    for (int i = 0; i < size; i++) {
      if (joinedTo[i] != ITSELF) {
        turns[i].answerAs(turns[joinedTo[i]]);
      }
    }
  }

  /** A thread keeps its turns for good, and must not keep a limiter that nobody else has. */
  private void forgetPlaces() {
    Arrays.fill(places, 0, size, null);
  }

  /** The same counter asked twice is asked once, for the sum: it must not be admitted twice. */
  private void joinRepeated() {
    for (int i = 0; i < size; i++) {
      joinedTo[i] = ITSELF;
      for (int j = 0; j < i && joinedTo[i] == ITSELF; j++) {
        if (joinedTo[j] == ITSELF
            && places[i] == places[j]
            && turns[i].hash() == turns[j].hash()
            && turns[i].rule() == turns[j].rule()) {
          joinedTo[i] = j;
          turns[j].join(turns[i]);
        }
      }
    }
  }

  private void lockAll() {
    locked = 0;
    for (int i = 0; i < size; i++) {
      int at = locked;
      while (at > 0 && compare(i, locks[at - 1]) < 0) {
        at--;
      }
      if (at == 0 || compare(i, locks[at - 1]) != 0) {
        System.arraycopy(locks, at, locks, at + 1, locked - at);
        locks[at] = i;
        locked++;
      }
    }
    for (int i = 0; i < locked; i++) {
      places[locks[i]].lock(stripe(locks[i]));
    }
    long number = 0;
    for (int i = 0; i < locked; i++) {
      States place = places[locks[i]];
      boolean another = i == 0 || place != places[locks[i - 1]];
      number = another ? place.number() : number;
      place.beforeWrites(stripe(locks[i]), number);
    }
  }

  private void unlockAll() {
    for (int i = 0; i < size; i++) {
      turns[i].step().log().clear();
      turns[i].stored = null;
    }
    for (int i = locked - 1; i >= 0; i--) {
      places[locks[i]].unlock(stripe(locks[i]));
    }
  }

  private int compare(int a, int b) {
    int byPlace = Long.compare(places[a].order(), places[b].order());
    return byPlace != 0 ? byPlace : Integer.compare(stripe(a), stripe(b));
  }

  private int stripe(int index) {
    return places[index].stripe(turns[index].hash());
  }

  /** Reads all states; false if a rule is no longer in force, and before anything is decided. */
  private boolean isLoaded() {
    for (int i = 0; i < size; i++) {
      if (joinedTo[i] == ITSELF) {
        turns[i].looks(looks);
        places[i].load(turns[i]);
        if (turns[i].isOutdated()) {
          return false;
        }
      }
    }
    return true;
  }

  /* Giving back may write at once, so it comes last: when nothing else can deny any more. */
  private boolean isPlayedThrough() {
    return playAll(/* givingBack= */ false)
        && !looks
        && reserveAll(/* givingBack= */ false)
        && playAll(/* givingBack= */ true)
        && reserveAll(/* givingBack= */ true);
  }

  private boolean playAll(boolean givingBack) {
    boolean all = true;
    for (int i = 0; i < size; i++) {
      if (joinedTo[i] == ITSELF && givesBack(i) == givingBack) {
        turns[i].play();
        all &= turns[i].isFull() ? turns[i].failsOpen() : turns[i].step().allowed();
      }
    }
    return all;
  }

  private boolean reserveAll(boolean givingBack) {
    for (int i = 0; i < size; i++) {
      if (joinedTo[i] == ITSELF
          && givesBack(i) == givingBack
          && turns[i].isChanged()
          && !places[i].reserve(turns[i])) {
        turns[i].full();
        release(i);
        if (!turns[i].failsOpen()) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean givesBack(int index) {
    return turns[index].ask() == Ask.GIVE_BACK;
  }

  private void release(int index) {
    places[index].release(turns[index]);
    turns[index].fresh(false);
  }

  private void keepAll() {
    for (int i = 0; i < size; i++) {
      if (joinedTo[i] == ITSELF && turns[i].isChanged() && !turns[i].isFull()) {
        places[i].keep(turns[i]);
      }
    }
  }

  private void releaseAll() {
    for (int i = 0; i < size; i++) {
      release(i);
    }
  }

  private void keepNone() {
    releaseAll();
    if (!isOutdated()) {
      showUntaken();
      keepConverted();
    }
  }

  /** Whether some turn could not be kept: it was let pass uncounted, or nothing was kept. */
  public boolean isFull() {
    boolean full = false;
    for (int i = 0; i < size; i++) {
      full |= turns[i].isFull();
    }
    return full;
  }

  /** In a check that is denied, the turns that would have passed say what is left untaken. */
  private void showUntaken() {
    for (int i = 0; i < size; i++) {
      if (joinedTo[i] == ITSELF && (givesBack(i) || turns[i].step().allowed())) {
        places[i].load(turns[i]);
        turns[i].asks(Ask.TAKE, 0, 0).play();
      }
    }
  }

  /*
   * A denied check takes nothing, but keeps a state that it has brought to another rule: if nobody
   * knows when that one began for the key, it is now, and must not be found anew each time (L2). If
   * the rule is over by now, nothing was converted, and the check is asked again.
   */
  private void keepConverted() {
    for (int i = 0; i < size && !looks; i++) {
      if (joinedTo[i] == ITSELF && turns[i].isChanged()) {
        places[i].load(turns[i]);
        boolean converted = !turns[i].isOutdated() && !turns[i].isFull() && turns[i].isChanged();
        if (converted && places[i].reserve(turns[i])) {
          places[i].keep(turns[i]);
        }
      }
    }
  }
}
