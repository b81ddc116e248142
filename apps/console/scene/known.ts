import { type Place, placeOf } from '@maw/games/onuw/state.ts';
import { en, fill, named } from '../text/en.ts';
import type { Moment } from '../time/tape.ts';

/** What the eye has learnt of each seat in this round besides its role, in words: what a role was shown, and what was done by night. */
export type Known = ReadonlyMap<number, readonly string[]>;

interface Learnt {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** @param moments those of the round, as the eye sees them: what it does not see, it does not know */
export function knownIn(moments: readonly Moment[]): Known {
  const known = new Map<number, readonly string[]>();
  for (const { seen } of moments) {
    const event = seen.event as Learnt;
    const text = (en.board.known as { readonly [type: string]: string })[event.type];
    if (text === undefined) continue;
    const says = fill(text, { what: wordOf(event) });
    for (const seat of seatsOf(event)) known.set(seat, [...new Set([...(known.get(seat) ?? []), says])]);
  }
  return known;
}

/** The seats that an event tells of. */
function seatsOf({ type, seat, seats, of, at }: Learnt): readonly number[] {
  if (type === 'saw') return of as readonly number[];
  if (type === 'copied') return [of as number];
  if (type === 'looked') {
    const { zone, index } = placeOf(at as Place);
    return zone === 'seat' ? [index] : [];
  }
  return (seats as readonly number[] | undefined) ?? (typeof seat === 'number' ? [seat] : []);
}

/** What was learnt: a role, a card, or a side. */
function wordOf({ role, card, found, isWolf, as }: Learnt): string {
  const side = isWolf === undefined ? '' : isWolf ? 'werewolf' : 'human';
  const word = ((role ?? card ?? found ?? as ?? side) as string).toLowerCase();
  return named(en.roles, word, named(en.board.results, word));
}
