import type { Seat } from '../kernel/question.ts';

export const ROLES = ['merlin', 'percival', 'tristan', 'isolde', 'servant', 'morgana', 'assassin', 'minion', 'mordred', 'oberon'] as const;
export type Role = (typeof ROLES)[number];
export type Side = 'good' | 'evil';

const EVIL: ReadonlySet<string> = new Set<Role>(['morgana', 'assassin', 'minion', 'mordred', 'oberon']);
export const sideOf = (role: Role): Side => (EVIL.has(role) ? 'evil' : 'good');
/** Whether a role is known to be evil. `hidden` is not. */
export const isEvil = (role: Role | 'hidden' | undefined): boolean => role !== undefined && EVIL.has(role);
export const isLover = (role: Role | 'hidden' | undefined): boolean => role === 'tristan' || role === 'isolde';

/** What one seat is shown at the deal. `of` is in seat order, which reveals nothing. */
export interface Sight {
  readonly seat: Seat;
  readonly of: readonly Seat[];
  readonly as: 'evil' | 'merlin' | 'merlin-or-morgana' | 'tristan' | 'isolde';
}

/** A named team. `proposal` counts from 1 within its quest. */
export interface Proposal {
  readonly quest: number;
  readonly proposal: number;
  readonly leader: Seat;
  readonly team: readonly Seat[];
}

export interface Vote extends Proposal {
  readonly approve: readonly Seat[];
  readonly reject: readonly Seat[];
  readonly isApproved: boolean;
}

/** Whom the Assassin has named: as Merlin, or with `other` as the lovers. */
export interface Shot {
  readonly by: Seat;
  readonly seat: Seat;
  readonly isMerlin: boolean;
  readonly other?: Seat;
  readonly areLovers?: boolean;
}

/** The true side of a player that the Lady of the Lake has shown to her holder. */
export interface Look {
  readonly by: Seat;
  readonly seat: Seat;
  readonly found: Side;
}

/** The result of a quest: the number of fails, never who played them. */
export interface Quest {
  readonly quest: number;
  readonly team: readonly Seat[];
  readonly fails: number;
  readonly isSuccess: boolean;
}

export type Ending = 'quests-succeeded' | 'quests-failed' | 'five-rejected' | 'merlin-named' | 'lovers-named';

export type AvalonEvent =
  | { readonly type: 'dealt'; readonly roles: readonly (Role | 'hidden')[] }
  /** Visible to `seat` only. */
  | ({ readonly type: 'saw' } & Sight)
  /** A proposal of a team of `size` begins, led by `seat`. */
  | { readonly type: 'led'; readonly quest: number; readonly proposal: number; readonly leader: Seat; readonly size: number }
  /** `isForced`: the team goes without a vote. */
  | ({ readonly type: 'proposed'; readonly isForced: boolean } & Proposal)
  | ({ readonly type: 'voted' } & Vote)
  | ({ readonly type: 'quested' } & Quest)
  /** `holder` has the Lady of the Lake now, as everybody sees: at first, or because `by` has looked at it. */
  | { readonly type: 'lady'; readonly holder: Seat; readonly by?: Seat }
  /** Visible to `by` only. */
  | ({ readonly type: 'inspected' } & Look)
  /** The Assassin may name Merlin now, or the lovers where they are in the game. Everybody knows that, but not who is asked. */
  | { readonly type: 'sought'; readonly lovers?: true }
  /** A seat was named as Merlin, or two as the lovers. Reveals the Assassin. */
  | ({ readonly type: 'shot' } & Shot)
  | { readonly type: 'ended'; readonly winner: Side; readonly because: Ending; readonly roles: readonly Role[] };

/** What is known of a game of Avalon, folded from a seat's view; `hidden` stands for what that seat does not know. */
export interface Avalon {
  readonly roles: readonly (Role | 'hidden')[];
  readonly sights: readonly Sight[];
  /** The current quest, from 1; 0 before the first. */
  readonly quest: number;
  readonly proposal: number;
  readonly leader: Seat;
  /** The team of the current proposal; empty until it is named. */
  readonly team: readonly Seat[];
  readonly votes: readonly Vote[];
  readonly quests: readonly Quest[];
  /** Who has held the Lady of the Lake, the present holder last. Absent: the game is played without her. */
  readonly holders?: readonly Seat[];
  readonly looks?: readonly Look[];
  readonly shot: Shot | undefined;
  readonly ended: { readonly winner: Side; readonly because: Ending } | undefined;
}

export const initialState: Avalon = {
  roles: [],
  sights: [],
  quest: 0,
  proposal: 0,
  leader: 0,
  team: [],
  votes: [],
  quests: [],
  shot: undefined,
  ended: undefined,
};

export function evolve(s: Avalon, e: AvalonEvent): Avalon {
  switch (e.type) {
    case 'dealt':
      return { ...s, roles: e.roles };
    case 'saw': {
      const { seat, of, as } = e;
      return { ...s, sights: [...s.sights, { seat, of, as }] };
    }
    case 'led':
      return { ...s, quest: e.quest, proposal: e.proposal, leader: e.leader, team: [] };
    case 'proposed':
      return { ...s, team: e.team };
    case 'voted': {
      const { type: _, ...vote } = e;
      return { ...s, votes: [...s.votes, vote] };
    }
    case 'quested': {
      const { type: _, ...quest } = e;
      return { ...s, quests: [...s.quests, quest] };
    }
    case 'lady':
      return { ...s, holders: [...(s.holders ?? []), e.holder] };
    case 'inspected': {
      const { type: _, ...look } = e;
      return { ...s, looks: [...(s.looks ?? []), look] };
    }
    case 'sought':
      return s;
    case 'shot': {
      const { type: _, ...shot } = e;
      return { ...s, shot };
    }
    case 'ended':
      return { ...s, ended: { winner: e.winner, because: e.because }, roles: e.roles };
  }
}

export const scoreOf = ({ quests }: Avalon): { readonly succeeded: number; readonly failed: number } => {
  const succeeded = quests.filter(({ isSuccess }) => isSuccess).length;
  return { succeeded, failed: quests.length - succeeded };
};

/** All `players` seats in order around the table, starting at one. */
export const seatsFrom = (first: Seat, players: number): Seat[] => Array.from({ length: players }, (_, i) => (first + i) % players);
