/** Some results of a contest in their order. One whose games did not fit has some of them with their records, and is the last one. */
export interface ResultPage<R> {
  readonly results: readonly (R & { readonly moreGames?: unknown })[];
  /** Whether there are further results, or games. */
  readonly more: boolean;
}

interface Result {
  readonly number: number;
  readonly games?: unknown;
  readonly records?: unknown;
}

/**
 * All results of a contest, each whole, in their order.
 * @param read returns those after a number, without the first `skip` games of the first one
 */
export async function* readResultPages<R extends Result>(
  read: (from: { readonly after: number; readonly skip: number }) => Promise<ResultPage<R>>,
): AsyncGenerator<R> {
  let from = { after: -1, skip: 0 };
  let cut: R | undefined;
  for (;;) {
    const { results, more } = await read(from);
    for (const { moreGames, ...part } of results) {
      const whole = (cut?.number === part.number ? joined(cut, part) : part) as unknown as R;
      cut = moreGames ? whole : undefined;
      if (!cut) yield whole;
      from = cut
        ? { after: cut.number - 1, skip: Math.max(listOf(cut.games).length, listOf(cut.records).length) }
        : { after: whole.number, skip: 0 };
    }
    if (!more || !results.length) return;
  }
}

const listOf = (value: unknown): readonly unknown[] => (value ?? []) as readonly unknown[];

const joined = (before: Result, part: Result): Result => ({
  ...part,
  games: [...listOf(before.games), ...listOf(part.games)],
  ...(part.records === undefined ? {} : { records: [...listOf(before.records), ...listOf(part.records)] }),
});
