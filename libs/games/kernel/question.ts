/** A seat number: 0-based, fixed for the whole game. */
export type Seat = number;

/** Milliseconds since the epoch. Rules never read a clock; the time is passed to them. */
export type Instant = number;

/** A seat, the audience, or the omniscient narrator. */
export type Eye = Viewer | 'narrator';
export type Viewer = Seat | 'audience';

/**
 * A question to some seats, the only thing a game ever does. Talk, votes, night actions, team proposals and quest cards are all questions.
 */
export interface Question {
  /** `phase/step`, unique within the tape, such as `round-1/day-2/vote`. */
  readonly id: string;
  /** say: one text to a room. tell: an option (the addressee) and a text only that seat hears. choose: `pick` of the options. */
  readonly verb: 'say' | 'tell' | 'choose';
  /** Who may answer; in this order when `inTurn`. */
  readonly of: readonly Seat[];
  /** What may be chosen, or who may be told. For say: texts that are always allowed, in games with a language of their own; else empty. */
  readonly options: readonly string[];
  /** Whether a seat may name itself. */
  readonly self: boolean;
  /** How many options one answer has. */
  readonly pick: number;
  readonly settles: 'when-all-answer' | 'on-majority' | 'on-unanimity' | 'by-the-clock';
  /** on-majority: how long a majority must stand before it settles the question, and before when none does. Absent: it settles at once. */
  readonly grace?: { readonly ms: number; readonly notBefore: Instant };
  /** One seat after another. */
  readonly inTurn: boolean;
  /** false: until the question settles, an answer may be replaced (choose) or followed by another (say, tell). */
  readonly final: boolean;
  /** When others learn an answer. For `tell`, `at-once` shows that it happened, never the text. */
  readonly heard: 'at-once' | 'when-settled' | 'never';
  /** Who may know that the question is open. */
  readonly among: 'table' | readonly Seat[];
  /** In turn: the deadline of the current seat. */
  readonly until: Instant;
  /** In turn: the time per seat. */
  readonly turnMs: number;
  /** The room in which audible answers appear, such as `Village`. Absent: none. */
  readonly room?: string;
  /** The maximum length of a text, in characters (code points). */
  readonly maxChars: number;
  /** A longer text is not refused: the game cuts it, perhaps to another length. */
  readonly cuts?: true;
  /** Not final: a seat is done after so many texts, or once it has said this one; when all are done, the question settles. */
  readonly limit?: { readonly texts: number; readonly last: string };
}

export interface Answer {
  readonly by: Seat;
  /** say: `[text]`. tell: `[option, text]`. choose: `pick` options. */
  readonly says: readonly string[];
}

export interface Open extends Question {
  readonly answers: readonly Answer[];
  /** Seats whose turn ran out, or that do without an answer. */
  readonly passed: readonly Seat[];
  /** Seats that wait for nothing more. Once all are ready the question settles soon. */
  readonly ready?: readonly Seat[];
  /** When the majority that stands settles the question, if it is not lost before. */
  readonly majorityUntil?: Instant;
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

/** Free chat: any seat of `of`, any number of times, until the deadline. */
export const chat = (id: string, of: readonly Seat[], until: Instant, rest: Rest = {}): Question =>
  question(id, 'say', of, until, { settles: 'by-the-clock', final: false, ...rest });

/** Private lines between seats, any number of times, until the deadline. */
export const whispers = (id: string, of: readonly Seat[], until: Instant, rest: Rest = {}): Question =>
  question(id, 'tell', of, until, { options: seats(of), self: false, settles: 'by-the-clock', final: false, ...rest });

/** Strict turns: each seat of `of` once, in order, `turnMs` each. */
export const round = (id: string, of: readonly Seat[], now: Instant, turnMs: number, rest: Rest = {}): Question =>
  question(id, 'say', of, now + turnMs, { inTurn: true, turnMs, ...rest });

/** A public vote that may be changed until a majority agrees or time runs out. */
export const vote = (id: string, of: readonly Seat[], options: readonly string[], until: Instant, rest: Rest = {}): Question =>
  question(id, 'choose', of, until, { options, settles: 'on-majority', final: false, ...rest });

/** A simultaneous vote: ballots are hidden until all have voted, then all are shown. */
export const ballot = (id: string, of: readonly Seat[], options: readonly string[], until: Instant, rest: Rest = {}): Question =>
  question(id, 'choose', of, until, { options, heard: 'when-settled', ...rest });

/** A private question whose answer nobody else learns: night actions, quest cards. */
export const secret = (id: string, of: readonly Seat[], options: readonly string[], until: Instant, rest: Rest = {}): Question =>
  question(id, 'choose', of, until, { options, heard: 'never', among: of, ...rest });

export const seats = (of: readonly Seat[]): string[] => of.map((seat) => `seat:${seat}`);
/** The seats that have not answered. */
export const silentIn = ({ of, answers }: Open): Seat[] => of.filter((seat) => !answers.some(({ by }) => by === seat));
export const seatOf = (option: string): Seat => Number(option.slice('seat:'.length));
/** The players that an option names: one of `seat:3`, two of `seat:3+5`, none of a word. */
export const namedSeats = (option: string): readonly Seat[] =>
  /^seat:\d+(?:\+\d+)?$/.test(option) ? option.slice('seat:'.length).split('+').map(Number) : [];

/** What `seat` may choose, or whom it may tell. */
export const optionsFor = (q: Question, seat: Seat): readonly string[] =>
  q.self ? q.options : q.options.filter((o) => o !== `seat:${seat}`);

/** An id without its last part: the phase `round-1/day-2` of `round-1/day-2/vote`. */
export const phaseOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('/')));
/** The last part of an id: the step `vote` of `round-1/day-2/vote`. */
export const stepOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/** The latest end of a question: when turns remain, each may take its full time. */
export const latestEnd = ({ inTurn, until, of, turnMs, answers = [], passed = [] }: Question & Partial<Open>): Instant =>
  inTurn ? until + turnMs * Math.max(0, of.length - answers.length - passed.length - 1) : until;

/** The seats that may answer now. */
export function waiting(q: Open): readonly Seat[] {
  if (q.inTurn) {
    const next = current(q);
    return next === undefined ? [] : [next];
  }
  return q.final || q.limit ? q.of.filter((seat) => !isDone(q, seat)) : q.of;
}

export function hasFloor(q: Open, seat: Seat): boolean {
  if (q.inTurn) return current(q) === seat;
  return q.of.includes(seat) && !((q.final && isDone(q, seat)) || (q.limit && hasSaid(q, seat, q.limit.last)));
}

/** In turn: the first seat that has neither answered nor passed; both lists are in the order of `of`. */
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

function isDone(q: Open, seat: Seat): boolean {
  const { answers, passed, limit } = q;
  if (limit) return hasSaid(q, seat, limit.last) || answers.filter(({ by }) => by === seat).length >= limit.texts;
  return answers.some(({ by }) => by === seat) || passed.includes(seat);
}

const hasSaid = ({ answers }: Open, seat: Seat, text: string): boolean => answers.some(({ by, says }) => by === seat && says[0] === text);

/** Whether the answers settle the question; its own deadline is checked elsewhere. */
export function isSettled(q: Open, now: Instant): boolean {
  switch (q.settles) {
    case 'by-the-clock':
      return q.limit !== undefined && q.of.every((seat) => isDone(q, seat));
    case 'when-all-answer':
      return q.answers.length + q.passed.length >= q.of.length && q.of.every((seat) => isDone(q, seat));
    case 'on-majority':
      return q.grace ? (q.majorityUntil ?? Infinity) <= now : majorityOf(q) !== undefined;
    case 'on-unanimity':
      return q.of.length > 0 && leaders(q).count === q.of.length;
  }
}

/** Whether seats may say that they are ready: in a public vote that may change until a majority has stood for a while. */
export const takesReady = ({ settles, grace, heard, among }: Question): boolean =>
  settles === 'on-majority' && grace !== undefined && heard === 'at-once' && among === 'table';

/** The option that more than half of the asked have chosen. */
export function majorityOf(q: Open): string | undefined {
  if (q.answers.length <= q.of.length / 2) return undefined;
  const { options, count } = leaders(q);
  return count > q.of.length / 2 ? options[0] : undefined;
}

/** The most chosen options and their number of votes. Several on a tie, none without answers. */
export function leaders(q: Pick<Open, 'answers'>): { readonly options: readonly string[]; readonly count: number } {
  const tally = new Map<string, number>();
  for (const { says } of q.answers) for (const option of says) tally.set(option, (tally.get(option) ?? 0) + 1);
  const count = Math.max(0, ...tally.values());
  return { options: [...tally].filter(([, n]) => n === count).map(([option]) => option), count };
}

/** Whether `eye` may know that `q` is open. */
export const isAmong = (q: Question, eye: Eye): boolean =>
  eye === 'narrator' || q.among === 'table' || (typeof eye === 'number' && q.among.includes(eye));
