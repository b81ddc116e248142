import { diceOf } from '@maw/games/dice.ts';
import { match } from '@maw/games/match.ts';
import type { Match } from '@maw/games/match-state.ts';
import { play, type Position } from '@maw/games/play.ts';
import { type Open, optionsFor, phaseOf, type Seat, seatOf } from '@maw/games/question.ts';
import { Refusal } from '@maw/games/refusal.ts';
import type { RuleSet } from '@maw/games/rule-set.ts';
import type { Outcome } from '@maw/games/rules.ts';
import { type Asking, type Mind, type Moment, newMind, type Player, type Recipe, think, type Tools } from './mind.ts';
import { type News, newsOfSeen, type Verbs, verbsAfter } from './news.ts';

interface Arena {
  readonly rules: RuleSet;
  readonly players: number;
  readonly options?: { readonly [name: string]: unknown };
  readonly seed: string;
  /** Which mind plays a seat; asked anew each time, so it may go by the role the seat was dealt. */
  recipeFor(seat: Seat, role: string): Recipe;
  /** The longest wait of a seat between two thoughts, in milliseconds of the game. */
  readonly paceMs?: number;
}

/** What one seat carries through the game. */
interface Sitting {
  mind: Mind;
  news: News[];
  verbs: Verbs;
  seen: number;
  phase: string;
  iteration: number;
  standing: { [question: string]: readonly string[] };
  refused: string[];
  wakes: number;
}

/** Plays one game of minds that need no model to its end, in this process and in no time: the clock goes from thought to thought. */
export async function playOne({ rules, players, options = {}, seed, recipeFor, paceMs = 10_000 }: Arena): Promise<Outcome> {
  const table = match(rules.rules(players, options));
  const game = play(table);
  const dice = diceOf(seed, 'arena');
  const text = rules.text(players, options);
  const names = Array.from({ length: players }, (_, seat) => `P${seat}`);
  const sittings = names.map((): Sitting => ({ ...sitting(), wakes: dice.below(paceMs) }));
  let now = 0;
  let position: Position<Match> = game.begin();

  const take = (events: readonly { readonly type: string }[]): void => {
    for (const event of events) {
      for (const [seat, own] of sittings.entries()) {
        const seen = game.see(position, event, seat);
        if (!seen) continue;
        const entry = { n: ++own.seen, at: now, event: { ...seen } };
        own.verbs = verbsAfter(own.verbs, entry);
        own.news.push(newsOfSeen(entry, { names, verbs: own.verbs, isRead: true }));
      }
      position = game.evolve(position, event);
    }
  };

  const seats = names.map(() => ({ kind: 'mind' as const }));
  const opening = {
    rules: rules.name,
    version: rules.version,
    options,
    rounds: 1,
    seats,
    seed,
    lobbyMs: 0,
    pauseMs: 0,
    spectators: 'audience' as const,
  };
  take(table.open(opening, now));
  for (const [seat, name] of names.entries()) take(table.join(position.game, seat, name, now));

  while (!game.isOver(position)) {
    const alarm = game.wake(position)!;
    const awake = sittings.flatMap((own, seat) => (game.asked(position, seat).length ? [{ own, seat }] : []));
    const next = awake.toSorted((a, b) => a.own.wakes - b.own.wakes || a.seat - b.seat)[0];
    if (!next || next.own.wakes >= alarm) {
      now = Math.max(now, alarm);
      take(game.tick(position, now, seed));
      for (const own of sittings) own.wakes = Math.max(own.wakes, now + dice.below(paceMs));
      continue;
    }
    const { own, seat } = next;
    now = Math.max(now, own.wakes);
    await decide(own, seat);
    own.wakes = now + 1 + dice.below(paceMs);
  }
  return table.outcome(position.game)!;

  /** One thought of one seat, and what comes of it. */
  async function decide(own: Sitting, seat: Seat): Promise<void> {
    const open = game.asked(position, seat);
    const phase = phaseOf(open[0]!.id);
    if (phase !== own.phase) Object.assign(own, { phase, iteration: 0, standing: {} });
    const role = (position.game.game as { roles?: readonly string[] }).roles?.[seat] ?? '';
    const recipe = recipeFor(seat, role);
    const moment = momentOf(own, { seat, open, now, recipe: recipe.name });
    own.news = [];
    own.refused = [];
    own.iteration++;
    own.mind = await think(recipe, own.mind, moment, toolsAt(now));
    for (const { question, says } of own.mind.answers) {
      try {
        take(game.act(position, question, { by: seat, says }, now, seed));
        own.standing[question] = says;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        own.refused.push(error.message);
      }
    }
  }

  function momentOf(own: Sitting, about: { seat: Seat; open: readonly Open[]; now: number; recipe: string }): Moment {
    const { seat, open } = about;
    const until = Math.min(...open.map((q) => q.until));
    const out = table.out(position.game);
    const everybody: Player[] = names.map((name, other) => ({ seat: other, name, alive: !out.includes(other) }));
    return {
      recipe: about.recipe,
      seat,
      name: names[seat]!,
      now,
      until,
      phase: own.phase,
      round: 1,
      iteration: own.iteration,
      questions: open.map((q) => askingOf(q, seat)),
      standing: own.standing,
      news: own.news,
      refused: own.refused,
      brief: '',
      rules: { name: rules.name, text },
      players: everybody,
      seed,
      isShort: until - now < 2 * paceMs,
      isPressed: false,
      contextTokens: 0,
    };
  }

  function askingOf(q: Open, seat: Seat): Asking {
    const named = (is: string) => (is.startsWith('seat:') ? names[seatOf(is)]! : is);
    const { id, verb, pick, until, final, maxChars } = q;
    return { id, verb, pick, until, final, maxChars, options: optionsFor(q, seat).map((is) => ({ is, named: named(is) })) };
  }
}

const sitting = (): Sitting => ({
  mind: newMind,
  news: [],
  verbs: {},
  seen: 0,
  phase: '',
  iteration: 0,
  standing: {},
  refused: [],
  wakes: 0,
});

const never = new AbortController().signal;
const toolsAt = (now: number): Tools => ({
  complete: () => Promise.reject(new Refusal('no-server', 'there is no model in the arena')),
  record: async ({ name, content }) => {
    if (content['error']) throw new Error(`the step ${name} failed: ${JSON.stringify(content['error'])}`); // a baseline must not be silent by mistake
  },
  now: () => now,
  signal: never,
});

/** How often a side won, of so many games. */
export interface Tally {
  readonly games: number;
  readonly wins: number;
}

/** Plays `games` games with seeds of their own, and counts those that `side` won. */
export async function playMany(games: number, side: string, arena: Omit<Arena, 'seed'> & { readonly seed: string }): Promise<Tally> {
  let wins = 0;
  for (let i = 0; i < games; i++) if ((await playOne({ ...arena, seed: `${arena.seed}/${i}` })).winner === side) wins++;
  return { games, wins };
}

/** How many standard errors the share of the first lies above that of the second: the z of two proportions, pooled. 2.33 is beyond doubt at the 99 % level. */
export function zOf(a: Tally, b: Tally): number {
  const pooled = (a.wins + b.wins) / (a.games + b.games);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.games + 1 / b.games));
  return error ? (a.wins / a.games - b.wins / b.games) / error : 0;
}
