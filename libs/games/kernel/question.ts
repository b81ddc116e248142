/** A place at the table: 0-based, fixed for the whole game. */
export type Seat = number;

/** Milliseconds since the epoch. Rules never read a clock; they are told the time. */
export type Instant = number;

/** A seat, the audience, or the omniscient narrator. */
export type Eye = Seat | 'audience' | 'narrator';

/**
 * The one thing a game ever does: ask some seats something and wait.
 * Talk, votes, night actions, team proposals and quest cards are all questions.
 */
export interface Question {
  /** `phase/step`, unique within the tape: `round-1/day-2/vote`. */
  readonly id: string;
  /** say: one text to a room. tell: an option (whom) and one text, heard by that seat alone. choose: `pick` of the options. */
  readonly verb: 'say' | 'tell' | 'choose';
  /** Who may answer; in this order when `inTurn`. */
  readonly of: readonly Seat[];
  /** What may be chosen, or who may be told. say: texts that may always be said, for games with a language of their own; else empty. */
  readonly options: readonly string[];
  /** Whether a seat may name itself. */
  readonly self: boolean;
  /** How many options make one answer. */
  readonly pick: number;
  readonly settles: 'when-all-answer' | 'on-majority' | 'on-unanimity' | 'by-the-clock';
  /** One seat after another. */
  readonly inTurn: boolean;
  /** false: an answer may be replaced (choose) or followed by another (say, tell) until the question settles. */
  readonly final: boolean;
  /** When the others learn an answer. For `tell`: `at-once` lets them see that it happened, never the text. */
  readonly heard: 'at-once' | 'when-settled' | 'never';
  /** Who may know that it is being asked at all. */
  readonly among: 'table' | readonly Seat[];
  /** In turn: until when the current seat may speak. */
  readonly until: Instant;
  /** In turn: how long each seat gets. */
  readonly turnMs: number;
  /** Where answers that are heard are written down: `Village`. Absent: nowhere. */
  readonly room?: string;
  /** The longest text, in characters (code points). */
  readonly maxChars: number;
}

export interface Answer {
  readonly by: Seat;
  /** say: `[text]`. tell: `[option, text]`. choose: `pick` options. */
  readonly says: readonly string[];
}

/** A question on the table, with what has been answered so far. */
export interface Open extends Question {
  readonly answers: readonly Answer[];
  /** In turn: seats whose time ran out. */
  readonly passed: readonly Seat[];
}

type Rest = Partial<Omit<Question, 'id' | 'verb' | 'of' | 'until'>>;

const question = (id: string, verb: Question['verb'], of: readonly Seat[], until: Instant, rest: Rest): Question => ({
  id,
  verb,
  of,
  until,
  options: [],
  self: true,
  pick: 1,
  settles: 'when-all-answer',
  inTurn: false,
  final: true,
  heard: 'at-once',
  among: 'table',
  turnMs: 0,
  maxChars: 500,
  ...rest,
});

/** Free chat: anyone of `of`, any number of times, until the clock. */
export const chat = (id: string, of: readonly Seat[], until: Instant, rest: Rest = {}): Question =>
  question(id, 'say', of, until, { settles: 'by-the-clock', final: false, ...rest });

/** Private lines from one seat to another, any number of times, until the clock. */
export const whispers = (id: string, of: readonly Seat[], until: Instant, rest: Rest = {}): Question =>
  question(id, 'tell', of, until, { options: seats(of), self: false, settles: 'by-the-clock', final: false, ...rest });

/** Strict turns: each of `of` once, in order, `turnMs` each. */
export const round = (id: string, of: readonly Seat[], now: Instant, turnMs: number, rest: Rest = {}): Question =>
  question(id, 'say', of, now + turnMs, { inTurn: true, turnMs, ...rest });

/** A public vote that may be changed until a majority agrees or time runs out. */
export const vote = (id: string, of: readonly Seat[], options: readonly string[], until: Instant, rest: Rest = {}): Question =>
  question(id, 'choose', of, until, { options, settles: 'on-majority', final: false, ...rest });

/** A simultaneous vote: nobody sees anything until all have voted, then everything is shown. */
export const ballot = (id: string, of: readonly Seat[], options: readonly string[], until: Instant, rest: Rest = {}): Question =>
  question(id, 'choose', of, until, { options, heard: 'when-settled', ...rest });

/** A private question whose answer nobody else ever hears: night actions, quest cards. */
export const secret = (id: string, of: readonly Seat[], options: readonly string[], until: Instant, rest: Rest = {}): Question =>
  question(id, 'choose', of, until, { options, heard: 'never', among: of, ...rest });

export const seats = (of: readonly Seat[]): string[] => of.map((seat) => `seat:${seat}`);
export const seatOf = (option: string): Seat => Number(option.slice('seat:'.length));

/** What `seat` may choose, or whom it may tell. */
export const optionsFor = (q: Question, seat: Seat): readonly string[] =>
  q.self ? q.options : q.options.filter((o) => o !== `seat:${seat}`);

/** Everything of an id but its last part: the phase `round-1/day-2` of `round-1/day-2/vote`. */
export const phaseOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('/')));
/** The last part of an id: the step `vote` of `round-1/day-2/vote`. */
export const stepOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/** Who still has the floor: the seats that may answer now. */
export function waiting(q: Open): readonly Seat[] {
  if (q.inTurn) {
    const next = current(q);
    return next === undefined ? [] : [next];
  }
  return q.final ? q.of.filter((seat) => !isDone(q, seat)) : q.of;
}

/** Whether `seat` has the floor. */
export function hasFloor(q: Open, seat: Seat): boolean {
  if (q.inTurn) return current(q) === seat;
  return q.of.includes(seat) && !(q.final && isDone(q, seat));
}

/** In turn: the first that has neither answered nor passed; both are in the order of `of`. */
function current({ of, answers, passed }: Open): Seat | undefined {
  let a = 0;
  let p = 0;
  for (const seat of of) {
    if (answers[a]?.by === seat) a++;
    else if (passed[p] === seat) p++;
    else return seat;
  }
  return undefined;
}

const isDone = ({ answers, passed }: Open, seat: Seat): boolean => answers.some(({ by }) => by === seat) || passed.includes(seat);

/** Whether the answers alone settle it; the clock is looked at elsewhere. */
export function isSettled(q: Open): boolean {
  switch (q.settles) {
    case 'by-the-clock':
      return false;
    case 'when-all-answer':
      return q.answers.length + q.passed.length >= q.of.length && q.of.every((seat) => isDone(q, seat));
    case 'on-majority':
      return leaders(q).count > q.of.length / 2;
    case 'on-unanimity':
      return q.of.length > 0 && leaders(q).count === q.of.length;
  }
}

/** The most chosen options and how often each was chosen. Ties give several; no answers give none. */
export function leaders(q: Pick<Open, 'answers'>): { readonly options: readonly string[]; readonly count: number } {
  const tally = new Map<string, number>();
  for (const { says } of q.answers) for (const option of says) tally.set(option, (tally.get(option) ?? 0) + 1);
  const count = Math.max(0, ...tally.values());
  return { options: [...tally].filter(([, n]) => n === count).map(([option]) => option), count };
}

/** Whether `eye` may know that `q` is being asked. */
export const isAmong = (q: Question, eye: Eye): boolean =>
  eye === 'narrator' || q.among === 'table' || (typeof eye === 'number' && q.among.includes(eye));
