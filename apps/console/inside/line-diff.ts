/** A line that both texts have, or only the new one (`+`) or the old one (`-`). */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}

/** Above so many pairs of lines, the middle of two texts counts as replaced: a table of them would be too large. */
const MAX_PAIRS = 4_000_000;

const lined = (sign: DiffLine['sign'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign, text }));

/** The difference between two texts by lines, with as many common lines as possible. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [
    ...lined(' ', after.slice(0, head)),
    ...diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...lined(' ', after.slice(after.length - tail)),
  ];
}

/** The longest common subsequence, by the usual table. */
function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const [rows, columns] = [before.length, after.length];
  if (rows * columns > MAX_PAIRS) return [...lined('-', before), ...lined('+', after)];
  // common[i * width + j]: how many lines `before` from i and `after` from j have in common
  const width = columns + 1;
  const common = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      common[i * width + j] =
        before[i] === after[j] ? common[(i + 1) * width + j + 1]! + 1 : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const diff: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < rows && j < columns) {
    if (before[i] === after[j]) {
      diff.push({ sign: ' ', text: after[j]! });
      i++;
      j++;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) diff.push({ sign: '-', text: before[i++]! });
    else diff.push({ sign: '+', text: after[j++]! });
  }
  return [...diff, ...lined('-', before.slice(i)), ...lined('+', after.slice(j))];
}

/** A run of changed lines with the lines around it, or how many equal lines are left out. */
export type DiffPart = { readonly lines: readonly DiffLine[] } | { readonly skipped: number };

/** Leaves out equal lines that are more than `around` lines away from a change. */
export function foldEqual(diff: readonly DiffLine[], around = 2): readonly DiffPart[] {
  const isNear = new Uint8Array(diff.length);
  for (const [i, { sign }] of diff.entries()) if (sign !== ' ') isNear.fill(1, Math.max(0, i - around), i + around + 1);
  const parts: DiffPart[] = [];
  for (let from = 0; from < diff.length;) {
    let to = from + 1;
    while (to < diff.length && isNear[to] === isNear[from]) to++;
    // one line takes no more room than the words that it is left out
    parts.push(isNear[from] || to - from === 1 ? { lines: diff.slice(from, to) } : { skipped: to - from });
    from = to;
  }
  return parts;
}
