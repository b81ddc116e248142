import { type Instant, leaders, type Question, type Seat, seatOf, seats, secret } from '../kernel/question.ts';
import type { Werewolf7Options } from './options.ts';
import { alive, isWolf, living, type Werewolf7, wolves } from './state.ts';

/** The steps of a night, always all of them and in this order: the two wolves by seat, dead or alive. */
export const STEPS = ['wolf-1/hunt', 'wolf-2/hunt', 'guard/protect', 'witch-1/save', 'witch-2/poison', 'seer/inspect'] as const;
type NightStep = (typeof STEPS)[number];

/** Whom a step asks, and who may know of it. */
interface Asking {
  readonly of: Seat;
  readonly options: readonly string[];
  readonly among?: readonly Seat[];
}

/** The wolves' victim: the most votes; nobody when that is `pass` or a tie. */
function prey({ tonight: { aims } }: Werewolf7): Seat | undefined {
  const { options } = leaders({ answers: aims.map((at, by) => ({ by, says: [`${at}`] })) });
  return options.length === 1 && options[0] !== 'pass' ? Number(options[0]) : undefined;
}

/** Whom they kill unless the witch saves. */
export function victim(s: Werewolf7): Seat | undefined {
  const seat = prey(s);
  return seat === s.tonight.guarded ? undefined : seat;
}

/** Who dies tonight by the decisions so far, in seat order. */
export function dying(s: Werewolf7): readonly Seat[] {
  const killed = victim(s);
  const dead = [killed === s.tonight.saved ? undefined : killed, s.tonight.poisoned].filter((seat) => seat !== undefined);
  return [...new Set(dead)].toSorted((a, b) => a - b);
}

/**
 * With `running`: who has died before a step. The published program removes the victim once a witch with the antidote declines to use it,
 * and otherwise together with the poisoned player.
 */
export function fallen(s: Werewolf7, step: NightStep, { nightState }: Werewolf7Options): readonly Seat[] {
  if (nightState === 'nightfall') return [];
  if (step === 'seer/inspect') return dying(s);
  return step === 'witch-2/poison' && s.antidote ? dying(s) : [];
}

/** The question of a step. Asks nobody, unseen by all, where its player is dead or has no options; it lasts as long. */
export function nightQuestion(s: Werewolf7, step: NightStep, now: Instant, options: Werewolf7Options): Question {
  const asking = askingOf(s, step, options);
  const of = asking ? [asking.of] : [];
  return secret(`night-${s.day}/${step}`, of, asking?.options ?? [], now + options.nightMs, {
    among: asking?.among ?? of,
    heard: asking?.among ? 'at-once' : 'never',
    settles: options.hurry ? 'when-all-answer' : 'by-the-clock',
  });
}

function askingOf(s: Werewolf7, step: NightStep, options: Werewolf7Options): Asking | undefined {
  const here = alive(s);
  const but = (...gone: readonly (Seat | undefined)[]) => [...seats(here.filter((seat) => !gone.includes(seat))), 'pass'];
  const asked = (of: Seat | undefined, list: readonly string[]): Asking | undefined =>
    of === undefined ? undefined : { of, options: list };
  switch (step) {
    case 'wolf-1/hunt':
    case 'wolf-2/hunt': {
      const wolf = wolves(s)[step === 'wolf-1/hunt' ? 0 : 1]!;
      return here.includes(wolf) ? { of: wolf, options: but(), among: here.filter((seat) => isWolf(s, seat)) } : undefined;
    }
    case 'guard/protect':
      return asked(living(s, 'guard'), options.guardRepeat ? but() : but(s.guardedBefore));
    case 'witch-1/save':
      return s.tonight.warned === undefined ? undefined : asked(living(s, 'witch'), [...seats([s.tonight.warned]), 'pass']);
    case 'witch-2/poison': {
      const mayPoison = s.poison && (options.witchBoth || s.tonight.saved === undefined);
      return mayPoison ? asked(living(s, 'witch'), but(...fallen(s, step, options))) : undefined;
    }
    case 'seer/inspect':
      return asked(living(s, 'seer'), but(...fallen(s, step, options)));
  }
}

/** The chosen seat; undefined for a pass or when nobody was asked. */
export const chosen = ({ answers }: { readonly answers: readonly { readonly says: readonly string[] }[] }): Seat | undefined => {
  const says = answers[0]?.says[0];
  return says === undefined || says === 'pass' ? undefined : seatOf(says);
};
