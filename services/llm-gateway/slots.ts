/** A model server as far as sharing out its slots is concerned. */
export interface Place {
  readonly name: string;
  readonly isUp: boolean;
  /** How many completions it is sent at once, of all models together. */
  readonly slots: number;
  /** How many completions of this model it works on at once; 0 when it does not have it. */
  atOnce(model: string): number;
  /** Whether the model is in its memory, as far as is known. */
  isResident(model: string): boolean;
}

export interface Slots {
  /**
   * Where a completion of `model` should run now: where the model is resident, then where most slots are free, then the first.
   * Undefined only when no place that is up and has the model has a free slot: nobody waits for a warm server while another is idle.
   */
  choose<P extends Place>(places: readonly P[], model: string): P | undefined;
  /**
   * Takes a slot; what is returned gives it back, and twice does no harm.
   * @throws Error when none is free: a server is never sent more than its slots
   */
  take(place: Place, model: string): () => void;
  /** Slots in use, of one place. */
  busy(name: string): number;
}

/** The book of who uses which slots. */
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
    place.isUp ? Math.min(place.slots - busy(place.name), place.atOnce(model) - busy(ofModel(place.name, model))) : 0;

  return {
    choose(places, model) {
      let best: { place: (typeof places)[number]; isResident: boolean; free: number } | undefined;
      for (const place of places) {
        const one = { place, isResident: place.isResident(model), free: free(place, model) };
        if (one.free > 0 && (!best || isBetter(one, best))) best = one;
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

interface Offer {
  readonly isResident: boolean;
  readonly free: number;
}

const isBetter = (one: Offer, other: Offer): boolean => (one.isResident === other.isResident ? one.free > other.free : one.isResident);
