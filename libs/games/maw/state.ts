import type { Seat } from '../kernel/question.ts';

export const ROLES = ['wolf', 'villager', 'seer'] as const;
export type Role = (typeof ROLES)[number];
export type Side = 'wolves' | 'villagers';

export type MawEvent =
  | { readonly type: 'dealt'; readonly roles: readonly (Role | 'hidden')[] }
  | { readonly type: 'dawned'; readonly day: number }
  | { readonly type: 'dusked'; readonly day: number }
  /** Named in the Village without a role. */
  | { readonly type: 'executed'; readonly seat: Seat }
  | { readonly type: 'spared'; readonly because: 'no-votes' | 'tie' }
  /** The role of the executed, told in the Hideout. */
  | { readonly type: 'told'; readonly to: readonly Seat[]; readonly seat: Seat; readonly role: Role }
  | { readonly type: 'murdered'; readonly seat: Seat }
  /** Told to the seer only. */
  | { readonly type: 'inspected'; readonly by: Seat; readonly seat: Seat; readonly role: Role }
  | { readonly type: 'ended'; readonly winner: Side | 'draw'; readonly because: Ending };

export type Ending = 'no-wolves' | 'no-villagers' | 'parity' | 'too-long';

/** What is known of a game of MAW, folded from a seat's view; `hidden` stands for what that seat does not know. */
export interface Maw {
  readonly roles: readonly (Role | 'hidden')[];
  readonly dead: readonly Seat[];
  readonly day: number;
  readonly night: boolean;
  readonly ended: { readonly winner: Side | 'draw'; readonly because: Ending } | undefined;
  /** The roles the seer has learnt, by seat; empty for everybody else. */
  readonly inspected: readonly (readonly [Seat, Role])[];
}

export const initialState: Maw = { roles: [], dead: [], day: 0, night: false, ended: undefined, inspected: [] };

export function evolve(s: Maw, e: MawEvent): Maw {
  switch (e.type) {
    case 'dealt':
      return { ...s, roles: e.roles };
    case 'dawned':
      return { ...s, day: e.day, night: false };
    case 'dusked':
      return { ...s, night: true };
    case 'executed':
    case 'murdered':
      return { ...s, dead: [...s.dead, e.seat] };
    case 'inspected':
      return { ...s, inspected: [...s.inspected, [e.seat, e.role]] };
    case 'ended':
      return { ...s, ended: { winner: e.winner, because: e.because } };
    case 'spared':
    case 'told':
      return s;
  }
}

export const isWolf = (s: Maw, seat: Seat): boolean => s.roles[seat] === 'wolf';
export const alive = (s: Maw): Seat[] => s.roles.flatMap((_, seat) => (s.dead.includes(seat) ? [] : [seat]));
/** Every seat dealt a wolf, dead or alive. */
export const wolves = (s: Maw): Seat[] => s.roles.flatMap((role, seat) => (role === 'wolf' ? [seat] : []));

/** The number of wolves among `players`: a third, at least one. */
export const wolfCount = (players: number): number => Math.max(1, Math.floor(players / 3));
