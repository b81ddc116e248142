import { bestTeam, ownBelief, safety, servantBelief } from './belief.ts';
import { chance, isSafe, opinion, type Situation, announceTeam, type SideStrategy } from './situation.ts';
import { type Bits, seatsIn } from './worlds.ts';

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

  /** Merlin says only what a Servant would say too, and never against the truth. */
  says(here) {
    const { known, seat, players, role } = here;
    const own = ownBelief(known, seat, players);
    const isTrue = (other: number, isEvil: boolean) => role !== 'merlin' || own.evil[other]! > 0.5 === isEvil;
    const says = [
      ...(known.game.leader === seat ? [announceTeam(here, good.team(here))] : []),
      ...opinion(here, shownBelief(here), isTrue, role === 'percival' ? 'certainty' : 'suspicion'),
    ];
    return says.length ? says : [here.voice('nothing')];
  },
};

/** The belief to show: Merlin shows a Servant's. */
const shownBelief = ({ known, seat, players, role }: Situation) =>
  role === 'merlin' ? servantBelief(known, seat, players) : ownBelief(known, seat, players);
