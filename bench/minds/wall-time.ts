import { startInProcessSystem } from '@maw/cli/in-process-system.ts';
import { allDecisions } from '@maw/lab/thoughts/read-thoughts.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { SeatRecipe } from '@maw/recipes/seat-recipe.ts';
import { untilOver } from '../system-under-test.ts';

const NAMES = [
  'Ann',
  'Bob',
  'Cid',
  'Dot',
  'Eve',
  'Fay',
  'Gus',
  'Hal',
  'Ida',
  'Jon',
  'Kim',
  'Lou',
  'Mia',
  'Ned',
  'Oli',
  'Pam',
  'Quin',
  'Rae',
  'Sam',
  'Tom',
];
const SLOTS = 8;
/** Of the simulated model: a reply has about twenty tokens, a prompt some hundreds. */
const SPEED = { decodeMsPerToken: [2], prefillMsPerToken: 0.02 };

interface TimedMind {
  readonly mind: string;
  readonly seat: SeatRecipe;
  readonly recipes: readonly Recipe[];
}

/** How long a game took, and its calls would take one after another. */
export interface WallTime {
  readonly mind: string;
  readonly rules: string;
  readonly calls: number;
  /** From the deal to the end, in seconds. */
  readonly wall: number;
  /** The time that the model worked, call by call, in seconds. */
  readonly sum: number;
}

/** Plays one game of a recipe on every seat, with a simulated model of eight slots. Undefined: aborted. */
export async function wallTime({ mind, seat, recipes }: TimedMind, rules: string, signal: AbortSignal): Promise<WallTime | undefined> {
  const models = { servers: [], model: undefined, says: '', sim: { slots: SLOTS, ...SPEED } };
  const { web, close } = await startInProcessSystem({ port: 0, models, recipes, maxWaitMs: 2_000, logLevel: 'error' });
  try {
    const { players } = await web.rules(rules);
    // Names that minds choose depend on who is first, and all prompts on names.
    const seats = Array.from({ length: players.usual }, (_, i) => ({ kind: 'mind' as const, name: NAMES[i]!, ...seat }));
    const { table } = await web.open({ rules, players: players.usual, seats, rounds: 1, options: {}, seed: 'wall time' });
    await untilOver(web, table, signal);
    if (signal.aborted) return undefined;
    let [began, ended, calls, sum] = [0, 0, 0, 0];
    for await (const { at, event } of web.tape(table, 'narrator')) {
      if (event.type === 'began') began = at;
      if (event.type === 'scored') ended = at;
    }
    for await (const { steps } of allDecisions(web, table))
      for await (const { content } of steps)
        for (const { reply } of content.calls ?? []) {
          const { total, queued } = reply?.times ?? { total: 0 };
          calls++;
          sum += total - Number(queued ?? 0);
        }
    return { mind, rules, calls, wall: (ended - began) / 1000, sum: sum / 1000 };
  } finally {
    await close();
  }
}
