import type { Mind } from '../../mind.ts';

/** What a seat has learned about playing a role. */
export interface RoleLesson {
  /** How many rounds it was learned from. */
  readonly version: number;
  readonly strategy: string;
  readonly suggestions: readonly string[];
  /** The strategies of other roles. */
  readonly others: string;
}

/** The lesson for a role; undefined before the first. */
export const lessonFor = ({ notes }: Pick<Mind, 'notes'>, role: string): RoleLesson | undefined =>
  (notes['learned'] as { readonly lan?: { readonly [role: string]: RoleLesson } } | undefined)?.lan?.[role];
