import type { Role } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';

/** The role by which somebody claims to know another: the seer looks, the medium learns about the executed. */
export type Sight = 'seer' | 'medium';

/** A claimed result, true or not. */
export interface Found {
  readonly as: Sight;
  readonly about: Seat;
  readonly isWolf: boolean;
}

/** A fact in an utterance. */
export type Statement =
  | { readonly states: 'role'; readonly role: Role }
  | ({ readonly states: 'found' } & Found)
  /** Whom the speaker wants executed, or by night attacked. */
  | { readonly states: 'wish'; readonly about: Seat };
