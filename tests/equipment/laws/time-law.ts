import { diceOf } from '@maw/games/kernel/dice.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { mustEqual } from './broken-law.ts';
import type { Playthrough } from './playthrough.ts';

type Event = { readonly type: string };

/** The latest possible time. */
const LATE_MS = 1_000_000;

/**
 * For every alarm: early, it changes nothing; twice, nothing more; late, the same events with other times. Late means before the next
 * alarm, as anything due by then would rightly happen too.
 * @throws BrokenLaw
 */
export function keepsTime({ table: { game, standing }, steps, n }: Playthrough): void {
  const { seed } = standing.game.opening;
  const dice = diceOf(`late ${n}`, 'time');
  for (const { standing: before, now, by, events } of steps) {
    if (by !== 'time') continue;
    const wake = game.wake(before)!;
    mustEqual(game.tick(before, wake - 1, seed), [], `told early at ${wake}, something happens`);
    const after = game.fold(events, before);
    mustEqual(game.tick(after, now, seed), [], `told twice at ${wake}, more happens`);
    const room = Math.min(LATE_MS, (game.wake(after) ?? Infinity) - now);
    if (room <= 1) continue;
    const late = now + 1 + dice.below(room - 1);
    const then = game.tick(before, late, seed);
    mustEqual(then.map(untimed), events.map(untimed), `told ${late - wake} ms late at ${wake}, something else happens`);
    mustEqual(game.tick(game.fold(then, before), late, seed), [], `told late and twice at ${wake}, more happens`);
  }
}

/** An event without its times; those of a game's own events are called `until`. */
function untimed(event: Event): unknown {
  if (!isTableEvent(event)) return 'until' in event ? { ...event, until: 0 } : event;
  const e: TableEvent = event;
  switch (e.type) {
    case 'asked':
      return { ...e, question: { ...e.question, until: 0, turnMs: 0, grace: undefined } };
    case 'answered':
    case 'passed':
    case 'ready':
    case 'delayed':
    case 'resumed':
      return { ...e, at: 0 };
    case 'paused':
    case 'majority-reached':
    case 'hastened':
      return { ...e, at: 0, until: 0 };
    case 'majority-lost':
    case 'settled':
    case 'withdrawn':
    case 'refused':
      return e;
  }
}
