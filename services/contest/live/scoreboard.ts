import { setImmediate as nextTurn } from 'node:timers/promises';
import { contestShape } from '@maw/lab/contests/definition.ts';
import { LRUCache } from 'lru-cache';
import type { Contests, StoredContest } from '@maw/store/ports/contests.ts';
import { resultPages } from '../standing.ts';
import { addResult, type Board, boardOf, copyOf, emptyTally, type Tally } from './tally.ts';

/** How many contests are remembered, and how much longer than it took a board is shown before it is made again. */
const MAX_CONTESTS = 100;
const TIMES = 10;

/** What is remembered of a contest. Results stay as they are, so those before the first gap are added once. */
interface Entry {
  readonly tally: Tally;
  /** The pairing that is added next. */
  next: number;
  /** How many results there were when the board was last asked for, and until when it is shown though there are more. */
  finished: number;
  until: number;
  board: Promise<Board> | undefined;
}

/** What all results of a contest come to: the board of each, which those who look often share. */
export function scoreboards(contests: Contests, steady = () => performance.now()) {
  const known = new LRUCache<string, Entry>({ max: MAX_CONTESTS });
  return {
    of(stored: StoredContest): Promise<Board> {
      const { id, finished, state } = stored;
      const entry = known.get(id) ?? { tally: emptyTally(), next: 0, finished: -1, until: 0, board: undefined };
      const began = steady();
      // Who looks at a contest that is over may not look again.
      const isRecent = began < entry.until && (state === 'running' || state === 'stopping');
      if (entry.board && (entry.finished === finished || isRecent)) return entry.board;
      known.set(id, entry);
      entry.finished = finished;
      entry.until = Infinity;
      const board = Promise.resolve(entry.board)
        .catch(() => undefined)
        .then(() => addNew(contests, stored, entry));
      entry.board = board;
      const show = (ms: number): void => {
        if (entry.board === board) entry.until = steady() + ms;
      };
      board.then(
        () => show(TIMES * (steady() - began)),
        () => {
          entry.finished = -1;
          show(0);
        },
      );
      return board;
    },
  };
}

/** Adds the results that are new. Those after a gap, where a table is still played, count on a copy until it is closed. */
async function addNew(contests: Contests, { id, contest: stored }: StoredContest, entry: Entry): Promise<Board> {
  const contest = contestShape.parse(stored);
  let tally = entry.tally;
  for await (const page of resultPages(contests, id, entry.next - 1)) {
    for (const result of page) {
      if (result.number === entry.next) entry.next++;
      else if (tally === entry.tally) tally = copyOf(tally);
      addResult(tally, result);
    }
    await nextTurn(); // an embedded database reads the next page without one
  }
  return boardOf(contest, tally);
}
