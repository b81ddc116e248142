/** A server as far as choosing one is concerned. */
export interface Place {
  readonly name: string;
  /** Whether it may be given new work at all: it is up, it stays, and its breaker lets it. */
  mayRun(model: string): boolean;
  /** How many completions it is sent at once, of all models together. */
  readonly slots: number;
  /** How many completions of this model it works on at once; 0 when it does not have it. */
  atOnce(model: string): number;
  /** Whether the model is in its memory, as far as is known. */
  isResident(model: string): boolean;
}

export interface Wish {
  readonly model: string;
  /** Which server holds most of what the prompt begins with. */
  readonly warm: string | undefined;
  /** Servers that have failed with it already: only when no other may run it, busy or not. */
  readonly avoid: ReadonlySet<string>;
  /** Milliseconds of an output token there; undefined when nobody knows. */
  pace(server: string): number | undefined;
  /** Whether the model is on its way into the memory of a server just now. */
  isComing?(server: string): boolean;
}

/** Who uses which slots. */
export interface Slots {
  /**
   * Where a completion should run now; undefined only when no place that may run it has a free slot: nobody waits for a warm server
   * while another is idle. But where it has failed already it does not go while another place may run it, were that one busy: it would fail
   * again. Nor does it wait for a load that is under way while another place has the model, busy or not. Then where the model is resident, then the most of affinity - load (document gateway, section 3), then the fastest, then the first.
   */
  choose<P extends Place>(places: readonly P[], wish: Wish): P | undefined;
  /**
   * Takes a slot; what is returned gives it back, and twice does no harm.
   * @throws Error when none is free: a server is never sent more than its slots
   */
  take(place: Place, model: string): () => void;
  /** Slots in use, of one place. */
  busy(name: string): number;
}

export function slotBook(): Slots {
  const used = new Map<string, number>();
  const busy = (name: string): number => used.get(name) ?? 0;
  const ofModel = (name: string, model: string): string => `${name} ${model}`;
  const add = (key: string, count: number): void => {
    const left = busy(key) + count;
    if (left === 0) used.delete(key);
    else used.set(key, left);
  };
  const free = (place: Place, model: string): number =>
    Math.min(place.slots - busy(place.name), place.atOnce(model) - busy(ofModel(place.name, model)));

  return {
    choose(places, { model, warm, avoid, pace, isComing }) {
      const isElsewhere = avoid.size > 0 && places.some((one) => !avoid.has(one.name) && one.mayRun(model));
      const isThere = places.some((one) => one.isResident(model) && one.mayRun(model) && !avoid.has(one.name));
      const mean = places.reduce((sum, { name }) => sum + busy(name), 0) / Math.max(1, places.length);
      let best: { readonly place: (typeof places)[number]; readonly merits: readonly number[] } | undefined;
      for (const place of places) {
        if (!place.mayRun(model) || free(place, model) <= 0 || (isElsewhere && avoid.has(place.name))) continue;
        if (isThere && !place.isResident(model) && isComing?.(place.name)) continue;
        const load = (busy(place.name) - mean) / Math.max(1, mean);
        const merits = [place.isResident(model) ? 1 : 0, (place.name === warm ? 1 : 0) - load, -(pace(place.name) ?? 0)];
        if (!best || isMore(merits, best.merits)) best = { place, merits };
      }
      return best?.place;
    },
    take(place, model) {
      if (free(place, model) <= 0) throw new Error(`${place.name} has no free slot for ${model}`);
      const keys = [place.name, ofModel(place.name, model)];
      for (const key of keys) add(key, 1);
      return () => {
        for (const key of keys.splice(0)) add(key, -1);
      };
    },
    busy,
  };
}

/** Whether the first merit that differs is greater. */
function isMore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((merit, i) => merit !== other[i]);
  return at >= 0 && one[at]! > other[at]!;
}
