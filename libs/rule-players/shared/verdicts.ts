import type { Seat } from '@maw/games/kernel/question.ts';
import { namePattern } from '@maw/games/kernel/name-pattern.ts';
import { memoize } from './memoize.ts';

/** Expressions for what may be said of a player: what stands before its name, and after it. */
type Phrases<What extends string> = { readonly [what in What]: readonly [before: string, after: string] };

/** Of a player who is named: which of the phrases are said of it. */
type Verdict<What extends string> = { readonly about: Seat } & { readonly [what in What]: boolean };

/** Reads what a speech says of whom; ignores everything else. */
export function verdictReader<What extends string>(phrases: Phrases<What>) {
  const all = Object.entries(phrases) as [What, Phrases<What>[What]][];
  // compiled once for each name, because that takes longer than reading
  const patternsFor = memoize((name: string) =>
    all.map(([what, [before, after]]) => [what, new RegExp(`${before}${namePattern(name)}${after}`, 'iu')] as const),
  );
  return (speech: string, names: readonly string[]): readonly Verdict<What>[] => {
    const lower = speech.toLowerCase();
    return names.flatMap((name, about) => {
      if (!name || !lower.includes(name.toLowerCase())) return [];
      const said = Object.fromEntries(patternsFor(name).map(([what, pattern]) => [what, pattern.test(speech)]));
      return [{ about, ...(said as { [what in What]: boolean }) }];
    });
  };
}
