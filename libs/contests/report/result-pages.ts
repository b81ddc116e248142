/** Some results of a contest in their order. One whose records did not fit has some of them, and is the last one. */
interface ResultPage<R> {
  readonly results: readonly (R & { readonly moreRecords?: unknown })[];
  /** Whether there are further results, or records. */
  readonly more: boolean;
}

interface Result {
  readonly number: number;
  readonly records?: unknown;
}

/**
 * All results of a contest, each whole, in their order.
 * @param read returns those after a number, without the first `skip` records of the first one
 */
export async function* readResultPages<R extends Result>(
  read: (from: { readonly after: number; readonly skip: number }) => Promise<ResultPage<R>>,
): AsyncGenerator<R> {
  let from = { after: -1, skip: 0 };
  let cut: R | undefined;
  for (;;) {
    const { results, more } = await read(from);
    for (const { moreRecords, ...part } of results) {
      const before = cut?.number === part.number ? recordsOf(cut) : [];
      const whole = (before.length ? { ...part, records: [...before, ...recordsOf(part)] } : part) as unknown as R;
      cut = moreRecords ? whole : undefined;
      if (!cut) yield whole;
      from = cut ? { after: cut.number - 1, skip: recordsOf(cut).length } : { after: whole.number, skip: 0 };
    }
    if (!more || !results.length) return;
  }
}

const recordsOf = ({ records }: Result): readonly unknown[] => (records ?? []) as readonly unknown[];
