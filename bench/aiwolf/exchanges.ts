/** What instant agents have seen of some games. */
export interface Exchanges {
  readonly games: number;
  /** Answers to requests that stand for a question of the table. */
  readonly acts: number;
  /** Of packets and answers with their line ends, without NAME. */
  readonly bytes: number;
  /** From the first packet to the last, in milliseconds. */
  readonly elapsedMs: number;
  /**
   * For each answer to TALK and WHISPER, which are asked in turns: from sending it to the next packet of its game that any agent has received, in
   * milliseconds.
   */
  readonly turnMs: readonly number[];
}

export const TURNS: ReadonlySet<string> = new Set(['TALK', 'WHISPER']);
const ACTS: ReadonlySet<string> = new Set([...TURNS, 'VOTE', 'DIVINE', 'GUARD', 'ATTACK']);

/** Records what all agents of a process receive and answer. Times are milliseconds of one clock. */
export class ExchangeRecorder {
  #acts = 0;
  #bytes = 0;
  #first: number | undefined;
  #last = 0;
  readonly #turnMs: number[] = [];
  /** When the answer left that its game waits for. */
  readonly #games = new Map<string, number | undefined>();

  received(game: string, text: string, at: number): void {
    this.#first ??= at;
    this.#last = at;
    this.#bytes += Buffer.byteLength(text) + 1;
    const answeredAt = this.#games.get(game);
    if (answeredAt !== undefined) this.#turnMs.push(at - answeredAt);
    this.#games.set(game, undefined);
  }

  answered(game: string, request: string, text: string, at: number): void {
    this.#bytes += Buffer.byteLength(text) + 1;
    if (ACTS.has(request)) this.#acts++;
    if (TURNS.has(request)) this.#games.set(game, at);
  }

  result(): Exchanges {
    return {
      games: this.#games.size,
      acts: this.#acts,
      bytes: this.#bytes,
      elapsedMs: this.#last - (this.#first ?? 0),
      turnMs: this.#turnMs,
    };
  }
}
