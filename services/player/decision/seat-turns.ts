/** A decision of one seat. */
interface Taking {
  /** `table:seat` */
  readonly seat: string;
  /** The message that asks for it. */
  readonly id: string;
  /** The place on the tape it was asked at. */
  readonly sequence: number;
}

/** Why a seat leaves what it was deciding: it is asked something newer, or the same again. */
export class Superseded extends Error {
  override readonly name = 'AskedAnew';
}

interface Held extends Taking {
  readonly over: AbortController;
  readonly done: Promise<void>;
}

/**
 * Lets each seat do one thing at a time in this process: a newer question ends what the seat was asked before, and so does the same
 * question delivered again. What is older is left.
 */
export function seatTurns() {
  const held = new Map<string, Held>();
  return {
    /** How many seats are deciding; for tests. */
    inside: () => held.size,
    async take(taking: Taking, run: (over: AbortController) => Promise<void>): Promise<void> {
      const over = new AbortController();
      for (let before = held.get(taking.seat); before; before = held.get(taking.seat)) {
        if (before.sequence > taking.sequence) return;
        if (before.sequence < taking.sequence || before.id === taking.id) before.over.abort(new Superseded('the seat is asked anew'));
        await before.done;
      }
      const running = run(over);
      const mine: Held = {
        ...taking,
        over,
        done: running.catch(() => {}).then(() => void (held.get(taking.seat) === mine && held.delete(taking.seat))),
      };
      held.set(taking.seat, mine);
      await running;
    },
  };
}
