import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { play } from '@maw/games/kernel/play.ts';
import { type Open, optionsFor, type Seat } from '@maw/games/kernel/question.ts';
import type { AnyRules } from '@maw/games/kernel/rule-set.ts';
import { isComplete, isKnownChoice } from '@maw/games/match/asked-question.ts';
import type { Asking } from '../api/shapes.ts';
import { type ChoiceTask, type Labels, placeOf, type Task, tasksOf, togglePick } from './tasks.ts';

const labels: Labels = { seat: (seat) => `Seat ${seat}`, word: (option) => option };

/** A question as the door shows it to a seat. */
const askingOf = (q: Open, seat: Seat): Asking => ({
  id: q.id,
  verb: q.verb,
  options: optionsFor(q, seat).map((is) => ({ is, named: is })),
  pick: q.pick,
  until: q.until,
  final: q.final,
  maxChars: q.maxChars,
  ...(q.room === undefined ? {} : { room: q.room }),
});

/** Clicks and types until the task can be sent. */
function answerTo(task: Task, dice: Dice): readonly string[] {
  const any = <T>(items: readonly T[]): T => items[dice.below(items.length)]!;
  if (task.does === 'speak') return [task.silences.length && dice.below(2) ? any(task.silences) : (task.example ?? 'I wonder.')];
  if (task.does === 'whisper') return [any(task.choices).is, 'psst'];
  let picked: readonly string[] = [];
  while (!isComplete(task.question, picked)) picked = togglePick(picked, any(task.choices).is, task);
  return picked;
}

/** Plays a game in which everybody uses the page. Returns the steps of the choices that were asked. */
function playByTasks(rules: AnyRules, players: number, seed: string): ReadonlySet<string> {
  const game = play(rules);
  const dice = diceOf(seed, 'page');
  const steps = new Set<string>();
  let position = game.fold(game.deal(players, 0, seed));
  for (let now = 0; !game.isOver(position);) {
    let isWaiting = true;
    for (let seat = 0; seat < players && !game.isOver(position); seat++) {
      for (const { id } of game.asked(position, seat)) {
        const q = game.asked(position, seat).find((each) => each.id === id); // an answer may settle the others
        if (!q) continue;
        const [task] = tasksOf([askingOf(q, seat)], labels);
        if (task!.does === 'choose') steps.add(id.slice(id.lastIndexOf('/') + 1));
        if (q.final) isWaiting = false; // others may be asked at once
        position = game.acted(position, id, { by: seat, says: answerTo(task!, dice) }, now, seed).position;
      }
    }
    if (game.isOver(position)) break;
    if (isWaiting) position = game.ticked(position, (now = game.wake(position)!), seed).position;
  }
  return steps;
}

const extras: { readonly [rules: string]: { readonly [option: string]: unknown } } = {
  maw: { whisper: true, seer: true },
  onuw: { loneWolf: 'peek', cards: 'all' },
};

describe.each(catalogue.map((set) => [set.name, set] as const))('what is asked in %s', (name, set) => {
  it('can be answered by buttons and text alone, without a refusal, to the end of the game', () => {
    const players = set.players.usual;
    const steps = [...playByTasks(set.rules(players, extras[name] ?? {}), players, 'a')];
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter((step) => !isKnownChoice(step))).toEqual([]);
  });
});

const asking = (rest: Partial<Asking>): Asking => ({
  id: 'round-1/night/troublemaker',
  verb: 'choose',
  options: ['pass', 'seat:1', 'seat:2', 'seat:3'].map((is) => ({ is, named: is })),
  pick: 2,
  until: 9,
  final: true,
  maxChars: 500,
  ...rest,
});

it('puts players before words, and choices before speech', () => {
  const tasks = tasksOf([asking({ id: 'r/talk', verb: 'say', options: [] }), asking({})], labels);
  expect(tasks.map(({ does }) => does)).toEqual(['choose', 'speak']);
  expect((tasks[0] as ChoiceTask).choices.map(({ label }) => label)).toEqual(['Seat 1', 'Seat 2', 'Seat 3', 'pass']);
});

it('sends one changeable pick at once and lets the others be confirmed', () => {
  const isInstant = (rest: Partial<Asking>) => (tasksOf([asking(rest)], labels)[0] as ChoiceTask).isInstant;
  expect([isInstant({ pick: 1, final: false }), isInstant({ pick: 1 }), isInstant({ final: false })]).toEqual([true, false, false]);
});

it.each([
  ['takes a pick back', ['seat:1'], 'seat:1', []],
  ['drops the oldest of too many picks', ['seat:1', 'seat:2'], 'seat:3', ['seat:2', 'seat:3']],
  ['lets a word stand alone', ['seat:1'], 'pass', ['pass']],
  ['replaces a word by a player', ['pass'], 'seat:2', ['seat:2']],
])('%s', (_, picked, option, expected) => {
  expect(togglePick(picked, option, tasksOf([asking({})], labels)[0] as ChoiceTask)).toEqual(expected);
});

it('calls a room by the last part of its name', () => expect(placeOf('round-1/day-2/Village')).toBe('Village'));
