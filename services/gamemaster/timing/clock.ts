/** A moment by the clocks of this machine. */
export interface Mark {
  readonly steady: number;
  readonly wall: number;
}

/** The time by which tables are played: that of the database, the same for every replica. */
export interface Clock {
  /** Milliseconds since the epoch. Until the database has told the time it is that of this machine. */
  now(): number;
  mark(): Mark;
  /** How long ago that was, in milliseconds; a clock that was set back was moved as well, and counts by how much. */
  since(mark: Mark): number;
  /**
   * The database has told the time, somewhen between `asked` and now.
   * @returns by how many milliseconds the clock of this machine is ahead of it, at least; negative when it is behind
   */
  learn(asked: Mark, told: number): number;
}

/**
 * Goes on from what the database has told by a clock that nobody sets, so that it does not matter what the clock of this machine says, or
 * that it is set. What was told is right to within the time it took to ask (Cristian, Probabilistic Clock Synchronization, 1989): as long as what was
 * believed lies within that, it is kept, and the slow answers change nothing.
 * @param wall the clock of this machine, milliseconds since the epoch
 * @param steady milliseconds since any moment; nobody sets it
 */
export function databaseClock({ wall, steady }: { wall(): number; steady(): number }): Clock {
  let ahead: number | undefined;
  return {
    now: () => (ahead === undefined ? wall() : Math.round(steady() + ahead)),
    mark: () => ({ steady: steady(), wall: wall() }),
    since: (mark) => Math.max(steady() - mark.steady, Math.abs(wall() - mark.wall)),
    learn(asked, told) {
      const [least, most] = [told - steady(), told - asked.steady];
      ahead = Math.min(Math.max(ahead ?? (least + most) / 2, least), most);
      const [early, late] = [asked.wall - told, wall() - told];
      return early > 0 ? early : Math.min(0, late);
    },
  };
}
