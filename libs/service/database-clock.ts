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
  readonly least: number;
  readonly most: number;
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
      return distance - clamp(distance, offset.least, offset.most);
    },
  };
}

function narrowed(known: Offset | undefined, least: number, most: number): Offset {
  if (!known) return { least, most, believed: (least + most) / 2 };
  const isConsistent = known.least <= most && least <= known.most;
  const bounds = isConsistent ? { least: Math.max(known.least, least), most: Math.min(known.most, most) } : { least, most };
  return { ...bounds, believed: clamp(known.believed, bounds.least, bounds.most) };
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);
