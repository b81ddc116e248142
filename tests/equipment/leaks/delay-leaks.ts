import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { Opening } from '@maw/games/match/state.ts';
import { applyEvents, newTableState, type TableState } from '@maw/gamemaster/state/table-state.ts';
import type { delaysFor, LostTime } from '@maw/gamemaster/timing/time-given-back.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { tableOf } from '../fakes/table.ts';
import { doneIn, openingOf, type PlayedWorld, type WorldPair } from '../noninterference/world-pair.ts';

/** How much time is lost at most before a moment, in milliseconds. */
const MAX_LOSS_MS = 30_000;

/** What a comparison found. */
export interface DelayComparison {
  /** A moment at which the worlds get different times back; undefined when they never do. */
  readonly difference: string | undefined;
  /** At how many moments time was given back. */
  readonly delays: number;
}

/**
 * The projection law for time given back: two worlds that an eye cannot tell apart get the same time back after the same outages and absences,
 * at every moment. Otherwise a delay would tell the eye who is asked, or what was done in secret.
 */
export function compareDelays({ worlds }: WorldPair, seed: string, delays: typeof delaysFor): DelayComparison {
  const dice = diceOf(seed, 'lost time');
  const [one, other] = worlds.map(follow) as [Followed, Followed];
  const end = Math.min(one.end, other.end);
  const times = [...new Set([...one.times, ...other.times].flatMap((at) => [at - 1, at]))]
    .filter((at) => at < end)
    .toSorted((a, b) => a - b);
  let given = 0;
  for (const at of times) {
    const states = [one.upTo(at), other.upTo(at)] as const;
    if (states.some(({ standing }) => standing.game.stage !== 'round')) continue;
    const lost = lostBefore(at, dice);
    const [a, b] = states.map((state) => JSON.stringify(delays(state, lost, at))) as [string, string];
    if (a !== '[]') given++;
    if (a !== b) return { difference: `at ${at} after ${JSON.stringify(lost)}: ${a} against ${b}`, delays: given };
  }
  return { difference: undefined, delays: given };
}

interface Followed {
  readonly times: readonly number[];
  readonly end: number;
  /** The table after all that was done up to a time, which only grows. */
  upTo(at: number): TableState;
}

/** Plays a world again, step by step, with minds in all seats. */
function follow(world: PlayedWorld): Followed {
  const { options, seed, seats } = openingOf(world);
  const table = tableOf(world.set, { players: seats.length, options, seed });
  const state = newTableState('t', table.rules, table.game, seats.length);
  const write = (): void => {
    for (let n = state.tape.length; n < table.tape.length; n++)
      applyEvents(state, [{ table: 't', sequence: n + 1, at: table.now, cause: `c${n}`, event: ofMinds(table.tape[n]!) }]);
  };
  write();
  const done = doneIn(world);
  const left = [...done];
  return {
    times: done.map(({ at }) => at),
    end: done.at(-1)?.at ?? 0,
    upTo(at) {
      for (let next = left[0]; next && next.at <= at; next = left[0]) {
        left.shift();
        if (next.is === 'alarm') table.wait();
        else {
          table.pass(next.at - table.now);
          table.add(table.game.act(table.standing, next.question, { by: next.seat, says: next.says }, next.at, seed));
        }
        write();
      }
      return state;
    },
  };
}

function ofMinds(event: RecordedEvent['event']): RecordedEvent['event'] {
  if (event.type !== 'opened') return event;
  const opening = event['opening'] as Opening;
  return { ...event, opening: { ...opening, seats: opening.seats.map((seat) => ({ ...seat, kind: 'mind' })) } };
}

/** An outage, an absence that is over, or one that lasts. */
function lostBefore(at: number, dice: Dice): LostTime {
  const to = at - dice.below(2_000);
  const from = to - 1_001 - dice.below(MAX_LOSS_MS);
  const queue = dice.below(2) ? 'player' : 'chatroom';
  switch (dice.below(3)) {
    case 0:
      return { outages: [{ from, to }], absences: [] };
    case 1:
      return { outages: [], absences: [{ queue, from, to }] };
    default:
      return { outages: [], absences: [{ queue, from, to: null }] };
  }
}
