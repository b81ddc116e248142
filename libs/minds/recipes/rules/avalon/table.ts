import { failsNeeded, teamSize } from '@maw/games/avalon/setup.ts';
import { type Role, scoreOf } from '@maw/games/avalon/state.ts';
import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import { bestTeam, safety, type Weighed } from './belief.ts';
import type { Known } from './record.ts';
import { sentence } from './speech.ts';
import { bitsOf } from './worlds.ts';

/** What a seat looks at when it decides, whatever its side. */
export interface Place {
  readonly known: Known;
  readonly seat: Seat;
  readonly role: Role | 'hidden';
  readonly players: number;
  /** How many go on the quest that is on, and how many fail cards fail it. */
  readonly size: number;
  readonly need: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Whether evil wins when the team is rejected. */
  readonly isLast: boolean;
  readonly names: readonly string[];
  readonly dice: Dice;
}

/** How a side plays: what it answers to each step. */
export interface Play {
  team(place: Place): readonly Seat[];
  approves(place: Place, team: readonly Seat[]): boolean;
  fails(place: Place, team: readonly Seat[]): boolean;
  /** Sentences, the most important first. */
  says(place: Place): readonly string[];
}

export function placeOf(known: Known, { seat, players }: Moment, dice: Dice): Place {
  const { game, options } = known;
  const n = players.length;
  return {
    known,
    seat,
    role: game.roles[seat] ?? 'hidden',
    players: n,
    size: teamSize(n, game.quest),
    need: failsNeeded(n, game.quest, options.twoFails),
    ...scoreOf(game),
    isLast: game.proposal === 5 && options.fifth === 'evil-wins',
    names: players.map(({ name }) => name),
    dice,
  };
}

/** How safe a team must be in comparison with the safest, by proposal: the demands fall, for the fifth is accepted as it comes. */
const DEMANDING = [0.85, 0.75, 0.6, 0.45, 0.3] as const;

/** Whether a team is safe enough to somebody who believes so. */
export function isSafe({ players, size, need, known }: Place, belief: Weighed, team: readonly Seat[]): boolean {
  const best = bestTeam(players, size, (one) => safety(belief, one, need));
  return safety(belief, bitsOf(team), need) >= best.worth * DEMANDING[known.game.proposal - 1]!;
}

/** How much more than the average somebody must be suspected, or less, before it is said. */
const WORTH_SAYING = 0.1;

/** The sentence of a leader who is about to name a team. */
export const planned = ({ seat, names, dice }: Place, team: readonly Seat[]): string =>
  sentence(
    'team',
    dice,
    team.filter((other) => other !== seat).map((other) => names[other]!),
  );

/** What there is to say of the most suspected, or else of the least, among those of whom one `may` speak so. */
export function opinion(
  { seat, players, names, dice }: Place,
  { evil }: Pick<Weighed, 'evil'>,
  may: (other: Seat, isEvil: boolean) => boolean,
  suspicion: 'suspicion' | 'certainty' = 'suspicion',
): readonly string[] {
  const others = evil.map((_, other) => other).filter((other) => other !== seat);
  const average = evil.reduce((a, b) => a + b, 0) / (players - 1);
  const [most] = byWeight(
    others.filter((other) => may(other, true)),
    dice,
    (other) => -evil[other]!,
  );
  if (most !== undefined && evil[most]! > average + WORTH_SAYING) return [sentence(suspicion, dice, [names[most]!])];
  const [least] = byWeight(
    others.filter((other) => may(other, false)),
    dice,
    (other) => evil[other]!,
  );
  if (least !== undefined && evil[least]! < average - WORTH_SAYING) return [sentence('trust', dice, [names[least]!])];
  return [];
}

/** The lightest first; those that weigh about the same in any order. */
export const byWeight = (seats: readonly Seat[], dice: Dice, weight: (seat: Seat) => number): Seat[] =>
  dice.shuffle(seats).toSorted((a, b) => Math.round(weight(a) * 100) - Math.round(weight(b) * 100));

/** Whether something that happens with a share of all times happens now. */
export const happens = (share: number, dice: Dice): boolean => dice.below(1000) < share * 1000;
