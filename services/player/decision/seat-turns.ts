/** A decision of one seat. */
interface Turn {
  /** `table:seat` */
  readonly seat: string;
  /** Id of the message that asks for it. */
  readonly id: string;
  /** Its position on the tape. */
  readonly sequence: number;
}

/** Why a decision is dropped: the seat was asked something newer, or the same again. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

interface RunningTurn extends Turn {
  readonly over: AbortController;
  readonly done: Promise<void>;
}

/**
 * Runs one decision per seat at a time in this process. A newer message supersedes the running decision, and so does a redelivery of the same
 * one; an older message is dropped.
 */
export function seatTurns() {
  const running = new Map<string, RunningTurn>();
  return {
    /** How many seats are deciding; for tests. */
    size: () => running.size,
    async take(turn: Turn, run: (over: AbortController) => Promise<void>): Promise<void> {
      for (let before = running.get(turn.seat); before; before = running.get(turn.seat)) {
        if (before.sequence > turn.sequence) return;
        if (before.sequence < turn.sequence || before.id === turn.id) before.over.abort(new Superseded('the seat was asked again'));
        await before.done;
      }
      const over = new AbortController();
      const work = run(over);
      const done = work.catch(() => undefined).then(() => void (running.get(turn.seat) === own && running.delete(turn.seat)));
      const own: RunningTurn = { ...turn, over, done };
      running.set(turn.seat, own);
      await work;
    },
  };
}
