import { commonDice } from '../shared/ranking.ts';
import { bestTeam, feignedBelief, ownBelief, safety } from './belief.ts';
import { byWeight, chance, isSafe, opinion, type Situation, announceTeam, type SideStrategy } from './situation.ts';
import { type Bits, bit, bitsOf, count, has, seatsIn } from './worlds.ts';

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
      ...opinion(here, feignedBelief(known, seat, players), (other) => !has(ours, other)),
    ];
    return says.length ? says : [here.voice('nothing')];
  },
};

/** The seat itself and those it knows to be evil. */
const alliesOf = ({ known, seat }: Situation): Bits => bit(seat) | bitsOf(known.game.sights.find((one) => one.seat === seat)?.of ?? []);

/** The option of the Assassin: the likeliest Merlin; before the end of the game nobody unless it is sure. */
export function targetOf({ known, seat, players, dice }: Situation, options: readonly string[], isEnd: boolean): string | undefined {
  const { merlin } = ownBelief(known, seat, players);
  const targets = merlin.map((_, one) => one).filter((one) => options.includes(`seat:${one}`));
  const [best] = byWeight(targets, dice, (one) => -merlin[one]!);
  if (best === undefined) return undefined;
  return isEnd || merlin[best]! >= SURE ? `seat:${best}` : options.find((option) => !option.startsWith('seat:'));
}
