import { reportAnswers, type MissingAnswer, type Vote } from './answer-report.ts';
import { catalogue, ruleSetNamed } from '../catalogue.ts';
import type { DrawResult } from './fixed-dice.ts';
import { preview, truncate } from '../kernel/preview.ts';
import type { Mistake } from './mistake.ts';
import { readOptions } from '../kernel/options.ts';
import { type Instant, isAmong, type Open, type Seat, waiting } from '../kernel/question.ts';
import type { Expectation, GameRecord, RecordedAct } from './record.ts';
import { fixedDrawsOf, drawMistakes } from './record-deal.ts';
import { type Reason, Refusal } from '../kernel/refusal.ts';
import type { RuleSet } from '../kernel/rule-set.ts';
import {
  actAfter,
  askedIn,
  finish,
  lookAhead,
  opensAfter,
  type Stand,
  standOf,
  startTimeline,
  type TapeEvent,
  type Timeline,
} from './timeline.ts';

/** A refused act of a record. It changed nothing. */
interface RefusedAct {
  readonly act: number;
  readonly step: string;
  readonly seat: Seat;
  readonly reason: Reason;
  readonly detail: string;
}

interface SeatResult {
  readonly seat: Seat;
  readonly name: string;
  /** The dealt and the final role; they differ where roles change hands. */
  readonly dealt: string;
  readonly role: string;
  readonly alive: boolean;
  readonly points: number;
}

export interface ReplayResult {
  readonly rules: string;
  readonly version: string;
  /** All options, defaults included. */
  readonly options: { readonly [name: string]: unknown };
  /** The game as a tape without a match, dealt at time 0. */
  readonly events: readonly TapeEvent[];
  readonly result: {
    readonly winner: string;
    readonly winners: readonly Seat[];
    readonly seats: readonly SeatResult[];
  };
  readonly votes: readonly Vote[];
  readonly refused: readonly RefusedAct[];
  /** The draws that were rolled because the record does not fix them. */
  readonly rolled: readonly Pick<DrawResult, 'step' | 'name' | 'is'>[];
  readonly defaulted: readonly MissingAnswer[];
  /** Impossible draws, unmet expectations and, when strict, silences. */
  readonly mistakes: readonly Mistake[];
  /** Whether nothing was refused and there is no mistake. */
  readonly fits: boolean;
}

/** After this many refused acts the rest is not tried: each may search to the end of the game. */
const MAX_REFUSED = 1_000;

/**
 * Replays a record on a simulated clock, which advances only when the next act needs it, and after the last act until the game ends.
 * @param how strict: every seat that has to choose must have answered when the question settles
 * @throws Refusal unknown-rules, bad-option, and for an unreadable deal; `readRecord` finds all of them first
 */
export function replay(record: GameRecord, how: { readonly strict?: boolean } = {}, from: readonly RuleSet[] = catalogue): ReplayResult {
  const set = ruleSetNamed(record.rules, from);
  const rules = set.rules(record.players.length, record.options);
  const fixedDraws = fixedDrawsOf(record, set);
  const line = startTimeline(rules, record.players, record.seed ?? 'record', (step, name) => fixedDraws(step, name)?.is);
  const refused: RefusedAct[] = [];
  let tried = 0;
  for (const act of record.acts) {
    if (refused.length === MAX_REFUSED) break;
    const why = attempt(line, act);
    if (why) refused.push({ act: tried, step: act.step, seat: act.seat, reason: why.reason, detail: why.detail });
    tried++;
  }
  finish(line);
  const { events, drawn } = line;
  const { game } = standOf(line).position;
  const { silent, ...account } = reportAnswers(line.game, set, events);
  const outcome = rules.outcome(game)!;
  const out = rules.out(game);
  const result = {
    winner: outcome.winner,
    winners: outcome.winners,
    seats: record.players.map((name, seat) => ({
      seat,
      name,
      dealt: (outcome.dealt ?? outcome.roles)[seat]!,
      role: outcome.roles[seat]!,
      alive: !out.includes(seat),
      points: outcome.points[seat]!,
    })),
  };
  const mistakes = [
    ...drawMistakes(drawn, fixedDraws),
    ...unusedDraws(record, drawn, events),
    ...(tried < record.acts.length ? [untriedMistake(tried)] : []),
    ...(how.strict ? silent.map(({ step, seats }) => silenceMistake(step, seats)) : []),
    ...unmetExpectations(record, result),
  ];
  return {
    rules: set.name,
    version: set.version,
    options: readOptions(set.options, record.options),
    events,
    result,
    ...account,
    refused,
    rolled: drawn.filter(({ fixed }) => !fixed).map(({ step, name, is }) => ({ step, name, is })),
    mistakes,
    fits: !refused.length && !mistakes.length,
  };
}

/** Performs one act, advancing time until its question is open. Returns the refusal if it is impossible; then nothing has changed. */
function attempt(line: Timeline, act: RecordedAct): Refusal | undefined {
  const { now } = standOf(line);
  if (act.at !== undefined && act.at < now)
    return new Refusal('phase-over', `${act.at} ms since the deal has passed: the game stands at ${now} ms`);
  const n = (act.at === undefined ? earliest(line, act) : indexAt(line, act.at)) ?? 0; // never open: the kernel refuses, or the seat is dead
  const stand = lookAhead(line, n)!;
  try {
    actAfter(line, n, act.step, { by: act.seat, says: act.says }, act.at ?? stand.now);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return explain(error, line, stand, act);
    throw error;
  }
}

/** How many silent deadlines until the seat may answer; undefined: it never may. */
function earliest(line: Timeline, { step, seat }: RecordedAct): number | undefined {
  const opens = line.asked.has(step) ? 0 : opensAfter(line, step);
  if (opens === undefined) return undefined;
  for (let n = opens; ; n++) {
    const q = lookAhead(line, n)?.position.open.find(({ id }) => id === step);
    if (!q) return undefined;
    if (!hasToWait(q, seat)) return n;
  }
}

function indexAt(line: Timeline, at: Instant): number {
  let n = 0;
  while ((lookAhead(line, n + 1)?.now ?? Infinity) <= at) n++;
  return n;
}

/** Whether a seat's turn is still to come. A question closes before a turn could come again. */
const hasToWait = (q: Open, seat: Seat): boolean => q.inTurn && q.of.includes(seat) && !waiting(q).includes(seat);

/** A refusal with details for somebody who sees the whole game: where it stands, and who is asked instead. */
function explain({ reason, detail }: Refusal, line: Timeline, { position }: Stand, { step, seat, at }: RecordedAct): Refusal {
  const q = position.open.find(({ id }) => id === step);
  if (reason === 'dead') return new Refusal(reason, `seat ${seat} is dead, and may watch, not act`);
  if (reason === 'not-your-turn' && q?.passed.includes(seat))
    return new Refusal(
      reason,
      `the turn of seat ${seat} in ${step} has passed; the turns are those of ${seatsOf(q.of)}, one after another`,
    );
  if (reason !== 'phase-over') return new Refusal(reason, detail === step ? `seat ${seat} in ${step}` : detail);
  if (q && !isAmong(q, seat)) return new Refusal('not-asked', `${step} asks ${seatsOf(q.of)}, not seat ${seat}`);
  const isClosed = line.asked.has(step);
  if (line.game.isOver(position))
    return new Refusal(reason, isClosed ? `${step} is closed, and the game over` : `the game is over without ${step}`);
  const bare = step.replace(/^round-\d+\//, '');
  if (!isClosed && bare !== step) return new Refusal(reason, `a record is of one round, and its steps have none before them: ${bare}`);
  const never = at === undefined ? 'is not open, and never will be' : `is not open ${at} ms after the deal`;
  return new Refusal(reason, `${step} ${isClosed ? 'is closed' : never}; open is ${position.open.map(({ id }) => id).join(', ')}`);
}

const seatsOf = (seats: readonly Seat[]): string =>
  seats.length ? `${seats.length > 1 ? 'seats' : 'seat'} ${seats.join(', ')}` : 'nobody';

const untriedMistake = (act: number): Mistake => ({
  where: `acts[${act}]`,
  wrong: `${MAX_REFUSED} acts before it are refused`,
  right: 'the acts after it were not tried; correct those first',
});

const silenceMistake = (step: string, seats: readonly Seat[]): Mistake => ({
  where: step,
  wrong: `${seatsOf(seats)} gave no answer`,
  right: 'read strictly, every seat that has to choose has an act',
});

/** Draws of a record that the game never made. Those of the deal are found on reading. */
function unusedDraws(record: GameRecord, drawn: readonly DrawResult[], events: readonly TapeEvent[]): Mistake[] {
  const rolls = Map.groupBy(drawn, ({ step }) => step);
  const asked = new Set(askedIn(events));
  const settled = new Set(['deal', ...events.flatMap((e) => (e.type === 'settled' ? [e['question'] as string] : []))]);
  return record.draws.flatMap(({ step, name }, i): Mistake[] => {
    const there = rolls.get(step) ?? [];
    if (there.some((each) => each.name === name)) return [];
    const right = !settled.has(step)
      ? `${truncate(step)} ${asked.has(step) ? 'was asked, and not settled' : 'was never asked'}`
      : there.length
        ? `there ${there.map((each) => each.name).join(', ')} is rolled`
        : 'nothing is rolled there';
    return [{ where: `draws[${i}]`, wrong: `${truncate(name)} after ${truncate(step)} was never rolled`, right }];
  });
}

function unmetExpectations({ expect = {} }: GameRecord, { winner, winners, seats }: ReplayResult['result']): Mistake[] {
  const is: Required<Expectation> = {
    winner,
    winners: winners.toSorted((a, b) => a - b),
    alive: seats.flatMap(({ seat, alive }) => (alive ? [seat] : [])),
    roles: seats.map(({ role }) => role),
    points: seats.map(({ points }) => points),
  };
  const asText = (value: unknown) => JSON.stringify(value);
  return (Object.keys(is) as (keyof Expectation)[]).flatMap((name): Mistake[] => {
    const said = name === 'winners' || name === 'alive' ? expect[name]?.toSorted((a, b) => a - b) : expect[name];
    if (said === undefined || asText(said) === asText(is[name])) return [];
    return [{ where: `expect.${name}`, wrong: `it is not ${preview(said)}`, right: `the game came out with ${preview(is[name])}` }];
  });
}
