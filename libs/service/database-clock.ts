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
  /** Learns the database's time, read at some moment between `asked` and now. */
  learn(asked: Mark, told: number): void;
  /** By how many milliseconds the machine's clock is ahead at least; negative when it is behind, undefined until the database has answered. */
  aheadMs(): number | undefined;
}

/** The machine's clock, and a monotonic one; both in milliseconds. */
export interface MachineClocks {
  wall(): number;
  steady(): number;
}

/** What must be added to the monotonic clock to get the database's time. */
interface Offset {
  readonly min: number;
  readonly max: number;
  /** Between the two; it changes only as far as it must. */
  readonly believed: number;
}

/**
 * Extrapolates the database's time by a monotonic clock, independent of the machine's wall clock. An answer is exact to its round-trip time
 * (Cristian, Probabilistic Clock Synchronization, 1989), so each narrows an interval. One outside it starts a new interval: a clock has drifted
 * or was set.
 */
export function databaseClock({ wall, steady }: MachineClocks): Clock {
  let offset: Offset | undefined;
  return {
    now: () => (offset ? Math.round(steady() + offset.believed) : wall()),
    mark: () => ({ steady: steady(), wall: wall() }),
    since: (mark) => Math.max(steady() - mark.steady, Math.abs(wall() - mark.wall)),
    learn: (asked, told) => void (offset = narrowed(offset, told - steady(), told - asked.steady)),
    aheadMs() {
      if (!offset) return undefined;
      const distance = wall() - steady();
      return distance - clamp(distance, offset.min, offset.max);
    },
  };
}

function narrowed(known: Offset | undefined, min: number, max: number): Offset {
  if (!known) return { min, max, believed: (min + max) / 2 };
  const isConsistent = known.min <= max && min <= known.max;
  const bounds = isConsistent ? { min: Math.max(known.min, min), max: Math.min(known.max, max) } : { min, max };
  return { ...bounds, believed: clamp(known.believed, bounds.min, bounds.max) };
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);
