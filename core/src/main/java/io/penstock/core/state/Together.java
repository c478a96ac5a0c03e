package io.penstock.core.state;

import io.penstock.core.state.Turn.Ask;
import java.util.Arrays;

/** Several turns decided at one instant, all kept or none. Confined to the thread that decides. */
public final class Together {
  private static final int TURNS_MIN = 4;

  private Turn[] turns = {new Turn(), new Turn(), new Turn(), new Turn()};
  private States[] places = new States[TURNS_MIN];
  private final Gathered gathered = new Gathered();
  private final Locks locks = new Locks();
  private final Together first;
  private int size;
  private int replays;
  private boolean looks;
  private boolean allowed;
  private boolean playing;

  public Together() {
    this.first = this;
  }

  private Together(Together first) {
    this.first = first;
  }

  /** Other turns of the same thread: these are being played, or are still to be read. */
  public Together another() {
    return new Together(first);
  }

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
    boolean outer = first.playing;
    first.playing = true;
    try {
      if (size == 1 && !looks) {
        States place = places[0];
        forgetPlaces();
        place.play(turns[0]);
        allowed = turns[0].step().allowed();
      } else {
        playTogether();
      }
    } finally {
      first.playing = outer;
    }
    return !isOutdated();
  }

  /**
   * Whether these, or {@link #another} of them, are being played, so that whoever is called now, as
   * a store, must take other turns for what it asks.
   */
  public boolean isPlaying() {
    return first.playing;
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
    gathered.gather(turns, places, size);
    locks.lock(turns, places, size);
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
      try {
        if (!decided) {
          releaseAll();
        }
      } finally {
        unlockAll();
        forgetPlaces();
      }
    }
    gathered.answer(turns, size);
  }

  /** A thread keeps its turns for good, and must not keep a limiter that nobody else has. */
  private void forgetPlaces() {
    Arrays.fill(places, 0, size, null);
  }

  private void unlockAll() {
    for (int i = 0; i < size; i++) {
      turns[i].step().log().clear();
      turns[i].stored = null;
    }
    locks.unlock(turns, places);
  }

  /** Reads all states; false if a rule is no longer in force, and before anything is decided. */
  private boolean isLoaded() {
    if (!gathered.isWeighed(turns, places, size)) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (gathered.isAsked(i)) {
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
      if (gathered.isAsked(i) && givesBack(i) == givingBack) {
        turns[i].play();
        if (turns[i].isFull()) {
          turns[i].fullIfAllowed();
        }
        all &= passes(i);
      }
      all &= !gathered.hasLooked(i) || passes(i);
    }
    return all;
  }

  private boolean passes(int index) {
    return turns[index].isFull() ? turns[index].failsOpen() : turns[index].step().allowed();
  }

  private boolean reserveAll(boolean givingBack) {
    for (int i = 0; i < size; i++) {
      if (gathered.isAsked(i)
          && givesBack(i) == givingBack
          && turns[i].isChanged()
          && !places[i].reserve(turns[i])) {
        turns[i].unkept();
        release(i);
        if (turns[i].isFull() && !turns[i].failsOpen()) {
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
      if (gathered.isAsked(i) && turns[i].isChanged() && !turns[i].isUnkept()) {
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

  /**
   * Whether nobody knows the answer of some turns, which are those of one key: one of them could
   * not be read or kept. If another denies, that is the answer, whatever the first would say.
   */
  public boolean isUnknown(int from, int to) {
    boolean full = false;
    boolean denied = false;
    for (int i = from; i < to; i++) {
      full |= turns[i].isFull();
      denied |= !turns[i].isFull() && !turns[i].step().allowed();
    }
    return full && !denied;
  }

  /** The same of all turns. */
  public boolean isUnknown() {
    return isUnknown(/* from= */ 0, size);
  }

  /** In a check that is denied, the turns that would have passed say what is left untaken. */
  private void showUntaken() {
    for (int i = 0; i < size; i++) {
      if (gathered.isAsked(i) && (givesBack(i) || turns[i].step().allowed())) {
        places[i].load(turns[i]);
        turns[i].asks(Ask.TAKE, 0, 0).play();
      }
    }
    gathered.showUntaken(turns, places, size);
  }

  /*
   * A denied check takes nothing, but keeps a state that it has brought to another rule: if nobody
   * knows when that one began for the key, it is now, and must not be found anew each time (L2). If
   * the rule is over by now, nothing was converted, and the check is asked again. The answers are
   * given: that a state cannot be kept, or read once more, changes nothing about them.
   */
  private void keepConverted() {
    for (int i = 0; i < size && !looks; i++) {
      if (gathered.isAsked(i) && turns[i].isChanged()) {
        boolean full = turns[i].isFull();
        places[i].load(turns[i]);
        boolean converted = !turns[i].isOutdated() && !turns[i].isFull() && turns[i].isChanged();
        if (converted && places[i].reserve(turns[i])) {
          places[i].keep(turns[i]);
        }
        turns[i].full(full);
      }
    }
  }
}
