import type { Seat } from '../kernel/question.ts';

export const ROLES = ['werewolf', 'villager', 'seer', 'guard', 'witch'] as const;
export type Role = (typeof ROLES)[number];
export type Side = 'village' | 'werewolves';
export type Ending = 'no-wolves' | 'no-villagers' | 'no-others' | 'parity' | 'too-long';

export const ROLES_DEALT: readonly Role[] = ['werewolf', 'werewolf', 'villager', 'villager', 'seer', 'guard', 'witch'];

/** A dead player, with the role where it is announced. */
export interface Fallen {
  readonly seat: Seat;
  readonly role?: Role;
}

export type Werewolf7Event =
  /** `order`: the speaking and voting order of the whole game. */
  | { readonly type: 'dealt'; readonly roles: readonly (Role | 'hidden')[]; readonly order: readonly Seat[] }
  | { readonly type: 'dusked'; readonly night: number }
  /** A wolf's vote or silence. For the narrator: the wolves have heard each other. */
  | { readonly type: 'aimed'; readonly by: Seat; readonly at: Seat | 'pass' }
  /** Told to the guard only. */
  | { readonly type: 'protected'; readonly by: Seat; readonly seat: Seat }
  /** Told to the witch only: the wolves' victim unless she saves. */
  | { readonly type: 'warned'; readonly to: Seat; readonly seat: Seat }
  /** Told to the witch only. */
  | { readonly type: 'saved' | 'poisoned'; readonly by: Seat; readonly seat: Seat }
  /** Told to the seer only. */
  | { readonly type: 'inspected'; readonly by: Seat; readonly seat: Seat; readonly isWolf: boolean }
  /** The election of a sheriff, before the dead of the night are named. */
  | { readonly type: 'gathered'; readonly day: number }
  /** Who runs for sheriff, in the order of the game. */
  | { readonly type: 'stood'; readonly seats: readonly Seat[] }
  /** The sheriff, and what that vote counts, in half votes; without a seat there is none in this game. */
  | { readonly type: 'elected'; readonly seat?: Seat; readonly halves: number }
  /** The badge of a dead sheriff has another holder; without one it is torn. */
  | { readonly type: 'inherited'; readonly seat?: Seat; readonly halves: number }
  /** Those with the most votes, in the order of the game, and what decides between them. */
  | { readonly type: 'tied'; readonly seats: readonly Seat[]; readonly decides: 'ballot' | 'sheriff' }
  /** `dead`: who died in the night, in seat order, without the cause of death. */
  | { readonly type: 'dawned'; readonly day: number; readonly dead: readonly Fallen[] }
  /** Voted out; alive until the last words. */
  | { readonly type: 'condemned'; readonly seat: Seat }
  | ({ readonly type: 'executed' } & Fallen)
  | { readonly type: 'spared'; readonly because: 'tie' | 'pass' }
  | { readonly type: 'ended'; readonly winner: Side | 'draw'; readonly because: Ending };

export interface Night {
  readonly aims: readonly (Seat | 'pass')[];
  readonly guarded: Seat | undefined;
  readonly warned: Seat | undefined;
  readonly saved: Seat | undefined;
  readonly poisoned: Seat | undefined;
}

/** What is known of a game, folded from a seat's view; `hidden` stands for what that seat does not know. */
export interface Werewolf7 {
  readonly roles: readonly (Role | 'hidden')[];
  readonly order: readonly Seat[];
  readonly dead: readonly Seat[];
  /** The number of the night, or of the day after it. */
  readonly day: number;
  readonly night: boolean;
  readonly tonight: Night;
  /** Whom the guard protected the night before. */
  readonly guardedBefore: Seat | undefined;
  /** Whether the witch still has them. */
  readonly antidote: boolean;
  readonly poison: boolean;
  /** The seer's results: each player, and whether it is a wolf. Empty for everybody else. */
  readonly inspected: readonly (readonly [Seat, boolean])[];
  readonly condemned: Seat | undefined;
  /** Who runs, or ran, for sheriff. */
  readonly candidates: readonly Seat[];
  /** Who has the badge, dead until it is passed on, and what the vote counts, in half votes. */
  readonly sheriff: { readonly seat: Seat; readonly halves: number } | undefined;
  readonly ended: { readonly winner: Side | 'draw'; readonly because: Ending } | undefined;
}

const quiet: Night = { aims: [], guarded: undefined, warned: undefined, saved: undefined, poisoned: undefined };

export const initialState: Werewolf7 = {
  roles: [],
  order: [],
  dead: [],
  day: 0,
  night: false,
  tonight: quiet,
  guardedBefore: undefined,
  antidote: true,
  poison: true,
  inspected: [],
  condemned: undefined,
  candidates: [],
  sheriff: undefined,
  ended: undefined,
};

export function evolve(s: Werewolf7, e: Werewolf7Event): Werewolf7 {
  const tonight = (change: Partial<Night>): Werewolf7 => ({ ...s, tonight: { ...s.tonight, ...change } });
  switch (e.type) {
    case 'dealt':
      return { ...s, roles: e.roles, order: e.order };
    case 'dusked':
      return { ...s, day: e.night, night: true, tonight: quiet, guardedBefore: s.tonight.guarded };
    case 'aimed':
      return tonight({ aims: [...s.tonight.aims, e.at] });
    case 'protected':
      return tonight({ guarded: e.seat });
    case 'warned':
      return tonight({ warned: e.seat });
    case 'saved':
      return { ...tonight({ saved: e.seat }), antidote: false };
    case 'poisoned':
      return { ...tonight({ poisoned: e.seat }), poison: false };
    case 'inspected':
      return { ...s, inspected: [...s.inspected, [e.seat, e.isWolf]] };
    case 'gathered':
      return { ...s, night: false };
    case 'stood':
      return { ...s, candidates: e.seats };
    case 'elected':
    case 'inherited':
      return { ...s, sheriff: e.seat === undefined ? undefined : { seat: e.seat, halves: e.halves } };
    case 'dawned':
      return { ...e.dead.reduce(buried, s), day: e.day, night: false };
    case 'condemned':
      return { ...s, condemned: e.seat };
    case 'executed':
      return { ...buried(s, e), condemned: undefined };
    case 'ended':
      return { ...s, ended: { winner: e.winner, because: e.because } };
    case 'tied':
    case 'spared':
      return s;
  }
}

const buried = (s: Werewolf7, { seat, role }: Fallen): Werewolf7 => ({
  ...s,
  dead: [...s.dead, seat],
  roles: role === undefined ? s.roles : s.roles.with(seat, role),
});

export const isWolf = (s: Werewolf7, seat: Seat): boolean => s.roles[seat] === 'werewolf';
export const alive = (s: Werewolf7): Seat[] => s.roles.flatMap((_, seat) => (s.dead.includes(seat) ? [] : [seat]));
/** Every seat dealt a wolf, dead or alive, in seat order. */
export const wolves = (s: Werewolf7): Seat[] => s.roles.flatMap((role, seat) => (role === 'werewolf' ? [seat] : []));
/** Those alive, in the order in which they speak and vote. */
export const inOrder = (s: Werewolf7): Seat[] => s.order.filter((seat) => !s.dead.includes(seat));
/** What a vote by day counts, in half votes. */
export const halvesOf = ({ sheriff }: Werewolf7, seat: Seat): number => (sheriff?.seat === seat ? sheriff.halves : 2);
/** Whether the sheriff is dead and has yet to pass the badge on. */
export const isOrphaned = ({ sheriff, dead, ended }: Werewolf7): boolean => !ended && sheriff !== undefined && dead.includes(sheriff.seat);
export const living = (s: Werewolf7, role: Role): Seat | undefined => alive(s).find((seat) => s.roles[seat] === role);
