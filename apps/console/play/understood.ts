import { type Line, read } from '@maw/games/english/reader.ts';
import { readerRoles, understood } from '@maw/games/english/understood.ts';
import { spokenRoles } from '@maw/games/roles.ts';
import type { TableState } from '../scene/session.ts';
import { en, fill } from '../text/en.ts';

const KEY = 'maw.hide-understood';

/** Whether it is told what minds without a model understand, at every table of this browser. It is unless it was switched off: a misunderstanding may cost the game, a line too many costs a glance. */
export const isUnderstoodTold = (): boolean => localStorage.getItem(KEY) === null;
export const tellUnderstood = (isTold: boolean): void => (isTold ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, 'yes'));

/**
 * Tells what minds without a model understand of a text that is said now or, without one, of what the seat said last. Empty: nothing.
 * @param room in which it is said
 */
export function understandingIn(
  { tape: { rules, moments } }: TableState,
  seat: number,
  room: string | undefined,
): (typed: string) => string {
  if (!rules || room === undefined || rules.opening.options['language'] === 'protocol' || !isUnderstoodTold()) return () => '';
  const lines = moments.flatMap(({ seen: { event, room: where } }): readonly Line[] => {
    if (event.type !== 'answered' || where !== room) return [];
    const { by, says } = event['answer'] as { readonly by: number; readonly says: readonly [string] };
    return [{ by, text: says[0] }];
  });
  const names = moments.at(-1)!.after.game.names.map((name) => name ?? '');
  const table = { names, roles: readerRoles(spokenRoles(rules.set.name, rules.opening)) };
  return (typed) => {
    const last = typed ? lines.length : lines.findLastIndex(({ by }) => by === seat);
    const text = typed || (lines[last]?.text ?? '');
    const words = understood(read(text, seat, table, lines.slice(0, Math.max(0, last))), table);
    return words && fill(en.play.understood, { words });
  };
}
