import type { Mind, Moment, NumberedLesson, RoleLesson, StrategyBook, Tools } from '../../mind.ts';

/** What a seat has learned about playing a role at this table. */
interface TableLesson extends RoleLesson {
  /** How many rounds it was learned from. */
  readonly version: number;
}

/** The lesson of a set that a role is played by in a round. */
interface UsedLesson {
  readonly set: string;
  readonly round: number;
  readonly role: string;
  /** Null: the set has none for the role. */
  readonly lesson: NumberedLesson | null;
}

/** The lesson of this table for a role; undefined before the first. */
export const lessonFor = ({ notes }: Pick<Mind, 'notes'>, role: string): TableLesson | undefined =>
  (notes['learned'] as { readonly lan?: { readonly [role: string]: TableLesson } } | undefined)?.lan?.[role];

/** Opens the set of the parameter `strategies`; undefined: lessons stay at the table. */
export const openBook = (strategies: string, tools: Tools): StrategyBook | undefined =>
  strategies === 'off' ? undefined : tools.strategies?.(strategies);

/** The lesson of a set that was read for this round and role; undefined when none was read. */
export function usedLesson({ notes }: Pick<Mind, 'notes'>, { round }: Moment, role: string): UsedLesson | undefined {
  const used = notes['usedLesson'] as UsedLesson | undefined;
  return used?.round === round && used.role === role ? used : undefined;
}

/**
 * Reads the lesson for a round once; later decisions of the round use the same. Undefined before the deal, and when the set cannot be read: the
 * next decision tries again.
 */
export async function readUsed(book: StrategyBook, mind: Mind, moment: Moment, role: string): Promise<UsedLesson | undefined> {
  const known = usedLesson(mind, moment, role);
  if (known || role === '') return known;
  try {
    return { set: book.name, round: moment.round, role, lesson: (await book.used(role)) ?? null };
  } catch {
    return undefined;
  }
}
