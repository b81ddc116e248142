import type { NumberedLesson, RoleLesson, StrategyBook } from '@maw/minds/mind.ts';
import { parseStrategyUse } from '@maw/store/find-version.ts';
import type { Strategies, StrategyGame, StrategyKey, StrategyVersion } from '@maw/store/ports/strategies.ts';
import { z } from 'zod';

/** Who uses a set, and in which round. */
interface Reader extends StrategyGame, Omit<StrategyKey, 'role'> {
  now(): number;
}

const lessonShape = z.object({ strategy: z.string(), suggestions: z.array(z.string()), others: z.string() });

const numbered = ({ version, lesson }: StrategyVersion): NumberedLesson => ({ ...lessonShape.parse(lesson), version });

/**
 * The sets of strategies, as one seat uses them in one round: `NAME@VERSION` is that version in every round, `NAME@VERSION+` only in the first
 * one; else the newest counts.
 */
export const strategyBooks =
  (strategies: Strategies, { recipe, rules, table, round, seat, now }: Reader) =>
  (set: string): StrategyBook => {
    const { name, version, learns } = parseStrategyUse(set);
    const game = { table, round, seat };
    const read = async (role: string, upTo?: number): Promise<NumberedLesson | undefined> => {
      const about = { recipe, rules, role, ...(upTo === undefined ? {} : { version: upTo }) };
      const [found] = await strategies.newest(name, about);
      return found && numbered(found);
    };
    return {
      name: set,
      used: (role) => read(role, learns && round > 1 ? undefined : version),
      newest: (role) => read(role),
      async whyClosed() {
        if (!learns) return `${set} is a fixed version`;
        if (await strategies.has(name, game)) return whyNot.known;
        const [found] = await strategies.list(name);
        return found?.frozen === undefined ? undefined : whyNot.frozen;
      },
      async write(role, parent, { strategy, suggestions, others }: RoleLesson) {
        const lesson = { strategy, suggestions: [...suggestions], others };
        const added = await strategies.add({ name, recipe, rules, role, parent, ...game, at: now(), lesson });
        return typeof added === 'number' ? added : added === 'outdated' ? undefined : whyNot[added];
      },
    };
  };

const whyNot = { known: 'this seat has learned from this round before', frozen: 'the set is frozen' } as const;
