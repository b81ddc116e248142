import { diceOf } from '@maw/games/kernel/dice.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import type { Eye, Question } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { must, mustEqual } from './broken-law.ts';
import type { Playthrough, Step } from './playthrough.ts';

type Event = { readonly type: string; readonly [field: string]: unknown };

/** One step in this many is preceded by an outage. */
const ONE_IN = 6;
/** Longer than any question is open. */
const MAX_DELAY_MS = 10_000_000;

/**
 * Plays the same game with outages whose time is given back: everything happens later by that time and is otherwise unchanged, on the tape
 * and for each eye. So delays reveal nothing but themselves and lengthen no game beyond their own time.
 * @throws BrokenLaw
 */
export function putsOff({ table, steps, n }: Playthrough): void {
  const { game, tape } = table;
  const dice = diceOf(`delays ${n}`, 'delays');
  const { seed } = table.standing.game.opening;
  const late: Event[] = tape.slice(0, steps[0]!.tape);
  let standing = game.fold(late);
  let off = 0;
  for (const step of steps) {
    if (dice.below(ONE_IN) === 0) {
      // Also when an open question has expired unattended.
      const ms = 1 + dice.below(dice.below(2) ? MAX_DELAY_MS : 100);
      off += ms;
      const delayed: TableEvent = { type: 'delayed', ms, at: step.since + off };
      standing = game.evolve(standing, delayed);
      late.push(delayed as Event);
    }
    mustEqual(
      game.tick(standing, (game.wake(standing) ?? 0) - 1, seed),
      [],
      `told before the time that was given back is over, something happens`,
    );
    const events = again(step, off, { game, standing, seed });
    standing = game.fold(events, standing);
    late.push(...events);
  }
  must(game.isOver(standing), 'put off, the game does not end');
  mustEqual(inTime(late), tape, 'put off, another game is played');
  mustEqual(JSON.parse(JSON.stringify(game.fold(late))), JSON.parse(JSON.stringify(standing)), 'put off, folding is not stepping');
  const eyes: Eye[] = [...table.standing.game.names.keys(), 'audience', 'narrator'];
  for (const eye of eyes) {
    const seen = game.view(late, eye) as Event[];
    mustEqual(seen.filter(isDelay), late.filter(isDelay), `what eye ${eye} sees of the delays is not what happened`);
    mustEqual(inTime(seen), game.view(tape, eye), `put off, eye ${eye} sees something else`);
  }
}

/** The same step, later. */
function again(
  { by, now, events }: Step,
  off: number,
  { game, standing, seed }: { game: Playthrough['table']['game']; standing: Step['standing']; seed: string },
): Event[] {
  if (by === 'time') return game.tick(standing, now + off, seed) as Event[];
  const done = (events as readonly TableEvent[]).find((e) => e.type === 'answered' || e.type === 'ready')!;
  return (
    done.type === 'ready'
      ? game.ready(standing, done.question, done.seat, now + off, seed)
      : game.act(standing, done.question, done.answer, now + off, seed)
  ) as Event[];
}

const isDelay = ({ type }: Event): boolean => type === 'delayed';

/** What happened without the delays, each event at its undelayed time. */
function inTime(events: readonly Event[]): unknown[] {
  let off = 0;
  return events.flatMap((event) => {
    if (isTableEvent(event) && event.type === 'delayed') {
      off += event.ms;
      return [];
    }
    return [sooner(event, off)];
  });
}

/** An event moved earlier by this time. A game's own times are called `until`; 0 means none. */
function sooner(event: Event, ms: number): unknown {
  if (!isTableEvent(event)) return event['until'] ? { ...(event as object), until: (event['until'] as number) - ms } : event;
  const e: TableEvent = event;
  switch (e.type) {
    case 'asked':
      return { ...e, question: askedSooner(e.question, ms) };
    case 'answered':
    case 'passed':
    case 'ready':
    case 'delayed':
    case 'resumed':
      return { ...e, at: e.at - ms };
    case 'paused':
    case 'majority-reached':
    case 'hastened':
      return { ...e, at: e.at - ms, until: e.until - ms };
    case 'majority-lost':
    case 'settled':
    case 'withdrawn':
    case 'refused':
      return e;
  }
}

const askedSooner = (q: Question, ms: number): Question => ({
  ...q,
  until: q.until - ms,
  ...(q.grace ? { grace: { ...q.grace, notBefore: q.grace.notBefore - ms } } : {}),
});
