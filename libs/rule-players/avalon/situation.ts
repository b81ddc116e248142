import { joinList } from '@maw/games/kernel/format-text.ts';
import { failsNeeded, teamSize } from '@maw/games/avalon/setup.ts';
import { type Role, scoreOf } from '@maw/games/avalon/state.ts';
import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import type { Voice } from '../conversation/voice.ts';
import { bestTeam, safety, type WeighedBelief } from './belief.ts';
import type { Known } from './record.ts';
import type { Occasion } from './sentences.ts';
import { bitsOf } from './worlds.ts';

/** What a seat looks at when it decides. */
export interface Situation {
  readonly known: Known;
  readonly table: string;
  readonly seat: Seat;
  readonly role: Role | 'hidden';
  readonly players: number;
  /** The team size of the current quest, and the fail cards that fail it. */
  readonly size: number;
  readonly need: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Whether evil wins when the team is rejected. */
  readonly isLast: boolean;
  readonly names: readonly string[];
  readonly dice: Dice;
  readonly voice: Voice<Occasion>;
}

/** How a side answers each step. */
export interface SideStrategy {
  team(here: Situation): readonly Seat[];
  approves(here: Situation, team: readonly Seat[]): boolean;
  fails(here: Situation, team: readonly Seat[]): boolean;
  /** By seat: how likely it is evil, as far as it shows. */
  shows(here: Situation): readonly number[];
  /** Sentences, the most important first. */
  says(here: Situation): readonly string[];
}

export function situationOf(known: Known, { table, seat, players }: Moment, dice: Dice, voice: Voice<Occasion>): Situation {
  const { game, options } = known;
  const n = players.length;
  return {
    known,
    table,
    seat,
    role: game.roles[seat] ?? 'hidden',
    players: n,
    size: teamSize(n, game.quest),
    need: failsNeeded(n, game.quest, options.twoFails),
    ...scoreOf(game),
    isLast: game.proposal === 5 && options.fifth === 'evil-wins',
    names: players.map(({ name }) => name),
    dice,
    voice,
  };
}

/** How safe a team must be relative to the safest, by proposal; demands fall, as the fifth is always accepted. */
const DEMANDING = [0.85, 0.75, 0.6, 0.45, 0.3] as const;

/** Whether a team is safe enough under a belief. */
export function isSafe({ players, size, need, known }: Situation, belief: WeighedBelief, team: readonly Seat[]): boolean {
  const best = bestTeam(players, size, (one) => safety(belief, one, need));
  return safety(belief, bitsOf(team), need) >= best.worth * DEMANDING[known.game.proposal - 1]!;
}

/** The difference to the average suspicion that is worth saying. */
const WORTH_SAYING = 0.1;

/** What a leader says about its team. */
export const announceTeam = ({ seat, names, voice }: Situation, team: readonly Seat[]): string =>
  voice('team', { name: joinList(team.filter((other) => other !== seat).map((other) => names[other]!)) });

/** Something about the most suspected seat, or else the least suspected, among those that `mayName` allows. */
export function opinion(
  { known, seat, players, names, dice, voice }: Situation,
  { evil }: Pick<WeighedBelief, 'evil'>,
  mayName: (other: Seat, isEvil: boolean) => boolean,
  suspicion: 'suspicion' | 'certainty' = 'suspicion',
): readonly string[] {
  // before the first vote there is nothing to point at
  const occasion = suspicion === 'suspicion' && !known.game.votes.length ? 'hunch' : suspicion;
  const others = evil.map((_, other) => other).filter((other) => other !== seat);
  const average = evil.reduce((a, b) => a + b, 0) / (players - 1);
  const [most] = byWeight(
    others.filter((other) => mayName(other, true)),
    dice,
    (other) => -evil[other]!,
  );
  if (most !== undefined && evil[most]! > average + WORTH_SAYING) return [voice(occasion, { name: names[most]! })];
  const [least] = byWeight(
    others.filter((other) => mayName(other, false)),
    dice,
    (other) => evil[other]!,
  );
  if (least !== undefined && evil[least]! < average - WORTH_SAYING) return [voice('trust', { name: names[least]! })];
  return [];
}

/** Lightest first; about equal weights in random order. */
export const byWeight = (seats: readonly Seat[], dice: Dice, weight: (seat: Seat) => number): Seat[] =>
  dice.shuffle(seats).toSorted((a, b) => Math.round(weight(a) * 100) - Math.round(weight(b) * 100));

/** True with probability `share`. */
export const chance = (share: number, dice: Dice): boolean => dice.below(1000) < share * 1000;
