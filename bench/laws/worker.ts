import { parentPort } from 'node:worker_threads';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { type Law, shareOf, type LawCounts, checkLaws } from '@maw/tests/equipment/laws/check-laws.ts';
import { variantsOf } from '@maw/tests/equipment/laws/variant.ts';

/** Games `from` up to, but without, `to` of one variant. */
export interface Batch {
  readonly rules: string;
  readonly variant: string;
  readonly laws: readonly Law[];
  readonly games: number;
  readonly acts: number;
  readonly from: number;
  readonly to: number;
}

export interface BatchDone {
  readonly tried: LawCounts;
  /** Processor time. */
  readonly ms: number;
  readonly broken: readonly string[];
}

/** Processor time of this thread, in milliseconds. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function play({ rules, variant: name, laws, games, acts, from, to }: Batch): BatchDone {
  const start = spentMs();
  const set = ruleSetNamed(rules);
  const variant = variantsOf(set).find((each) => each.name === name)!;
  const broken: string[] = [];
  const sum = { games: 0, events: 0, acts: 0 };
  for (let n = from; n < to; n++) {
    const tried = checkLaws({ set, variant, n, laws, acts: shareOf(acts, games, n) }, (_, why) => void broken.push(why.message));
    sum.games += tried.games;
    sum.events += tried.events;
    sum.acts += tried.acts;
  }
  return { tried: sum, ms: spentMs() - start, broken };
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
parentPort?.on('message', (batch: Batch) => parentPort?.postMessage(play(batch)));
