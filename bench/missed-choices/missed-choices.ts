import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '@maw/async/poll-until.ts';
import { readCliConfig } from '@maw/cli/config.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { NamedTape } from '@maw/tests/equipment/chaos/audit/time-audits.ts';
import { setStage, type Stage } from '@maw/tests/equipment/chaos/stage.ts';
import { type TableDriver, tableDriver } from '@maw/tests/equipment/chaos/table-driver.ts';
import type { Terms } from '@maw/tests/equipment/chaos/table-terms.ts';
import { whyNoServers } from '@maw/tests/equipment/servers/restartable-server.ts';
import { argsWith, benchmark, type BenchmarkContext } from '../benchmark.ts';
import { decimal, integer, names, text, type Values } from '../options.ts';
import { KINDS, strike } from './blows.ts';
import { type Blow, type BlowTally, type ChoiceCount, countIn, kindTallies, tallyOf, tallyTable } from './tally.ts';

const options = {
  rounds: integer('in each round every kind of blow strikes once, then its first games are played undisturbed', { fallback: 10 }),
  from: integer('begin with this round', { fallback: 0, min: 0 }),
  tables: integer('tables played at once', { fallback: 10 }),
  turn: decimal('the length of turns, votes, days and nights, in seconds', { fallback: 15, min: 1 }),
  absence: decimal('how long the only player is suspended or cut off, in seconds', { fallback: 20 }),
  full: decimal('how long the disk is full, in seconds', { fallback: 8 }),
  only: names('only these kinds of blow', KINDS),
  seed: text('the same seed gives the same games, and the same order of blows', 'choices'),
};
type Given = Values<typeof options>;

/** The goal: so many percentage points over the same games undisturbed, at least so many choices of each kind. */
const MAX_POINTS = 2;
const READY_MS = 240_000;
/** How long tables may take to end after the last blow. */
const ENDING_MS = 600_000;
/** A calm time after the turn that follows a blow, and up to as much again. */
const CALM_MS = 5_000;
const APART_MS = 500;
const LOOK_MS = 250;

export const missedChoices = benchmark({
  name: 'missed-choices',
  description: 'choices of minds missed around each kind of outage, and time given back, against the same games undisturbed',
  options,
  findObstacle: whyNoServers,
  async measure(given, context) {
    const { signal, say, args } = context;
    const tallies: BlowTally[] = [];
    let undisturbed: ChoiceCount = { choices: 0, missed: 0 };
    let round = given.from;
    let hasFailed = false;
    const closing: (() => Promise<unknown>)[] = [];
    try {
      const base = readCliConfig().all;
      const stage = await setStage({ seed: given.seed, replicas: 1, base, signal, say }, closing);
      for (; round < given.from + given.rounds; round++) {
        const played = await playRound(stage, given, round, context);
        tallies.push(...played.tallies);
        for (const { kind, short } of played.tallies) for (const why of short) say(`round ${round}, ${kind}: ${why}`);
        const { choices, missed } = played.undisturbed;
        undisturbed = { choices: undisturbed.choices + choices, missed: undisturbed.missed + missed };
        say(`round ${round}: ${tallies.length} blows; ${missed} of ${choices} choices missed undisturbed`);
      }
    } catch (error) {
      if (!signal.aborted && !tallies.length) throw error;
      hasFailed = !signal.aborted;
      if (hasFailed) say(`round ${round} failed: ${(error as Error).message}`);
      const left = given.from + given.rounds - round;
      say(`continue with: ./maw bench missed-choices ${argsWith(args, { from: round, rounds: left })}`);
    } finally {
      for (const close of closing.toReversed()) await close().catch((error: Error) => say(`shutdown incomplete: ${error.message}`));
    }
    if (!tallies.length) return undefined;
    const kinds = kindTallies(tallies, KINDS, undisturbed);
    return {
      text: tallyTable(kinds, undisturbed),
      json: [{ ...given, undisturbed, kinds }],
      hasFailed: hasFailed || kinds.some(({ points, short }) => points > MAX_POINTS || short > 0),
    };
  },
});

interface Round {
  readonly tallies: readonly BlowTally[];
  readonly undisturbed: ChoiceCount;
}

async function playRound(stage: Stage, given: Given, round: number, { signal, say }: BenchmarkContext): Promise<Round> {
  const turnMs = given.turn * 1_000;
  const dice = diceOf(given.seed, `blows of round ${round}`);
  const blows: Blow[] = [];
  const struck = await playTables(stage, given, round, signal, async () => {
    for (const kind of dice.shuffle(KINDS.filter((each) => given.only?.includes(each) ?? true))) {
      await calm(stage, turnMs, dice, signal);
      const blow = await strike(stage, kind, { absenceMs: given.absence * 1_000, fullMs: given.full * 1_000 }, signal);
      blows.push(blow);
      say(`round ${round}, ${kind}: ${((blow.to - blow.from) / 1_000).toFixed(1)} s`);
    }
    await calm(stage, turnMs, dice, signal);
  });
  const again = Math.min(struck.length, given.tables); // as many choices as around one kind of blow, or more
  say(`round ${round}: ${struck.length} tables are over; playing the first ${again} undisturbed`);
  const calmTapes = await playTables(stage, given, round, signal, undefined, again);
  return { tallies: blows.map((blow) => tallyOf(struck, blow, turnMs)), undisturbed: countIn(calmTapes) };
}

/** Waits until all processes are ready, and then for a turn and a little more. */
async function calm({ system }: Stage, turnMs: number, dice: Dice, signal: AbortSignal): Promise<void> {
  await pollUntil('the services are ready', () => system.isReady(), { timeoutMs: READY_MS, everyMs: LOOK_MS, signal });
  await sleep(turnMs + CALM_MS + dice.below(CALM_MS), undefined, { signal });
}

/** Plays tables, so many at once, until `during` is over or `total` were played, and to their end. Returns all tapes. */
async function playTables(
  { system, store, recorder }: Stage,
  { seed, tables, turn }: Given,
  round: number,
  signal: AbortSignal,
  during: (() => Promise<void>) | undefined,
  total = Number.POSITIVE_INFINITY,
): Promise<readonly NamedTape[]> {
  const driver: TableDriver = tableDriver({ system, store, seed: `${seed} ${round}`, signal, terms: termsWith(turn * 1_000) });
  let next = 0;
  let isOver = false;
  async function seat(i: number): Promise<void> {
    await sleep(i * APART_MS, undefined, { signal });
    while (!isOver && next < total && !signal.aborted) {
      const table = await driver.play(next++);
      if (table !== undefined) recorder.forget(table);
    }
  }
  const playing = Promise.all(Array.from({ length: tables }, (_, i) => seat(i)));
  playing.catch(() => undefined); // awaited below
  let late: NodeJS.Timeout | undefined;
  try {
    await during?.();
    isOver = during !== undefined;
    if (during) late = setTimeout(() => driver.stop(), ENDING_MS);
    await playing;
    signal.throwIfAborted();
  } finally {
    clearTimeout(late);
    isOver = true;
    driver.stop();
    await playing.catch(() => undefined);
  }
  if (driver.unopened.length) throw new Error(driver.unopened[0]);
  const tapes: NamedTape[] = []; // one after another: a busy machine takes long to connect
  for (const table of driver.opened) tapes.push({ table, tape: await store.tapes.read(table) });
  return tapes;
}

/** Games of `rules` minds in which a choice is open most of the time. */
const termsWith =
  (turnMs: number) =>
  (seed: string, n: number): Terms => {
    const games = [
      { rules: 'maw', players: 6, options: { dayMs: turnMs, nightMs: turnMs, maxDays: 3 } },
      { rules: 'werewolf-7', players: 7, options: { turnMs, voteMs: turnMs, nightMs: turnMs, hurry: true, maxDays: 3 } },
      { rules: 'avalon', players: 5, options: { turnMs, teamMs: turnMs, voteMs: turnMs, questMs: turnMs, assassinMs: turnMs } },
    ];
    const { rules, players, options: rest } = games[n % games.length]!;
    const seats = Array.from({ length: players }, () => ({ kind: 'mind' as const, recipe: 'rules' }));
    return { rules, seats, rounds: 1, options: rest, seed: `${seed} ${n}`, lobbyMs: 30_000, pauseMs: 500 };
  };
