/** What seer, bodyguard and werewolves do by night. `phases.ts` has the order of these steps. */
import { ballot, type Open, type Seat, seatOf, seats, secret } from '../kernel/question.ts';
import { ask, type TableEvent } from '../kernel/rules.ts';
import { rosterOf } from './roster.ts';
import type { Aiwolf, AiwolfEvent } from './state.ts';
import { type Context, isDecided, mostOf, phaseOfVote, roundOf, settlesFor, type Some, stepMs } from './steps.ts';

/** A secret step of one role, asked of its living holder or else of nobody. Undefined: the game has no such step. */
function secretly(s: Aiwolf, role: 'seer' | 'bodyguard', what: string, targets: readonly string[], m: Context): TableEvent | undefined {
  const of = s.living.filter((seat) => s.roles[seat] === role);
  if (!m.roleCounts[role] || (m.options.hurry && !of.length)) return undefined;
  const rest = { settles: settlesFor(m), self: role === 'seer' && m.options.selfDivine };
  return ask(secret(`night-${s.day}/${what}`, of, of.length ? targets : [], m.now + stepMs(s.day, m.roleCounts, m.options), rest));
}

/** Asks the seer whom to divine. Undefined: there is no such step. */
export const askSeer = (s: Aiwolf, m: Context): TableEvent | undefined => secretly(s, 'seer', 'divine', rosterOf(s).all, m);

/** Asks the bodyguard whom to guard. Undefined: there is no such step. */
export function askBodyguard(s: Aiwolf, m: Context): TableEvent | undefined {
  const all = m.options.guardDead ? seats(s.roles.map((_, seat) => seat)) : rosterOf(s).all;
  return secretly(s, 'bodyguard', 'guard', all, m);
}

/** The choice of the seer or bodyguard, if any. */
export const chosen = (type: 'gazed' | 'guarded', { answers }: Open): readonly AiwolfEvent[] =>
  answers.map(({ by, says }) => ({ type, by, seat: seatOf(says[0]!) }));

/** Asks the wolves to vote for a victim. Undefined: nobody is left to ask, and the night does not wait. */
export function askWolves(s: Aiwolf, round: number, m: Context): TableEvent | undefined {
  const { wolves, pack, prey, all } = rosterOf(s);
  const { selfVotes, wolfTargets } = m.options;
  const of = isDecided(s) ? [] : wolves;
  if (!of.length && m.options.hurry) return undefined;
  const id = `${phaseOfVote(`night-${s.day}`, 'attack', round)}/attack`;
  const targets = wolfTargets === 'void' ? all : prey;
  const rest = { settles: settlesFor(m), self: wolfTargets === 'refused' || selfVotes, among: of.length ? pack : [] };
  return ask(ballot(id, of, of.length ? targets : [], m.now + stepMs(s.day, m.roleCounts, m.options), rest));
}

/**
 * Attacks the most voted human, or says that the vote was tied. Unless `noAttack` or `missingAttack: nobody`, every living human starts with
 * one vote, so there is always a victim. Nothing, when nobody was asked.
 */
export function attacked(s: Aiwolf, q: Open, m: Context): readonly AiwolfEvent[] {
  if (!q.of.length) return [];
  const { noAttack, missingAttack, attackRevotes } = m.options;
  const most = mostOf(q, rosterOf(s).prey, noAttack || missingAttack === 'nobody' ? 0 : 1);
  if (most.length !== 1 && roundOf(q.id) <= attackRevotes) return [{ type: 'tied', vote: 'attack' }];
  const victim = most.length === 1 ? most[0] : noAttack || !most.length ? undefined : m.dice.pick('attacked', most as Some);
  return [victim === undefined ? { type: 'attacked' } : { type: 'attacked', seat: seatOf(victim) }];
}

/** The immoralists who die with these seats: those of a game whose last fox is among them. */
export function followersOf({ roles, living }: Aiwolf, dying: readonly (Seat | undefined)[]): readonly Seat[] {
  const isFox = (seat: Seat | undefined) => seat !== undefined && roles[seat] === 'fox';
  const left = living.filter((seat) => !dying.includes(seat));
  return dying.some(isFox) && !left.some(isFox) ? left.filter((seat) => roles[seat] === 'immoralist') : [];
}

/** Who dies tonight: the fox that was divined; the attacked, unless guarded or a fox; and the immoralists who die with the last fox. */
export function dyingTonight(s: Aiwolf) {
  const prey = isDecided(s) ? s.attacked.at(-1)!.seat : undefined;
  const isSafe = prey === undefined || prey === s.guard?.seat || s.roles[prey] === 'fox';
  const cursed = s.gaze && s.roles[s.gaze.seat] === 'fox' ? s.gaze.seat : undefined;
  const victim = isSafe ? undefined : prey;
  return { cursed, victim, followers: followersOf(s, [cursed, victim]) };
}
