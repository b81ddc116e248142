import type { play, Position } from '@maw/games/kernel/play.ts';
import type { Match } from '@maw/games/match/state.ts';

/** A game as the gamemaster runs it: a match of some rule set, completed by the kernel. */
export type Game = ReturnType<typeof play<Match, { readonly type: string }>>;

export type Standing = Position<Match>;
