import { failsNeeded, teamSize } from '@maw/games/avalon/setup.ts';
import { isEvil, isLover, scoreOf } from '@maw/games/avalon/state.ts';
import type { Dice } from '@maw/games/kernel/dice.ts';
import { joinList } from '@maw/games/kernel/format-text.ts';
import { namedSeats, type Seat } from '@maw/games/kernel/question.ts';
import type { Voice } from '../conversation/voice.ts';
import type { Moment } from '../moment.ts';
import { commonDice } from '../shared/choosing.ts';
import {
  bestTeam,
  bit,
  type Bits,
  bitsOf,
  count,
  feignedBelief,
  has,
  loversBelief,
  ownBelief,
  safety,
  seatsIn,
  servantBelief,
  toldBy,
  type WeighedBelief,
} from './belief.ts';
import type { Known } from './record.ts';
import type { Occasion } from './sentences.ts';

/** How a side answers each step. */
interface SideStrategy {
  team(here: Situation): readonly Seat[];
  approves(here: Situation, team: readonly Seat[]): boolean;
  fails(here: Situation, team: readonly Seat[]): boolean;
  /** By seat: how likely it is evil, as far as it shows. */
  shows(here: Situation): readonly number[];
  /** Sentences, the most important first. */
  says(here: Situation): readonly string[];
}

/** What a seat looks at when it decides. */
export type Situation = ReturnType<typeof situationOf>;

export function situationOf(known: Known, { table, seat, players }: Moment, dice: Dice, voice: Voice<Occasion>) {
  const { game, options } = known;
  const n = players.length;
  return {
    known,
    table,
    seat,
    role: game.roles[seat] ?? ('hidden' as const),
    players: n,
    /** The team size of the current quest, and the fail cards that fail it. */
    size: teamSize(n, game.quest),
    need: failsNeeded(n, game.quest, options.twoFails),
    ...scoreOf(game),
    /** Whether evil wins when the team is rejected. */
    isLast: game.proposal === 5 && options.fifth === 'evil-wins',
    names: players.map(({ name }) => name),
    dice,
    voice,
  };
}

/** How safe a team must be relative to the safest, by proposal; demands fall, as the fifth is always accepted. */
const DEMANDING = [0.85, 0.75, 0.6, 0.45, 0.3] as const;

/** Whether a team is safe enough under a belief. */
function isSafe({ players, size, need, known }: Situation, belief: WeighedBelief, team: readonly Seat[]): boolean {
  const best = bestTeam(players, size, (one) => safety(belief, one, need));
  return safety(belief, bitsOf(team), need) >= best.worth * DEMANDING[known.game.proposal - 1]!;
}

/** The difference to the average suspicion that is worth saying. */
const WORTH_SAYING = 0.1;

/** What a leader says about its team. */
const announceTeam = ({ seat, names, voice }: Situation, team: readonly Seat[]): string =>
  voice('team', { name: joinList(team.filter((other) => other !== seat).map((other) => names[other]!)) });

/** Something about the most suspected seat, or else the least suspected, among those that `mayName` allows. */
function opinion(
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
const chance = (share: number, dice: Dice): boolean => dice.below(1000) < share * 1000;

/** How often Merlin votes by its own knowledge where a Servant would vote otherwise; and when the next fail loses the game. */
const OPEN = 0.2;
const OPEN_IN_DANGER = 0.95;
/** Merlin's preference among clean teams for those that a Servant would name. */
const PLAUSIBLE = 0.5;

/**
 * The good name the safest team, reject doubtful ones and accept the last. Merlin names clean teams and otherwise mostly acts like a Servant
 * who has heard the same. Percival speaks with certainty, to be taken for Merlin.
 */
export const good: SideStrategy = {
  team(here) {
    const { known, seat, players, size, need, dice } = here;
    const own = ownBelief(known, seat, players);
    const seen = shownBelief(here);
    const worth = (team: Bits) => safety(own, team, need) + PLAUSIBLE * safety(seen, team, need) + dice.below(1000) * 1e-6;
    return seatsIn(bestTeam(players, size, worth).team);
  },

  approves(here, team) {
    if (here.isLast) return true;
    const { known, seat, players, role, failed, dice } = here;
    const own = isSafe(here, ownBelief(known, seat, players), team);
    if (role !== 'merlin') return own;
    const seen = isSafe(here, shownBelief(here), team);
    return own === seen || chance(failed === 2 ? OPEN_IN_DANGER : OPEN, dice) ? own : seen;
  },

  fails: () => false,

  shows: (here) => shownBelief(here).evil,

  /** Merlin says only what a Servant would say too, and never against the truth; nor do lovers speak against each other. */
  says(here) {
    const { known, seat, players, role } = here;
    const own = ownBelief(known, seat, players);
    const isTrue = (other: number, isBad: boolean) => {
      if (isLover(role)) return !isBad || own.evil[other]! > 0;
      return role !== 'merlin' || own.evil[other]! > 0.5 === isBad;
    };
    const says = [
      ...(known.game.leader === seat ? [announceTeam(here, good.team(here))] : []),
      ...(tellLook(here) ?? opinion(here, shownBelief(here), isTrue, role === 'percival' ? 'certainty' : 'suspicion')),
    ];
    return says.length ? says : [here.voice('nothing')];
  },
};

/** The belief to show: Merlin and the lovers show a Servant's. */
const shownBelief = ({ known, seat, players, role }: Situation) =>
  role === 'merlin' || isLover(role) ? servantBelief(known, seat, players) : ownBelief(known, seat, players);

/** How often the evil let a first quest of two succeed: a fail leaves only two suspects. */
const PATIENCE = 0.8;
/** The probability from which the Assassin names Merlin before the third success. */
const SURE = 0.6;

/** The evil act like a Servant who has heard the same, except where it matters: they send as many of their own as a fail needs, and play no more fails. */
export const evil: SideStrategy = {
  team(here) {
    const { known, seat, players, size, need, dice } = here;
    const ours = alliesOf(here);
    const seen = feignedBelief(known, seat, players);
    const wanted = Math.min(need, count(ours));
    const worth = (team: Bits) => (count(team & ours) === wanted ? 1 : 0) + safety(seen, team, need) + dice.below(1000) * 1e-6;
    return seatsIn(bestTeam(players, size, worth).team);
  },

  approves(here, team) {
    const { known, seat, players, need, succeeded, failed, isLast } = here;
    if (isLast || succeeded === 2 || failed === 2) return count(bitsOf(team) & alliesOf(here)) >= need;
    return isSafe(here, feignedBelief(known, seat, players), team);
  },

  /** As many as needed of those who know each other fail; public information decides who. */
  fails(here, team) {
    const { known, table, seat, need, succeeded, failed } = here;
    const ours = alliesOf(here);
    const there = team.filter((one) => has(ours, one)).toSorted((a, b) => a - b);
    if (there.length < need) return false;
    const common = commonDice(table, `${known.round}/${known.game.quest}`);
    const isEarly = known.game.quest === 1 && team.length === 2 && succeeded < 2 && failed < 2;
    if (isEarly && chance(PATIENCE, common)) return false;
    return common.shuffle(there).slice(0, need).includes(seat);
  },

  shows: ({ known, seat, players }) => feignedBelief(known, seat, players).evil,

  says(here) {
    const { known, seat, players } = here;
    const ours = alliesOf(here);
    const says = [
      ...(known.game.leader === seat ? [announceTeam(here, evil.team(here))] : []),
      ...(tellLook(here) ?? opinion(here, feignedBelief(known, seat, players), (other) => !has(ours, other))),
    ];
    return says.length ? says : [here.voice('nothing')];
  },
};

/** The seat itself and those it knows to be evil. */
const alliesOf = ({ known, seat }: Situation): Bits => bit(seat) | bitsOf(known.game.sights.find((one) => one.seat === seat)?.of ?? []);

/** How much the evil prefer to hand the Lady of the Lake to each other. */
const TO_MATE = 0.15;
/** How often the evil call a good one evil, whom the Lady of the Lake has shown them. */
const SLANDER = 0.45;

/** Whom the Lady of the Lake should show: the one of whom least is known, as far as it shows. */
export function lookAt(here: Situation, options: readonly string[]): string | undefined {
  const isBad = isEvil(here.role);
  const evilness = (isBad ? evil : good).shows(here);
  const known = (other: Seat): number => Math.abs(evilness[other]! - 0.5) - (isBad && has(alliesOf(here), other) ? TO_MATE : 0);
  const [best] = byWeight(options.flatMap(namedSeats), here.dice, known);
  return best === undefined ? undefined : `seat:${best}`;
}

/** What the Lady of the Lake has shown, unless it is told already: the good tell the truth, the evil praise each other and may slander the good. */
function tellLook({ known, table, seat, role, names, voice }: Situation): readonly string[] | undefined {
  const look = known.game.looks?.find(({ by }) => by === seat);
  if (!look || toldBy(known, seat)) return undefined;
  const isSlander = look.found === 'good' && chance(SLANDER, commonDice(table, `${known.round}/lady/${seat}`));
  const says = (isEvil(role) ? isSlander : look.found === 'evil') ? 'evil' : 'good';
  return [voice('lady', { name: names[look.seat]!, side: says })];
}

/** The option of the Assassin: the likeliest Merlin, or lovers if they are likelier; before the end of the game nobody unless it is sure. */
export function targetOf({ known, seat, players, dice }: Situation, options: readonly string[], isEnd: boolean): string | undefined {
  const { merlin } = ownBelief(known, seat, players);
  const targets = merlin.map((_, one) => one).filter((one) => options.includes(`seat:${one}`));
  const [best] = byWeight(targets, dice, (one) => -merlin[one]!);
  if (best === undefined) return undefined;
  const lovers = loversBelief(known, seat, players).filter(({ option }) => options.includes(option));
  const [first] = [{ option: `seat:${best}`, p: merlin[best]! }, ...lovers].toSorted((a, b) => b.p - a.p);
  return isEnd || first!.p >= SURE ? first!.option : options.find((each) => !each.startsWith('seat:'));
}
