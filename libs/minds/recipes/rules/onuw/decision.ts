import type { Dice } from '@maw/games/kernel/dice.ts';
import { type Seat, stepOf } from '@maw/games/kernel/question.ts';
import type { Asking, Moment } from '../../../mind.ts';
import type { Belief } from './belief.ts';
import { lie, truth } from './claim.ts';
import { commonOrder, foremost } from './evidence.ts';
import type { Known } from './record.ts';
import { type Claim, claimed, sentence } from './speech.ts';

/** The belief of one seat, and of one that hides also what the others may think: by seat, how likely it is a Werewolf. */
export type Table = Belief & { readonly seen?: readonly number[]; readonly [about: string]: unknown };

/** How much the suspicions that were spoken count when one goes with the others. */
const SUPPORT = 0.03;
/** How much a Werewolf goes by what the others think, against being sure to hit none of its own. */
const CROWD = { thought: 0.5, spoken: 0.12 };
/** How sure one must be to be no Werewolf any more before one takes a lie back. */
const TURNED = 0.35;
/** How many times in a hundred a Troublemaker swaps. */
const SWAPS = 67;

/** Whether this seat plays for the Werewolves: its card is likelier one than not. */
export const isWolfish = (belief: Belief, { seat }: Moment): boolean => (belief.wolf[seat] ?? 0) > 0.5;

/** By night: looks at another player, takes from another, swaps two now and then. */
export function nightChoice({ id, options, pick }: Asking, dice: Dice): readonly string[] {
  const all = options.map(({ is }) => is);
  const seats = all.filter((is) => is.startsWith('seat:'));
  const centre = all.filter((is) => is.startsWith('centre'));
  const some = seats.length >= pick ? seats : centre.length >= pick ? centre : [];
  if (!some.length || (stepOf(id) === 'troublemaker' && dice.below(100) >= SWAPS)) return all.includes('pass') ? ['pass'] : [];
  return dice.shuffle(some).slice(0, pick);
}

/**
 * Whom to vote for. The village: who is likeliest of the Werewolves; the next seat when there is likelier none at all, for then nobody gets two
 * votes if all do so. The Werewolves: who is likeliest to die of those who are none.
 */
export function voteFor(known: Known, belief: Table, moment: Moment): Seat | undefined {
  const others = moment.players.flatMap(({ seat }) => (seat === moment.seat ? [] : [seat]));
  const order = commonOrder(moment, known);
  const support = (seat: Seat) =>
    Object.entries(known.suspects).filter(([by, about]) => about === seat && Number(by) !== moment.seat).length;
  const gain = (seat: Seat) => belief.gain[seat] ?? 0;
  if (isWolfish(belief, moment))
    return foremost(others, (seat) => gain(seat) + CROWD.thought * (belief.seen?.[seat] ?? 0) + CROWD.spoken * support(seat), order);
  if (belief.peace > Math.max(...others.map(gain))) return (moment.seat + 1) % moment.players.length;
  return foremost(others, (seat) => gain(seat) + SUPPORT * support(seat), order);
}

/** What to say next, and the lie that is told by it from then on. */
export interface Speech {
  readonly text: string | undefined;
  readonly lie: Claim | undefined;
}

/** First what one was dealt and has done, or the lie; then whom one suspects; then whom one votes for. */
export function speech(known: Known, belief: Table, moment: Moment, maxChars: number, dice: Dice): Speech {
  const { said, lie: before } = known.mine;
  const names = moment.players.map(({ name }) => name);
  if (!said.length) {
    const told = isWolfish(belief, moment) ? lie(known, moment.seat, dice) : undefined;
    return { text: fitting(claimed(told ?? truth(known, moment.seat), names), maxChars), lie: told };
  }
  const isTurned = before !== undefined && (belief.wolf[moment.seat] ?? 0) < TURNED;
  const confession = isTurned ? claimed(truth(known, moment.seat), names) : [];
  return { text: fitting([...confession, opinion()], maxChars), lie: isTurned ? undefined : before };

  function opinion(): string {
    const target = voteFor(known, belief, moment);
    const isCalm = !isWolfish(belief, moment) && belief.peace > (target === undefined ? 0 : (belief.gain[target] ?? 0));
    if (target === undefined || isCalm) return sentence('peace', dice);
    return sentence(said.length > 1 ? 'vote' : 'suspicion', dice, names[target]);
  }
}

/** As many of some sentences as may be said, from the first on; nothing when even that is too long. */
function fitting(sentences: readonly string[], maxChars: number): string | undefined {
  for (let count = sentences.length; count > 0; count--) {
    const text = sentences.slice(0, count).join(' ');
    if ([...text].length <= maxChars) return text;
  }
  return undefined;
}
