import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { type RandomGame, playAtRandom } from '@maw/games/kernel/random-play.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { Job } from './job.ts';

/** One game that was simulated. */
export interface Simulated {
  readonly game: number;
  readonly seed: string;
  readonly winner: string;
  readonly winners: readonly number[];
  /** Each seat's role at the end, and as it was dealt. */
  readonly roles: readonly string[];
  readonly dealt: readonly string[];
  readonly points: readonly number[];
  readonly events: number;
  /** How many died; absent in games without death. */
  readonly deaths?: number;
  /** How many phases of each kind there were: `{ day: 3, night: 2 }`. */
  readonly phases: { readonly [phase: string]: number };
}

/** What plays one game of a job after another. @throws Error when a mind fails, saying in which game */
export async function simulator(job: Job): Promise<(game: number) => Simulated | Promise<Simulated>> {
  return job.isPlain ? atRandom(job) : withMinds(job);
}

function atRandom({ seed, players, options, ...job }: Job): (game: number) => Simulated {
  const rules = ruleSetNamed(job.rules).rules(players, options);
  return (game) => {
    const phases = phaseCount();
    const { outcome, events, position } = playAtRandom(rules, players, `${seed}/${game}`, phases.take);
    return simulated({ game, seed: `${seed}/${game}`, events, phases: phases.counts }, outcome, position.game);
  };
}

async function withMinds(job: Job): Promise<(game: number) => Promise<Simulated>> {
  // What only minds need is loaded for minds only: it takes longer than a thousand random games.
  const [{ playGame }, { findRecipe }, { policiesOf }, { readMinds }] = await Promise.all([
    import('@maw/minds/arena/arena.ts'),
    import('@maw/minds/recipes.ts'),
    import('@maw/learning/policy/served-policy.ts'),
    import('@maw/minds/own-recipes.ts'),
  ]);
  const set = ruleSetNamed(job.rules);
  const { players, options, minds, sides } = job;
  const { recipes, seats } = readMinds([...minds, ...Object.values(sides)]);
  const chosen = seats.map(({ recipe, parameters }) => findRecipe(recipe, recipes, parameters));
  const bySeat = Array.from({ length: players }, (_, seat) => chosen[seat % minds.length]!);
  const byRole = new Map(
    Object.keys(sides).flatMap((side, i) => (set.sides?.[side] ?? []).map((role) => [role, chosen[minds.length + i]!] as const)),
  );
  const policy = policiesOf(job.policies);
  const recipeFor = (seat: number, role: string): Recipe => byRole.get(role) ?? bySeat[seat]!;
  return async (game) => {
    const seed = `${job.seed}/${game}`;
    try {
      const { outcome, state, tape } = await playGame({ rules: set, players, options, seed, recipeFor, policy });
      const phases = phaseCount();
      phases.take(tape);
      return simulated({ game, seed, events: tape.length, phases: phases.counts }, outcome, state);
    } catch (cause) {
      throw new Error(`game ${game} (seed ${seed}): ${(cause as Error).message}`, { cause });
    }
  };
}

function simulated(
  about: Pick<Simulated, 'game' | 'seed' | 'events' | 'phases'>,
  outcome: RandomGame<unknown>['outcome'],
  state: unknown,
): Simulated {
  const { winner, winners, roles, dealt = roles, points } = outcome;
  const { dead } = state as { dead?: unknown };
  return { ...about, winner, winners, roles, dealt, points, ...(Array.isArray(dead) ? { deaths: dead.length } : {}) };
}

/** Counts the numbered phases by the questions that are asked in them: `day-3/talk` is of the third day, whatever round of a match it is in. */
function phaseCount() {
  const counts: { [phase: string]: number } = {};
  const seen = new Set<string>();
  return {
    counts,
    take(events: readonly { readonly type: string }[]): void {
      for (const event of events) {
        if (event.type !== 'asked') continue;
        const { id } = (event as unknown as { question: { id: string } }).question;
        const [, name, number] = /^(?:round-\d+\/)?([a-z]+)-(\d+)\//.exec(id) ?? [];
        if (name === undefined || name === 'lobby' || name === 'round' || seen.has(`${name}-${number}`)) continue;
        seen.add(`${name}-${number}`);
        counts[name] = (counts[name] ?? 0) + 1;
      }
    },
  };
}
