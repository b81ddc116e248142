import type { Moment } from '../time/tape.ts';
import { type Ballot, isVote, tally } from '../time/ballot.ts';

/** A day or night of MAW that is over: how its vote ended and who died. */
export interface MawDay {
  readonly kind: 'day' | 'night';
  readonly day: number;
  readonly votes: readonly (readonly [option: string, by: readonly number[]])[];
  readonly dead: number | undefined;
}

/** The days and nights of a round so far, in order. */
export function mawDays(moments: readonly Moment[]): readonly MawDay[] {
  const days: MawDay[] = [];
  let vote: Ballot | undefined;
  for (const { seen, phase, settled } of moments) {
    const { event } = seen;
    if (settled && isVote(settled)) vote = settled;
    if (event.type === 'executed' || event.type === 'spared' || event.type === 'murdered') {
      const kind = event.type === 'murdered' ? 'night' : 'day';
      const day = kind === 'night' && phase.kind === 'day' ? phase.number - 1 : phase.number;
      const isOwn = vote?.step === (kind === 'day' ? 'vote' : 'hunt');
      days.push({ kind, day, votes: isOwn ? tally(vote!) : [], dead: event.type === 'spared' ? undefined : Number(event['seat']) });
    }
  }
  return days;
}
