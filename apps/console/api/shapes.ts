import type { ReplyData } from '@maw/contracts/contracts.ts';
import type { Option } from '@maw/games/kernel/options.ts';

// What the HTTP API answers, as far as the page reads it.

export type View = ReplyData<'table.view'>;
/** One event of a view. */
export type Seen = View['seen'][number];
export type Summary = View['summary'];
export type Stage = Summary['stage'];
/** A question as the asked seat sees it. */
export type Asking = View['asked'][number];
/** What a seat may do now. */
export type Asked = Pick<View, 'asked' | 'brief' | 'alive' | 'life' | 'holder'>;

/** The time of the server, and how long the phase lasts as everybody may know. */
export interface Clock {
  readonly now: number;
  readonly phase?: string;
  readonly until?: number;
  readonly pausedSince?: number;
}

/** Whom a token stands for. */
export interface Me {
  readonly role: 'admin' | 'seat' | 'spectator' | 'join' | 'anybody';
  readonly name: string;
  readonly table?: string;
  readonly seat?: number;
  readonly view?: 'audience' | 'narrator';
  readonly until?: number;
  readonly isOpen: boolean;
  readonly version: string;
}

export interface RuleSetInfo {
  readonly name: string;
  readonly version: string;
  readonly says: string;
  readonly players: { readonly least: number; readonly most: number; readonly usual: number };
  readonly options: { readonly [name: string]: Option };
  readonly text?: string;
}

export type RecipeInfo = ReplyData<'table.recipes'>['recipes'][number];
/** What can be chosen of a recipe. */
export type Parameter = RecipeInfo['parameters'][number];

export interface ModelList {
  readonly default?: string;
  readonly servers: readonly { readonly server: string; readonly isUp: boolean; readonly models: readonly string[] }[];
}

/** How often one kind of player has won. */
export type Rank = ReplyData<'table.leaderboard'>['rows'][number];

/** How a seat is to be filled. */
export interface SeatPlan {
  readonly kind: 'mind' | 'person';
  readonly recipe?: string;
  readonly model?: string;
  readonly parameters?: { readonly [name: string]: string | number | boolean };
}

/** What a table is opened with. */
export interface TableTerms {
  readonly rules: string;
  readonly seats: readonly SeatPlan[];
  readonly rounds: number;
  readonly options: { readonly [name: string]: unknown };
  readonly spectators: 'audience' | 'narrator';
  readonly afterwards?: 'nobody' | 'seats' | 'everybody';
  readonly insight?: 'never' | 'after' | 'live';
  readonly seed?: string;
}

export interface OpenedTable {
  readonly table: string;
  readonly seats: readonly { readonly seat: number; readonly kind: 'mind' | 'person' }[];
}

export interface IssuedToken {
  readonly id: string;
  readonly token: string;
  readonly until: number;
}

export interface JoinedSeat {
  readonly seat: number;
  readonly name: string;
  readonly token: string;
}
