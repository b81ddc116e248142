import { catalogue } from '@maw/games/catalogue.ts';
import { phaseOf, type Seat } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';

/** A talk of all players: when it was open, and what was said. Times in milliseconds. */
export interface TalkTime {
  readonly question: string;
  readonly isFree: boolean;
  readonly speakers: readonly Seat[];
  readonly from: number;
  readonly until: number;
  readonly lines: readonly { readonly by: Seat; readonly at: number; readonly text: string }[];
}

type Event = RecordedEvent['event'] & TableEvent;

/** The talks of a finished table. */
export function talksIn(tape: readonly RecordedEvent[]): readonly TalkTime[] {
  const talks = new Map<string, TalkTime>();
  for (const { event, at } of tape) {
    const e = event as Event;
    if (e.type === 'asked' && e.question.verb === 'say' && e.question.among === 'table') {
      const { id, final, of } = e.question;
      talks.set(id, { question: id, isFree: !final, speakers: of, from: at, until: at, lines: [] });
    }
    const talk = 'question' in e && typeof e.question === 'string' ? talks.get(e.question) : undefined;
    if (!talk) continue;
    const line = e.type === 'answered' ? [{ by: e.answer.by, at, text: e.answer.says[0]! }] : [];
    talks.set(talk.question, { ...talk, until: at, lines: [...talk.lines, ...line] });
  }
  return [...talks.values()];
}

/** The silences of a talk, with those before the first line and after the last, in milliseconds. */
const silencesOf = ({ from, until, lines }: TalkTime): readonly number[] => {
  const times = [from, ...lines.map(({ at }) => at), until];
  return times.slice(1).map((at, n) => at - times[n]!);
};

/** By phase, the longest time without an event that everybody sees, in milliseconds. */
export function quietIn(tape: readonly RecordedEvent[]): ReadonlyMap<string, number> {
  const { state } = fromTape('t1', tape, catalogue);
  const { game } = state;
  const quiet = new Map<string, number>();
  let [position, phase, last] = [game.begin(), '', tape[0]!.at];
  for (const { event, at } of tape) {
    if (game.see(position, event, 'audience')) {
      if (phase) quiet.set(phase, Math.max(quiet.get(phase) ?? 0, at - last));
      last = at;
    }
    position = game.evolve(position, event);
    const open = position.open.find(({ id }) => /^round/.test(id));
    if (open) phase = phaseOf(open.id);
  }
  return quiet;
}

/** What the talk at some tables was like; seconds. NaN where there is none. */
export interface TalkFigures {
  /** Of the whole table. */
  readonly linesPerMinute: number;
  readonly medianSilence: number;
  /** The median over the talks of the longest one of each. */
  readonly longestSilence: number;
  readonly medianWords: number;
  /** The median over the phases of the longest time without a public event, and the longest of all. */
  readonly quiet: number;
  readonly longestQuiet: number;
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length ? (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2 : NaN;
};

/** The figures of finished tables. */
export function talkFigures(tapes: readonly (readonly RecordedEvent[])[]): TalkFigures {
  const talks = tapes.flatMap(talksIn).filter(({ lines }) => lines.length > 0);
  const lines = talks.flatMap((talk) => talk.lines);
  const quiet = tapes.flatMap((tape) => [...quietIn(tape).values()]);
  return {
    linesPerMinute: (lines.length * 60_000) / talks.reduce((sum, { from, until }) => sum + until - from, 0),
    medianSilence: median(talks.flatMap((talk) => silencesOf(talk).slice(1, -1))) / 1000,
    longestSilence: median(talks.map((talk) => Math.max(...silencesOf(talk)))) / 1000,
    medianWords: median(lines.map(({ text }) => text.split(/\s+/).length)),
    quiet: median(quiet) / 1000,
    longestQuiet: quiet.length ? Math.max(...quiet) / 1000 : NaN,
  };
}
