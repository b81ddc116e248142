import type { Finding } from '@maw/games/aiwolf/state.ts';
import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import { commonOrder, foremost, type Intent } from '../shared/choosing.ts';
import { type Belief, followers } from './belief.ts';
import type { Known } from './record.ts';
import { appeal, attackOn, comingOut, result, voteFor } from './speech.ts';
import type { Found, Sight } from './statement.ts';

/** After this many utterances in a day it changes its mind silently. */
const MAX_STATEMENTS = 6;

/** The common order of the day. */
const orderOf = (known: Known, moment: Moment): readonly Seat[] => commonOrder(moment, `${known.round}/${known.game.day}`);

/** Says for whom it will vote, unless it has said so last. */
const announce = (vote: Seat | undefined, { wishes, said }: Known, { seat }: Moment): readonly string[] =>
  vote === undefined || wishes[seat]?.about === vote || said.length >= MAX_STATEMENTS ? [] : [voteFor(vote)];

/** The weight of what everybody wants against suspicion. */
const TOGETHER = 0.3;
/** The discount for a likely seer: executing the seer costs more than missing a wolf for a day. */
const LOSS = 0.5;
/** What a fox counts of a wolf: it only takes the victory of others, which is due when the last wolf is executed. */
const FOX = { usually: 1, beforeLast: 3 };
/** Below this suspicion a seat is cleared. */
const CLEAR = 0.001;

/**
 * Villager, seer, medium and bodyguard: votes for the most suspected seat and says so, then follows those it trusts. Seer and medium come out
 * and report their results, the bodyguard guards who is likely to be one of them.
 */
export function villager(known: Known, belief: Belief, moment: Moment, dice: Dice): Intent {
  const { game, wishes } = known;
  const own = game.roles[moment.seat];
  const living = game.living.filter((seat) => seat !== moment.seat);
  const order = orderOf(known, moment);
  const others = (seat: Seat) => belief.possessed[seat]! + (belief.fox?.[seat] ?? 0) + (belief.immoralist?.[seat] ?? 0);
  const trust = (seat: Seat) => 1 - belief.werewolf[seat]! - others(seat) / 2;
  const backed = followers(wishes, game.living, trust, moment.seat);
  const pack = Math.round(living.reduce((sum, seat) => sum + belief.werewolf[seat]!, 0));
  const fox = pack > 1 ? FOX.usually : FOX.beforeLast;
  const threat = (seat: Seat) => belief.werewolf[seat]! + fox * (belief.fox?.[seat] ?? 0);
  const isLast = game.living.length <= 2 * pack + 2; // unless a wolf is executed now, the wolves win tomorrow
  const loss = (seat: Seat) => (isLast ? 0 : LOSS * (belief.seer[seat]! + belief.medium[seat]! / 2));
  const suspects = living.filter((seat) => threat(seat) > CLEAR);
  const vote = foremost(suspects.length ? suspects : living, (seat) => threat(seat) - loss(seat) + TOGETHER * backed(seat), order);
  const value = (seat: Seat) => 3 * belief.seer[seat]! + 1.5 * belief.medium[seat]! + trust(seat) / 2;
  const unseen = living.filter((seat) => !game.divined.some((one) => one.seat === seat));
  const divine = foremost(unseen.length ? unseen : living, threat, dice.shuffle(order));
  const guard = foremost(living, value, dice.shuffle(order));
  const findings = own === 'seer' ? game.divined : game.identified;
  const reports = own === 'seer' || own === 'medium' ? report(own, findings, known, living, moment.seat) : [];
  return { vote, night: { divine, guard }, says: [...reports, ...announce(vote, known, moment)] };
}

/** The speeches of a seer or a medium: comes out with the first result or against a rival, then tells every result once. */
function report(as: Sight, findings: readonly Finding[], known: Known, living: readonly Seat[], me: Seat): readonly string[] {
  const mine = known.claims[me]!;
  const hasRival = known.claims.some(({ roles }, seat) => seat !== me && roles.includes(as));
  if (!findings.length && !hasRival) return [];
  const untold = findings.filter(({ seat }) => !mine.found.some((one) => one.as === as && one.about === seat));
  const tell = ({ seat, found }: Finding): string => {
    const one: Found = { as, about: seat, isWolf: found === 'werewolf' };
    return one.isWolf && living.includes(seat) ? appeal(one) : result(one);
  };
  const claim = mine.roles.includes(as) ? [] : [comingOut(me, as === 'seer' ? 'SEER' : 'MEDIUM')];
  return [...claim, ...untold.map(tell)];
}

/** The weight of what everybody wants. */
const FOLLOWED = 0.5;

/** How much less likely a wolf is one who wants the possessed executed: wolves soon recognise it. */
const HOSTILE = 0.4;
/** At so small a table accusing a third seat draws more votes than accusing the rival. */
const FEW = 5;

/**
 * The possessed: claims to be the seer, tells a false result each day, preferably against a rival, and votes with the likely wolves. When they
 * and it are half of the living it reveals itself, so that they vote together. An immoralist does the same for the foxes, whom it knows, and
 * never reveals itself.
 * @param belief whom it takes for what
 * @param seen what the village must think, from what everybody knows
 */
export function possessed(known: Known, belief: Belief, seen: Belief, moment: Moment, dice: Dice): Intent {
  const { game, wishes, claims } = known;
  const living = game.living.filter((seat) => seat !== moment.seat);
  const order = orderOf(known, moment);
  const mine = claims[moment.seat]!;
  const isImmoralist = game.roles[moment.seat] === 'immoralist';
  const wolf = (seat: Seat) =>
    isImmoralist ? Number(game.roles[seat] === 'fox') : belief.werewolf[seat]! * (wishes[seat]?.about === moment.seat ? HOSTILE : 1);
  const pack = living.reduce((sum, seat) => sum + wolf(seat), 0);
  const isEnd = !isImmoralist && Math.round(pack) + 1 >= game.living.length / 2;
  const backed = followers(wishes, game.living, (seat) => 0.2 + 2 * wolf(seat), moment.seat);
  const vote = foremost(living, (seat) => FOLLOWED * backed(seat) + seen.werewolf[seat]! / 3 + belief.seer[seat]! / 4 - wolf(seat), order);
  return { vote, says: [...(isEnd ? confession() : lies()), ...announce(vote, known, moment)] };

  function confession(): readonly string[] {
    return mine.roles.includes('possessed') ? [] : [comingOut(moment.seat, 'POSSESSED')];
  }

  /** One result for every day, as a seer has. */
  function lies(): readonly string[] {
    if (!mine.roles.includes('seer')) return [comingOut(moment.seat, 'SEER')];
    if (mine.found.length >= game.day) return [];
    const open = living.filter((seat) => !mine.found.some(({ about }) => about === seat));
    if (game.roles.length <= FEW) return accuse(open);
    const rival = accuse(open.filter((seat) => claims[seat]!.roles.includes('seer')));
    if (rival.length) return rival;
    const about = foremost(open, (seat) => wolf(seat), dice.shuffle(order));
    return about === undefined ? [] : [result({ as: 'seer', about, isWolf: false })];
  }

  /** Calls the least likely wolf a werewolf. */
  function accuse(open: readonly Seat[]): readonly string[] {
    const about = foremost(open, (seat) => -wolf(seat), dice.shuffle(order));
    return about === undefined || wolf(about) > 0.5 ? [] : [result({ as: 'seer', about, isWolf: true })];
  }
}

/**
 * A fox: hides. It accuses and votes with the crowd, claims nothing, never turns on another fox, and rather on who may divine it.
 * @param seen what the village must think, from what everybody knows
 */
export function hidingFox(known: Known, belief: Belief, seen: Belief, moment: Moment): Intent {
  const { game, wishes } = known;
  const others = game.living.filter((seat) => seat !== moment.seat && game.roles[seat] !== 'fox');
  const backed = followers(wishes, game.living, () => 1, moment.seat);
  const vote = foremost(others, (seat) => seen.werewolf[seat]! + CROWD * backed(seat) + belief.seer[seat]! / 3, orderOf(known, moment));
  return { vote, says: announce(vote, known, moment) };
}

/** The weight of what everybody wants against public suspicion. */
const CROWD = 0.6;
/** The weight of the pack's whispers. */
const PACK = 0.5;
/** The discount for a target that was guarded last night. */
const GUARDED = 1;
/** The public suspicion of a wolf from which its own pack votes against it. */
const LOST = 0.8;

/**
 * A werewolf: by day votes with the crowd against others, likely foxes first, and against its own pack only when they are lost anyway. By night
 * the pack names one victim: the likely seer, then other special roles; not the possessed, a likely fox, nor who was guarded last night.
 * @param belief whom it takes for what; it knows who the wolves are
 * @param seen what the village must think, from what everybody knows
 */
export function werewolf(known: Known, belief: Belief, seen: Belief, moment: Moment): Intent {
  const { game, wishes, hunts } = known;
  const pack = game.roles.flatMap((role, seat) => (role === 'werewolf' ? [seat] : []));
  const living = game.living.filter((seat) => seat !== moment.seat);
  const prey = living.filter((seat) => !pack.includes(seat));
  const order = orderOf(known, moment);
  const fox = (seat: Seat) => belief.fox?.[seat] ?? 0;
  const backed = followers(wishes, game.living, (seat) => 1 + belief.possessed[seat]!, moment.seat);
  const lost = living.find((seat) => pack.includes(seat) && seen.werewolf[seat]! >= LOST && backed(seat) > 0.5);
  const vote =
    lost ??
    foremost(
      prey,
      (seat) => seen.werewolf[seat]! + CROWD * backed(seat) + belief.seer[seat]! / 5 - belief.possessed[seat]! / 2 + fox(seat),
      order,
    );

  const wished = followers(hunts, living, () => 1, moment.seat);
  const foiled = game.attacked.at(-1);
  const isGuarded = (seat: Seat) => foiled !== undefined && foiled.seat === seat && foiled.day === game.day - 1;
  const danger = (seat: Seat) =>
    belief.seer[seat]! +
    belief.medium[seat]! / 2 +
    belief.bodyguard[seat]! / 3 -
    belief.possessed[seat]! -
    seen.werewolf[seat]! / 3 -
    fox(seat);
  const attack = foremost(prey, (seat) => danger(seat) + PACK * wished(seat) - (isGuarded(seat) ? GUARDED : 0), order);
  const isNight = moment.phase.includes('/night-');
  const isSaid = game.day === 0 || Object.values(hunts).some(({ about }) => about === attack);
  const whispers = attack === undefined || isSaid ? [] : [attackOn(attack)];
  return { vote, night: { attack }, says: isNight ? whispers : announce(vote, known, moment) };
}
