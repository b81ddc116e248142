import { namePattern } from '@maw/games/kernel/name-pattern.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { TableState } from '../state/table-state.ts';
import { publicPhase } from './public-place.ts';

/** Who said something that everybody may read, and to whom. What was said is not in it. */
export interface PublicTalk {
  readonly seat: Seat;
  /** The first other player whom the line names; undefined: everybody. */
  readonly to?: Seat;
}

/** The public talk of an append. Choices that are announced are no talk. By night nothing is told by seat, not even the line that began it. */
export function publicTalk({ lines, standing }: TableState, batch: readonly RecordedEvent[]): readonly PublicTalk[] {
  if (!publicPhase(standing)) return [];
  const said = batch.flatMap(({ sequence }) => lines.get(sequence) ?? []);
  return said.flatMap(({ isPublic, by, says, text }) => {
    if (!isPublic || by === undefined || says) return [];
    const to = addresseeOf(text, by, standing.game.names);
    return [to === undefined ? { seat: by } : { seat: by, to }];
  });
}

function addresseeOf(text: string, by: Seat, names: readonly (string | undefined)[]): Seat | undefined {
  const named = names.flatMap((name, seat) => {
    const at = name === undefined || seat === by ? -1 : text.search(new RegExp(namePattern(name), 'iu'));
    return at < 0 ? [] : [{ seat, at }];
  });
  return named.toSorted((one, other) => one.at - other.at)[0]?.seat;
}
