/** A moment by both clocks of this machine. */
export interface Mark {
  readonly steady: number;
  readonly wall: number;
}

/** The time of tables: that of the database, the same for every replica. */
export interface Clock {
  /** Milliseconds since the epoch; that of this machine until the database has answered once. */
  now(): number;
  mark(): Mark;
  /** Milliseconds since then, by whichever clock moved more, in either direction. */
  since(mark: Mark): number;
  /**
   * Learns the database's time, read at some moment between `asked` and now.
   * @returns by how many milliseconds the machine's clock is ahead at least; negative when it is behind
   */
  learn(asked: Mark, told: number): number;
}

/**
 * Extrapolates the database's time by a monotonic clock, independent of the machine's wall clock. An answer is exact to its round-trip time
 * (Cristian, Probabilistic Clock Synchronization, 1989): the estimate changes only when it lies outside that interval.
 * @param wall the clock of this machine, milliseconds since the epoch
 * @param steady a monotonic clock in milliseconds
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
