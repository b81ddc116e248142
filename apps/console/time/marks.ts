import type { Moment, Tape } from './tape.ts';

/** What the slider marks: a new phase, a death, a vote that has settled, or the end. */
export interface Mark {
  /** The number of events up to it. */
  readonly n: number;
  readonly kind: 'phase' | 'death' | 'vote' | 'end';
}

const DEATHS: ReadonlySet<string> = new Set(['executed', 'murdered', 'killed', 'died', 'felled', 'shot']);

function kindOf(moment: Moment, previous: Moment | undefined): Mark['kind'] | undefined {
  const { event } = moment.seen;
  if (event.type === 'closed') return 'end';
  if (DEATHS.has(event.type)) return (event['seats'] as readonly unknown[] | undefined)?.length === 0 ? undefined : 'death';
  if (event.type === 'dawned' && (event['dead'] as readonly unknown[] | undefined)?.length) return 'death';
  const { kind, round, number, detail } = moment.phase;
  const was = previous?.phase;
  if (was && (was.kind !== kind || was.round !== round || was.number !== number || was.detail !== detail)) return 'phase';
  return moment.settled !== undefined && moment.settled !== previous?.settled ? 'vote' : undefined;
}

/** The marks of a tape, in order. */
export function marksOf({ moments }: Tape): readonly Mark[] {
  return moments.flatMap((moment, i) => {
    const kind = kindOf(moment, moments[i - 1]);
    return kind === undefined ? [] : [{ n: i + 1, kind }];
  });
}

/** The next mark of some kinds after position `n`, or the one before it. */
export function nextMark(marks: readonly Mark[], n: number, step: 1 | -1, kinds: readonly Mark['kind'][]): Mark | undefined {
  const wanted = marks.filter(({ kind }) => kinds.includes(kind));
  return step > 0 ? wanted.find((mark) => mark.n > n) : wanted.findLast((mark) => mark.n < n);
}

/** The position in `to` that stands for the same moment as position `n` of `from`; both are derived from one tape. */
export function sameMoment(from: Tape, n: number, to: Tape): number {
  const source = from.moments[n - 1]?.source ?? 0;
  const { moments } = to;
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle]!.source <= source) low = middle + 1;
    else high = middle;
  }
  return low;
}
