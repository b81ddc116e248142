import { bestTeam, ownBelief, safety, servantBelief } from './belief.ts';
import { sentence } from './speech.ts';
import { happens, isSafe, opinion, type Place, planned, type Play } from './table.ts';
import { type Bits, seatsIn } from './worlds.ts';

/** How often Merlin votes by what Merlin knows where a Servant would vote otherwise; and so when the next fail loses the game. */
const OPEN = 0.2;
const OPEN_IN_DANGER = 0.95;
/** How much Merlin prefers among clean teams those that a Servant would name. */
const PLAUSIBLE = 0.5;

/**
 * The good: name the safest team, reject doubtful ones, accept the last. Merlin names clean teams and otherwise does mostly what a Servant
 * would do, who has heard the same. Percival speaks as one who knows, to be taken for Merlin.
 */
export const good: Play = {
  team(place) {
    const { known, seat, players, size, need, dice } = place;
    const own = ownBelief(known, seat, players);
    const seen = seenAs(place);
    const worth = (team: Bits) => safety(own, team, need) + PLAUSIBLE * safety(seen, team, need) + dice.below(1000) * 1e-6;
    return seatsIn(bestTeam(players, size, worth).team);
  },

  approves(place, team) {
    if (place.isLast) return true;
    const { known, seat, players, role, failed, dice } = place;
    const own = isSafe(place, ownBelief(known, seat, players), team);
    if (role !== 'merlin') return own;
    const seen = isSafe(place, seenAs(place), team);
    return own === seen || happens(failed === 2 ? OPEN_IN_DANGER : OPEN, dice) ? own : seen;
  },

  fails: () => false,

  /** Merlin speaks of those only of whom a Servant would say the same, and never against the truth. */
  says(place) {
    const { known, seat, players, role, dice } = place;
    const own = ownBelief(known, seat, players);
    const isTrue = (other: number, isEvil: boolean) => role !== 'merlin' || own.evil[other]! > 0.5 === isEvil;
    const says = [
      ...(known.game.leader === seat ? [planned(place, good.team(place))] : []),
      ...opinion(place, seenAs(place), isTrue, role === 'percival' ? 'certainty' : 'suspicion'),
    ];
    return says.length ? says : [sentence('nothing', dice)];
  },
};

/** What one lets the others see of one's beliefs: Merlin what a Servant would believe, the others all. */
const seenAs = ({ known, seat, players, role }: Place) =>
  role === 'merlin' ? servantBelief(known, seat, players) : ownBelief(known, seat, players);
