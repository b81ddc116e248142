import { diceOf } from '@maw/games/kernel/dice.ts';
import { match } from '@maw/games/match/match.ts';
import type { Match } from '@maw/games/match/state.ts';
import { play, type Position } from '@maw/games/kernel/play.ts';
import { type Open, optionsFor, type Seat, seatOf, waiting } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Outcome } from '@maw/games/kernel/rules.ts';
import type { Asking, Mind, Moment, Player, Recipe, Tools } from '../mind.ts';
import { type Decision, due, isAsleep, newSitting, note, rest, ring, type Sitting } from './schedule.ts';
import { newTape, type TapeEvent } from './tape.ts';

export interface ArenaGame {
  readonly rules: RuleSet;
  readonly players: number;
  readonly options?: { readonly [name: string]: unknown };
  readonly seed: string;
  /** Which mind plays a seat; asked anew each time, so it may go by the role the seat was dealt. */
  recipeFor(seat: Seat, role: string): Recipe;
  /** The longest wait of a seat between two thoughts, in milliseconds of the game; at most a quarter of what a question lasts, which is the default. */
  readonly paceMs?: number;
}

/** A game that was played in the arena. */
export interface PlayedGame {
  readonly outcome: Outcome;
  readonly tape: readonly TapeEvent[];
  /** The state of the game at its end, in the words of its own rules. */
  readonly state: unknown;
}

/** Plays one game of minds that need no model to its end. */
export const playOutcome = async (arena: ArenaGame): Promise<Outcome> => (await playGame(arena)).outcome;

/**
 * Plays one game of minds that need no model to its end, in this process and in no time: the clock goes from thought to thought.
 * @throws Error when a step of a mind fails: a baseline must not be silent by mistake
 */
export async function playGame({ rules, players, options = {}, seed, recipeFor, paceMs = Infinity }: ArenaGame): Promise<PlayedGame> {
  const table = match(rules.rules(players, options));
  const game = play(table);
  const dice = diceOf(seed, 'arena');
  const names = Array.from({ length: players }, (_, seat) => `P${seat}`);
  const sittings = names.map((_, seat) => newSitting(seat));
  const tape = newTape(game, names);
  const told = { name: rules.name, text: rules.text(players, options) };
  let now = 0;
  let position: Position<Match> = game.begin();
  let everybody: readonly Player[] = [];
  let gone: readonly Seat[] = [];

  const seats = names.map(() => ({ kind: 'mind' as const }));
  const terms = { rules: rules.name, version: rules.version, options, rounds: 1, seats, seed };
  begin(table.open({ ...terms, lobbyMs: 0, pauseMs: 0, spectators: 'audience' }, now));
  for (const [seat, name] of names.entries()) begin(table.join(position.game, seat, name, now));
  look();

  while (!game.isOver(position)) {
    const alarm = game.wake(position)!;
    const next = earliest(alarm);
    if (next) await decide(next.own, next.decision);
    else {
      now = Math.max(now, alarm);
      take(game.ticked(position, now, seed));
      look();
    }
  }
  return { outcome: table.outcome(position.game)!, tape: tape.events(), state: position.game.game };

  function begin(events: readonly { readonly type: string }[]): void {
    take({ events, position: game.fold(events, position) });
  }

  function take(moved: { readonly events: readonly { readonly type: string }[]; readonly position: Position<Match> }): void {
    const from = tape.length();
    tape.write(moved.events, position, now);
    position = moved.position;
    for (const { seat, decisions } of sittings)
      for (const decision of decisions.values())
        if (isAsleep(decision) && tape.hasNews(seat, from, tape.length())) ring(decision, { now, paceMs, dice });
  }

  /** Notes who is asked what now. */
  function look(): void {
    const out = table.out(position.game);
    if (!everybody.length || !isSame(out, gone)) everybody = names.map((name, seat) => ({ seat, name, alive: !out.includes(seat) }));
    gone = out;
    for (const own of sittings) own.asked = NOTHING;
    for (const q of position.open)
      for (const seat of waiting(q)) {
        const own = sittings[seat]!;
        if (!out.includes(seat)) own.asked = own.asked === NOTHING ? [q] : [...own.asked, q];
      }
    for (const own of sittings) note(own, { now, paceMs, dice });
  }

  /** Who thinks next, before the alarm rings. */
  function earliest(alarm: number): { own: Sitting; decision: Decision } | undefined {
    let next: { own: Sitting; decision: Decision } | undefined;
    for (const own of sittings)
      for (const decision of own.decisions.values()) if (decision.wakes < (next?.decision.wakes ?? alarm)) next = { own, decision };
    return next;
  }

  /** One thought of one seat, and what comes of it. */
  async function decide(own: Sitting, decision: Decision): Promise<void> {
    now = Math.max(now, decision.wakes);
    const about = due(own, decision);
    if (!about.length) return void (decision.wakes = Infinity);
    const { seat, since } = own;
    const upTo = tape.length();
    const recipe = recipeFor(seat, (position.game.game as { roles?: readonly string[] }).roles?.[seat] ?? '');
    const news = recipe.ignoresNews ? [] : tape.hear(own.heard, since, upTo);
    const moment = momentOf(own, decision, about, { recipe: recipe.name, news });
    own.since = upTo;
    decision.refused = [];
    own.mind = await thinkAlone(recipe, own.mind, moment, toolsAt(now));
    const { answers } = own.mind;
    const isNews = !answers.length && tape.hasNews(seat, since, upTo);
    for (const { question, says } of answers) {
      if (!position.open.some(({ id }) => id === question)) continue; // an answer before it has ended the phase: that is nobody's mistake
      try {
        const moved = game.acted(position, question, { by: seat, says }, now, seed);
        take(moved);
        if (moved.events.length > 1 || !about.some(({ id, final, inTurn }) => id === question && !final && !inTurn)) look(); // else all are asked what they were
        decision.standing = { ...decision.standing, [question]: says };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        decision.refused.push(error.message);
      }
    }
    const came = { about, isAnswered: answers.length > 0, isRefused: decision.refused.length > 0, isNews };
    rest(decision, came, { now, paceMs, dice });
  }

  function momentOf(
    { seat }: Sitting,
    decision: Decision,
    about: readonly Open[],
    { recipe, news }: Pick<Moment, 'recipe' | 'news'>,
  ): Moment {
    const { phase, iteration, standing, refused, shortAt } = decision;
    return {
      recipe,
      seat,
      name: names[seat]!,
      now,
      until: Math.min(...about.map((q) => q.until)),
      phase,
      round: 1,
      iteration,
      questions: about.map((q) => askingOf(decision, q, seat)),
      standing,
      news,
      refused,
      brief: '',
      rules: told,
      players: everybody,
      seed,
      isTimeShort: now >= shortAt,
      mustChoose: false,
      contextTokens: 0,
    };
  }

  /** A question as a seat is asked it; the same again unless the rules narrow its options. */
  function askingOf({ askings }: Decision, q: Open, seat: Seat): Asking {
    const known = askings.get(q.id);
    const own = table.narrow?.(position.game, q, seat) ?? q.options;
    if (known && known.until === q.until && isSame(known.own, own)) return known.asking;
    const named = (is: string) => (is.startsWith('seat:') ? names[seatOf(is)]! : is);
    const { id, verb, pick, until, final, maxChars } = q;
    const open = optionsFor(own === q.options ? q : { ...q, options: own }, seat);
    const asking = { id, verb, pick, until, final, maxChars, options: open.map((is) => ({ is, named: named(is) })) };
    askings.set(id, { asking, own, until });
    return asking;
  }
}

const NOTHING: readonly Open[] = [];
const isSame = <T>(a: readonly T[], b: readonly T[]): boolean => a === b || (a.length === b.length && a.every((one, i) => one === b[i]));

/** Thinks as `think` does, without a trace or a record: thousands of thoughts a second are nobody's to read. */
async function thinkAlone(recipe: Recipe, before: Mind, moment: Moment, tools: Tools): Promise<Mind> {
  let mind: Mind = { ...before, answers: [] };
  for (const step of recipe.steps) {
    try {
      mind = { ...mind, ...(await step.run(mind, moment, tools)) };
    } catch (cause) {
      throw new Error(`the step ${step.name} of ${recipe.name} failed: ${(cause as Error).message}`, { cause });
    }
  }
  return mind;
}

const never = new AbortController().signal;
const toolsAt = (now: number): Tools => ({
  complete: () => Promise.reject(new Refusal('no-server', 'there is no model in the arena')),
  record: async () => {},
  now: () => now,
  signal: never,
});

/** How often a side won, of so many games. */
export interface WinCount {
  readonly games: number;
  readonly wins: number;
}

/** Plays `games` games with seeds of their own, and counts those that `side` won. */
export async function countWins(
  games: number,
  side: string,
  arena: Omit<ArenaGame, 'seed'> & { readonly seed: string },
): Promise<WinCount> {
  let wins = 0;
  for (let i = 0; i < games; i++) if ((await playOutcome({ ...arena, seed: `${arena.seed}/${i}` })).winner === side) wins++;
  return { games, wins };
}

/** How many standard errors the share of the first lies above that of the second: the z of two proportions, pooled. 2.33 is beyond doubt at the 99 % level. */
export function zOf(a: WinCount, b: WinCount): number {
  const pooled = (a.wins + b.wins) / (a.games + b.games);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.games + 1 / b.games));
  return error ? (a.wins / a.games - b.wins / b.games) / error : 0;
}
