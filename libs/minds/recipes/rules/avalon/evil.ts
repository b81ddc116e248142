import { diceOf } from '@maw/games/kernel/dice.ts';
import { bestTeam, feignedBelief, ownBelief, safety } from './belief.ts';
import { sentence } from './speech.ts';
import { byWeight, happens, isSafe, opinion, type Place, planned, type Play } from './table.ts';
import { type Bits, bit, bitsOf, count, has, seatsIn } from './worlds.ts';

/** How often the evil let a first quest of two succeed: a fail would leave two to suspect. */
const PATIENCE = 0.8;
/** How sure the Assassin must be to name Merlin before the third success. */
const SURE = 0.6;

/** The evil: play and speak like a Servant who has heard the same, but for what decides; send as many of theirs as it takes, fail with no more. */
export const evil: Play = {
  team(place) {
    const { known, seat, players, size, need, dice } = place;
    const ours = alliesOf(place);
    const seen = feignedBelief(known, seat, players);
    const wanted = Math.min(need, count(ours));
    const worth = (team: Bits) => (count(team & ours) === wanted ? 1 : 0) + safety(seen, team, need) + dice.below(1000) * 1e-6;
    return seatsIn(bestTeam(players, size, worth).team);
  },

  approves(place, team) {
    const { known, seat, players, need, succeeded, failed, isLast } = place;
    if (isLast || succeeded === 2 || failed === 2) return count(bitsOf(team) & alliesOf(place)) >= need;
    return isSafe(place, feignedBelief(known, seat, players), team);
  },

  /** Of those who know each other as many fail as it takes: all of them come to the same from what everybody has seen. */
  fails(place, team) {
    const { known, seat, need, succeeded, failed, names } = place;
    const ours = alliesOf(place);
    const there = team.filter((one) => has(ours, one)).toSorted((a, b) => a - b);
    if (there.length < need) return false;
    const common = diceOf(names.join('|'), known.game.votes.map(({ approve }) => approve.join()).join('|'));
    const isEarly = known.game.quest === 1 && team.length === 2 && succeeded < 2 && failed < 2;
    if (isEarly && happens(PATIENCE, common)) return false;
    return common.shuffle(there).slice(0, need).includes(seat);
  },

  says(place) {
    const { known, seat, players, dice } = place;
    const ours = alliesOf(place);
    const says = [
      ...(known.game.leader === seat ? [planned(place, evil.team(place))] : []),
      ...opinion(place, feignedBelief(known, seat, players), (other) => !has(ours, other)),
    ];
    return says.length ? says : [sentence('nothing', dice)];
  },
};

/** Oneself and whom one knows to be evil. */
const alliesOf = ({ known, seat }: Place): Bits => bit(seat) | bitsOf(known.game.sights.find((one) => one.seat === seat)?.of ?? []);

/** Whom the Assassin names: who acted most like one who knows. While the game goes on, nobody unless it is rather sure. */
export function targetOf({ known, seat, players, dice }: Place, options: readonly string[], isEnd: boolean): string | undefined {
  const { merlin } = ownBelief(known, seat, players);
  const targets = merlin.map((_, one) => one).filter((one) => options.includes(`seat:${one}`));
  const [best] = byWeight(targets, dice, (one) => -merlin[one]!);
  if (best === undefined) return undefined;
  return isEnd || merlin[best]! >= SURE ? `seat:${best}` : options.find((option) => !option.startsWith('seat:'));
}
