import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { type Game, play, type Position } from '@maw/games/kernel/play.ts';
import { nameOption, namesOf } from '@maw/games/kernel/narration.ts';
import { type Instant, type Open, optionsFor, type Seat, waiting } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Outcome } from '@maw/games/kernel/rules.ts';
import { match } from '@maw/games/match/match.ts';
import type { Match } from '@maw/games/match/state.ts';
import type { Answer, Asking, Mind, Moment, Player, Recipe, Thought, Tools } from '../mind.ts';
import { fittingTools } from '../prompts/fit-messages.ts';
import { think } from '../think.ts';
import { type Decision, dueQuestions, isAsleep, newSeatState, noteQuestions, scheduleNext, type SeatState, wake } from './schedule.ts';
import { newTape, type Tape, type TapeEvent } from './tape.ts';

export interface ArenaGame {
  readonly rules: RuleSet;
  readonly players: number;
  readonly options?: { readonly [name: string]: unknown };
  readonly seed: string;
  /** The mind of a seat; called for every thought, so it may depend on the dealt role. */
  recipeFor(seat: Seat, role: string): Recipe;
  /** The tools of a seat whose recipe needs a model. Absent: there is no model. */
  toolsFor?(seat: Seat, now: Instant): Tools;
  /** Opens policies, for recipes that ask one. Absent: there are none. */
  readonly policy?: Tools['policy'];
  /** The longest pause of a seat between two thoughts, in milliseconds of the game; at most, and by default, a quarter of a question's time. */
  readonly paceMs?: number;
  /** By seat; `P0`, `P1` ... by default. */
  readonly names?: readonly string[];
  /** Games at this table, one after another, each with another deal; its minds remember those before. 1 by default. */
  readonly rounds?: number;
  /** Told whose thought begins, and (undefined) that it is over: a thought that never ends can so be blamed on its seat. */
  onThought?(seat: Seat | undefined): void;
  /** Told what each step of a thought shows, as a table records it. Without it minds that need no model think faster. */
  record?(seat: Seat, phase: string, thought: Thought): void;
}

/** A finished game. */
export interface PlayedGame {
  readonly outcome: Outcome;
  readonly tape: readonly TapeEvent[];
  /** The final state of the rules. */
  readonly state: unknown;
  /** By seat: how many of its answers were refused. */
  readonly refused: readonly number[];
}

/** A mind failed, or gave an answer that is none; the game ends there. */
export class MindError extends Error {
  override readonly name = 'MindError';
  readonly seat: Seat;
  /** What was played before. */
  readonly tape: readonly TapeEvent[];
  constructor(seat: Seat, cause: unknown, tape: readonly TapeEvent[]) {
    super((cause as Error).message, { cause });
    this.seat = seat;
    this.tape = tape;
  }
}

type Event = { readonly type: string };

/** A game being played. */
interface Session {
  readonly arena: ArenaGame;
  readonly table: ReturnType<typeof match>;
  readonly game: Game<Match, Event>;
  readonly names: readonly string[];
  readonly seats: readonly SeatState[];
  readonly tape: Tape;
  readonly rulesText: Moment['rules'];
  readonly dice: Dice;
  readonly paceMs: number;
  /** By seat. */
  readonly refused: number[];
  now: Instant;
  position: Position<Match>;
  players: readonly Player[];
}

/** Plays one game of minds to its end. */
export const playOutcome = async (arena: ArenaGame): Promise<Outcome> => (await playGame(arena)).outcome;

/**
 * Plays one game of minds to its end, or several at one table, in this process; the clock jumps from thought to thought.
 * @throws MindError when a step of a mind without a model fails: a baseline must not be silent by mistake
 */
export async function playGame(arena: ArenaGame): Promise<PlayedGame> {
  const session = openSession(arena);
  const { table, game, tape } = session;
  while (!game.isOver(session.position)) {
    const alarm = game.wake(session.position)!;
    const next = earliestThought(session.seats, alarm);
    if (next) await thinkOnce(session, next.seat, next.decision);
    else {
      session.now = Math.max(session.now, alarm);
      apply(session, game.ticked(session.position, session.now, arena.seed));
      updateQuestions(session);
    }
  }
  const { position } = session;
  return { outcome: table.outcome(position.game)!, tape: tape.events(), state: position.game.game, refused: session.refused };
}

function openSession(arena: ArenaGame): Session {
  const { rules, players, options = {}, seed, paceMs = Infinity, rounds = 1 } = arena;
  const table = match(rules.rules(players, options));
  const game = play(table);
  const names = Array.from({ length: players }, (_, seat) => arena.names?.[seat] ?? `P${seat}`);
  const session: Session = {
    arena,
    table,
    game,
    names,
    seats: names.map((_, seat) => newSeatState(seat)),
    tape: newTape(game, table, names),
    rulesText: { name: rules.name, text: rules.text(players, options) },
    dice: diceOf(seed, 'arena'),
    paceMs,
    refused: names.map(() => 0),
    now: 0,
    position: game.begin(),
    players: [],
  };
  const append = (events: readonly Event[]): void => apply(session, { events, position: game.fold(events, session.position) });
  const seats = names.map(() => ({ kind: 'mind' as const }));
  const terms = { rules: rules.name, version: rules.version, options, rounds, seats, seed };
  append(table.open({ ...terms, lobbyMs: 0, pauseMs: 0, spectators: 'audience' }, 0));
  for (const [seat, name] of names.entries()) append(table.join(session.position.game, seat, name, 0));
  updateQuestions(session);
  return session;
}

/** Records events, and wakes the seats that rest until there is news. */
function apply(session: Session, moved: { readonly events: readonly Event[]; readonly position: Position<Match> }): void {
  const { tape, seats, now } = session;
  const from = tape.length();
  tape.write(moved.events, session.position, now);
  session.position = moved.position;
  for (const { seat, decisions } of seats)
    for (const decision of decisions.values()) if (isAsleep(decision) && tape.hasNews(seat, from, tape.length())) wake(decision, session);
}

/** Notes who is asked what now. */
function updateQuestions(session: Session): void {
  const { table, names, seats, position } = session;
  const out = table.out(position.game);
  session.players = names.map((name, seat) => ({ seat, name, alive: !out.includes(seat) }));
  for (const own of seats) own.asked = NOTHING;
  for (const q of position.open)
    for (const seat of waiting(q)) {
      const own = seats[seat]!;
      if (!out.includes(seat)) own.asked = own.asked === NOTHING ? [q] : [...own.asked, q];
    }
  for (const own of seats) noteQuestions(own, session);
}

/** The next thought before the alarm. */
function earliestThought(seats: readonly SeatState[], alarm: Instant): { seat: SeatState; decision: Decision } | undefined {
  let next: { seat: SeatState; decision: Decision } | undefined;
  for (const seat of seats)
    for (const decision of seat.decisions.values()) if (decision.wakesAt < (next?.decision.wakesAt ?? alarm)) next = { seat, decision };
  return next;
}

/** One thought of one seat, and its answers. */
async function thinkOnce(session: Session, own: SeatState, decision: Decision): Promise<void> {
  const { arena, tape, position } = session;
  session.now = Math.max(session.now, decision.wakesAt);
  const about = dueQuestions(own, decision);
  if (!about.length) return void (decision.wakesAt = Infinity);
  const { seat, since } = own;
  const upTo = tape.length();
  const roles = (position.game.game as { roles?: readonly string[] }).roles;
  const recipe = arena.recipeFor(seat, roles?.[seat] ?? '');
  const news = recipe.ignoresNews ? [] : tape.read(own.cursor, since, upTo, recipe.usesModel);
  const moment = momentOf(session, own, decision, about, { recipe, news });
  own.since = upTo;
  decision.refused = [];
  arena.onThought?.(seat);
  try {
    own.mind =
      recipe.usesModel || arena.record
        ? await think(recipe, own.mind, moment, recordingTools(session, recipe, moment))
        : await thinkUnrecorded(recipe, own.mind, moment, toolsAt(session.now, arena.policy));
    for (const answer of own.mind.answers) submit(session, seat, decision, about, answer);
  } catch (cause) {
    throw new MindError(seat, cause, tape.events());
  }
  arena.onThought?.(undefined);
  const { answers } = own.mind;
  const isNews = !answers.length && tape.hasNews(seat, since, upTo);
  const pauseMs = pauseMsOf(recipe, own.mind);
  scheduleNext(decision, { about, isAnswered: answers.length > 0, isRefused: decision.refused.length > 0, isNews, pauseMs }, session);
}

/** The pause that a mind wants, which is a share of the longest one of its recipe. */
const pauseMsOf = ({ values }: Recipe, { pause }: Mind): number | undefined =>
  pause !== undefined && typeof values?.['n'] === 'number' ? Math.round(pause * values['n'] * 1_000) : undefined;

/** Gives an answer to the game. One whose question was closed by an answer before it is dropped. */
function submit(session: Session, seat: Seat, decision: Decision, about: readonly Open[], { question, says }: Answer): void {
  const { game, position, now, arena } = session;
  if (!position.open.some(({ id }) => id === question)) return;
  try {
    const moved = game.acted(position, question, { by: seat, says }, now, arena.seed);
    apply(session, moved);
    const leavesQuestionsAsTheyWere =
      moved.events.length === 1 && about.some(({ id, final, inTurn }) => id === question && !final && !inTurn);
    if (!leavesQuestionsAsTheyWere) updateQuestions(session);
    decision.standing = { ...decision.standing, [question]: says };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    decision.refused.push(error.message);
    session.refused[seat]!++;
  }
}

function momentOf(
  session: Session,
  { seat, cursor }: SeatState,
  decision: Decision,
  about: readonly Open[],
  { recipe, news }: { readonly recipe: Recipe; readonly news: Moment['news'] },
): Moment {
  const { phase, iteration, standing, refused, shortAt } = decision;
  return {
    recipe: recipe.name,
    table: session.arena.seed,
    seat,
    name: session.names[seat]!,
    now: session.now,
    until: Math.min(...about.map((q) => q.until)),
    phase,
    round: session.position.game.round,
    iteration,
    questions: about.map((q) => askingOf(session, q, seat)),
    standing,
    news,
    refused,
    brief: cursor.view ? session.table.brief(cursor.view.game, seat, session.names) : '', // the baselines never read it
    rules: session.rulesText,
    players: session.players,
    seed: session.arena.seed,
    isTimeShort: session.now >= shortAt,
    mustChoose: recipe.usesModel && session.now >= shortAt,
    contextTokens: recipe.contextTokens,
  };
}

/** A question as its seat sees it. */
function askingOf({ table, position, names }: Session, q: Open, seat: Seat): Asking {
  const { id, verb, pick, until, final, maxChars } = q;
  const own = table.narrow?.(position.game, q, seat);
  const open = optionsFor(own ? { ...q, options: own } : q, seat);
  const options = open.map((is) => ({ is, named: nameOption(is, namesOf(names)) }));
  return { id, verb, pick, until, final, maxChars, options, ...(q.heard === 'never' || q.among !== 'table' ? { secret: true } : {}) };
}

const NOTHING: readonly Open[] = [];

/** Thinks as `think` does, but without spans and records: there are thousands of thoughts a second. */
async function thinkUnrecorded(recipe: Recipe, before: Mind, moment: Moment, tools: Tools): Promise<Mind> {
  let mind: Mind = { ...before, answers: [] };
  for (const step of recipe.steps) {
    try {
      mind = { ...mind, ...(await step.run(mind, moment, recipe.usesModel ? fittingTools(tools, mind, moment) : tools)) };
    } catch (cause) {
      throw new Error(`step ${step.name} of recipe ${recipe.name} failed: ${(cause as Error).message}`, { cause });
    }
  }
  return mind;
}

function recordingTools({ arena, now }: Session, { name, usesModel }: Recipe, { seat, phase }: Moment): Tools {
  const tools = (usesModel && arena.toolsFor?.(seat, now)) || toolsAt(now, arena.policy);
  return {
    ...tools,
    async record(thought) {
      const { error } = thought.content;
      if (!usesModel && typeof error === 'string') throw new Error(`step ${thought.name} of recipe ${name} failed: ${error}`);
      arena.record?.(seat, phase, thought);
      await tools.record(thought);
    },
  };
}

const never = new AbortController().signal;
const noModel = () => Promise.reject(new Error('there is no model in the arena'));
const toolsAt = (now: number, policy?: Tools['policy']): Tools => ({
  ...(policy ? { policy } : {}),
  complete: noModel,
  embed: noModel,
  record: async () => {},
  now: () => now,
  signal: never,
});
