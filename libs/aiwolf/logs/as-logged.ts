/** What a log has beyond the game: how its lines end, times, numbers, lost agents. Kept as the lines that differ from those the game would write. */
import { z } from 'zod';

export const lineDifferences = z.object({
  end: z.enum(['\n', '\r\n']),
  /** The text between the ends of lines: each line as it is, or the first and the last of some lines that the game would write too, from 1. */
  lines: z.array(z.union([z.string(), z.tuple([z.int(), z.int()])])),
});
type LineDifferences = z.infer<typeof lineDifferences>;

/**
 * How a log differs from the one that its game would write. Undefined: not at all.
 * @param pairs which line of it is which written line, from 1
 */
export function differencesOf(log: string, written: string, pairs: readonly (readonly [number, number])[]): LineDifferences | undefined {
  if (log === written) return undefined;
  const end = /(?<!\r)\n/.test(log) || !log.includes('\n') ? '\n' : '\r\n';
  const there = written.split('\n');
  const writtenAs = new Map(pairs);
  const lines: LineDifferences['lines'] = [];
  for (const [i, row] of log.split(end).entries()) {
    const at = writtenAs.get(i + 1);
    const last = lines.at(-1);
    if (at === undefined || there[at - 1] !== row) lines.push(row);
    else if (typeof last === 'object' && last[1] === at - 1) last[1] = at;
    else lines.push([at, at]);
  }
  return { end, lines };
}

/** Inverts `differencesOf`. */
export const asLogged = (written: string, { end, lines }: LineDifferences): string => {
  const there = written.split('\n');
  return lines.flatMap((each) => (typeof each === 'string' ? [each] : there.slice(each[0] - 1, each[1]))).join(end);
};
