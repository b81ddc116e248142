import { type Answer, type Instant, phaseOf, type Seat, seatOf, stepOf } from '@maw/games/kernel/question.ts';
import type { Moment, News } from '../moment.ts';
import type { Act } from '@maw/games/english/sentence.ts';
import type { Line } from '@maw/games/english/reader.ts';
import type { Heard } from './understand.ts';
import { type DirectQuestion, nameIn, questionsTo, subjectOf } from './direct-question.ts';
import { japaneseQuestionsTo } from './japanese/direct-question.ts';

/** The gist of a speech, as a strategy reads it. */
export interface Gist {
  /** Whom it speaks against, and for. */
  readonly against: readonly Seat[];
  readonly favour?: readonly Seat[];
  /** Whether it claims a role or a result. */
  readonly isClaim?: boolean;
}

/** Reads the gist of a speech. */
export type Listener = (heard: Heard) => Gist;
/** What a game hears by. */
export interface Ears {
  readonly gist: Listener;
  understand(heard: Heard): readonly Act[];
}

/** Something that the seat may react to when it speaks next. */
export type Cue =
  | { readonly is: 'protest' | 'thanks' | 'claimHeard' | 'confessed'; readonly by: Seat }
  | { readonly is: 'opinion'; readonly by: Seat; readonly about: Seat };

/** What a seat remembers of the public talk, besides what its strategy records. JSON. */
export interface Hearing {
  /** Whether the table's times are those for people. */
  readonly isForPeople: boolean;
  readonly phase: string;
  /** When the seat first thought in this phase. */
  readonly since: Instant;
  /** The speeches of the last phase in which there was one, by seat, and who spoke last. */
  readonly talk: { readonly phase: string; readonly by: { readonly [by: Seat]: number }; readonly last?: Seat };
  /** The last speeches: of anybody, and its own. */
  readonly texts: readonly string[];
  /** The last two, with their speakers. */
  readonly before?: readonly Line[];
  readonly own: readonly string[];
  /** Lines that were read in their room, and arrive again as events. */
  readonly read: readonly string[];
  /** Questions to it that it has not answered. */
  readonly asked: readonly DirectQuestion[];
  /** For whom it has ever voted in public; who has claimed something. */
  readonly ownVotes: readonly Seat[];
  readonly claimants: readonly Seat[];
  /** The public votes of a phase as they stand, by voter, and which was cast last, after how many lines. */
  readonly ballots: {
    readonly phase: string;
    readonly by: { readonly [by: Seat]: Seat };
    readonly last?: { readonly by: Seat; readonly about: Seat; readonly before?: Seat; readonly line: number };
  };
  readonly cues: readonly Cue[];
  /** A vote or a speech that somebody has just told of. */
  readonly reported?: { readonly by: Seat; readonly of: Seat; readonly about: Seat; readonly isSaid?: boolean };
  /** Whom it has named last as its suspect. */
  readonly named?: Seat;
  readonly dead: readonly Seat[];
  /** Who has died since it spoke last. */
  readonly mourned: readonly Seat[];
  /** How many questions it has put to others in this phase. */
  readonly questions: number;
}

export const newHearing: Hearing = {
  isForPeople: false,
  phase: '',
  since: 0,
  talk: { phase: '', by: {} },
  texts: [],
  own: [],
  read: [],
  asked: [],
  ownVotes: [],
  claimants: [],
  ballots: { phase: '', by: {} },
  cues: [],
  dead: [],
  mourned: [],
  questions: 0,
};

export const KEPT = { texts: 16, textsForPeople: 60, own: 12, read: 60, asked: 8, cues: 6 };
const TOLD = /\b(?:voted|says?|said|claim(?:s|ed)?)\b/i;
/** Why somebody is suspected, asked without a name before it. */
const WHY = /^\W*(?:but |and )?why \S+\W*$/i;
const PRIVATE = /(^|\/)night|Hideout|whisper/i;

/** Begins a phase, notes who has died, and takes in the news. */
export function listen(before: Hearing, moment: Moment, ears: Ears): Hearing {
  const heard = moment.news.reduce((hearing, news) => hearNews(hearing, news, moment, ears), before);
  const dead = moment.players.flatMap(({ seat, alive }) => (alive ? [] : [seat]));
  const fresh = dead.filter((seat) => !heard.dead.includes(seat));
  const then: Hearing = fresh.length
    ? {
        ...heard,
        dead,
        mourned: [...heard.mourned, ...fresh],
        asked: heard.asked.filter(({ by, about }) => !fresh.includes(by) && (about === undefined || !fresh.includes(about))),
        cues: heard.cues.filter((cue) => !fresh.includes(cue.by) && !('about' in cue && fresh.includes(cue.about))),
      }
    : heard;
  return then.phase === moment.phase ? then : { ...then, phase: moment.phase, since: moment.now, questions: 0 };
}

/** How often a seat has spoken in a phase. */
export const speechesOf = ({ talk }: Hearing, phase: string, seat: Seat): number => (talk.phase === phase ? (talk.by[seat] ?? 0) : 0);

/** The speeches of a phase: of all, and of a seat. */
export function linesIn({ talk }: Hearing, phase: string): { readonly all: number; of(seat: Seat): number } {
  const by = talk.phase === phase ? talk.by : {};
  return { all: Object.values(by).reduce((sum, count) => sum + count, 0), of: (seat) => by[seat] ?? 0 };
}

/** What was said since it spoke last. */
export const unansweredIn = ({ texts, own }: Hearing): readonly string[] => texts.slice(texts.lastIndexOf(own.at(-1) ?? '') + 1);

/** Whether somebody has named a seat or asked it something, and it has not spoken since. */
export function isAddressed(hearing: Hearing, seat: Seat, players: Moment['players']): boolean {
  const name = nameIn(players[seat]!.name);
  return hearing.asked.length > 0 || unansweredIn(hearing).some((text) => name.test(text));
}

function hearNews(hearing: Hearing, news: News, moment: Moment, ears: Ears): Hearing {
  const { seat: me } = moment;
  const { event, by, speech, says, room, line } = news;
  if (event?.type === 'opened') {
    const { options } = event['opening'] as { readonly options: { readonly [name: string]: unknown } };
    return { ...hearing, isForPeople: options['pace'] === 'people' };
  }
  if (event?.type === 'began') return { ...newHearing, isForPeople: hearing.isForPeople };
  const id = (event?.['question'] ?? room) as unknown;
  if (typeof id !== 'string' || PRIVATE.test(id)) return hearing;
  if (event?.type === 'settled' && stepOf(id) === 'vote')
    return (event['answers'] as readonly Answer[]).reduce((after, one) => hearVote(after, one, phaseOf(id), me), hearing);
  const key = line === undefined ? undefined : `${id} ${line}`;
  if (by === undefined || (key !== undefined && hearing.read.includes(key))) return hearing;
  const then = key === undefined ? hearing : { ...hearing, read: [...hearing.read, key].slice(-KEPT.read) };
  if (says) return ['vote', 'Village'].includes(stepOf(id)) ? hearVote(then, { by, says }, phaseOf(id), me) : then;
  return speech === undefined ? then : hearSpeech(then, [by, speech], phaseOf(id), moment, ears);
}

function hearVote(hearing: Hearing, { by, says: [option = ''] }: Answer, phase: string, me: Seat): Hearing {
  if (!option.startsWith('seat:')) return hearing;
  const about = seatOf(option);
  const votes = hearing.ballots.phase === phase ? hearing.ballots.by : {};
  const before = votes[by];
  const last =
    before === about ? hearing.ballots.last : { by, about, line: linesIn(hearing, phase).all, ...(before === undefined ? {} : { before }) };
  return {
    ...hearing,
    ballots: { phase, by: { ...votes, [by]: about }, ...(last ? { last } : {}) },
    ownVotes: by === me && !hearing.ownVotes.includes(about) ? [...hearing.ownVotes, about] : hearing.ownVotes,
  };
}

function hearSpeech(
  hearing: Hearing,
  [by, speech]: readonly [by: Seat, speech: string],
  phase: string,
  { seat: me, players }: Moment,
  ears: Ears,
): Hearing {
  const names = players.map(({ name }) => name);
  const { before = [] } = hearing;
  const said = hearing.talk.phase === phase ? hearing.talk.by : {};
  const then: Hearing = {
    ...hearing,
    talk: { phase, by: { ...said, [by]: (said[by] ?? 0) + 1 }, last: by },
    texts: [...hearing.texts, speech].slice(hearing.isForPeople ? -KEPT.textsForPeople : -KEPT.texts),
    before: [...before, { by, text: speech }].slice(-2),
  };
  const heard = { speech, by, names, before };
  const meaning = ears.gist(heard);
  if (by === me) return hearOwn({ ...then, claimants: claimantsAfter(then, by, meaning) }, speech, names, meaning);
  const against = meaning.against.filter((seat) => seat !== by);
  const other = against.find((seat) => seat !== me);
  const named = [...questionsTo(me, speech, by, names), ...japaneseQuestionsTo(me, speech, by, names)];
  const acts = ears.understand(heard);
  const questions = named.length ? named : questionsIn(acts, heard, hearing, { me, players });
  const report = TOLD.test(speech) && !/n't|\bnot\b|\bnever\b/i.test(speech) ? acts.find((one) => one.act === 'reports') : undefined;
  const isConfession = acts.some((one) => one.act === 'claims-role' && one.role === 'werewolf');
  const cues: Cue[] = [
    ...(other === undefined ? [] : [{ is: 'opinion', by, about: other } as const]),
    ...(meaning.favour?.includes(me) ? [{ is: 'thanks', by } as const] : []),
    ...(isConfession && isChosen(speech, by, me, players) ? [{ is: 'confessed', by } as const] : []),
    ...(meaning.isClaim && !isConfession && !then.claimants.includes(by) ? [{ is: 'claimHeard', by } as const] : []),
    ...(against.includes(me) ? [{ is: 'protest', by } as const] : []),
  ];
  return {
    ...then,
    asked: [...then.asked, ...questions].slice(-KEPT.asked),
    claimants: claimantsAfter(then, by, meaning),
    cues: [...then.cues, ...cues].slice(-KEPT.cues),
    // one has mourned for all
    mourned: then.mourned.filter((seat) => !speech.includes(names[seat]!)),
    ...(report ? { reported: { by, of: report.of, about: report.about, isSaid: !/\bvoted\b/i.test(speech) } } : {}),
  };
}

/** What it has said itself is done: those who asked are answered, and what it heard has had its reaction. */
function hearOwn(hearing: Hearing, speech: string, names: readonly string[], { against }: Gist): Hearing {
  const { reported: _, ...then } = hearing;
  const suspect = against[0];
  return {
    ...then,
    own: [...hearing.own, speech].slice(-KEPT.own),
    asked: hearing.asked.filter(({ by }) => !speech.includes(names[by]!)),
    cues: [],
    mourned: hearing.mourned.filter((seat) => !speech.includes(names[seat]!)),
    ...(suspect === undefined ? {} : { named: suspect }),
  };
}

/** Questions without its name: to it by the words, and where people sit those to all that one of the living answers. */
function questionsIn(
  acts: readonly Act[],
  { speech, by, names }: Heard,
  { isForPeople, named, ballots }: Hearing,
  { me, players }: { readonly me: Seat; readonly players: Moment['players'] },
): readonly DirectQuestion[] {
  const isAsked = acts.some((one) => one.act === 'asks' && one.about === me);
  if (!isAsked && !isForPeople) return [];
  const question: DirectQuestion = { by, ...subjectOf(speech, me, by, names) };
  const { subject, about } = question;
  // `why Leo?` is for those who are against Leo
  if (isForPeople && subject === 'why' && about !== undefined && about !== by && WHY.test(speech))
    return named === about || ballots.by[me] === about ? [question] : [];
  if (isAsked) return [/^\W*[\p{L}-]+\W*\?\s*$/u.test(speech) ? { by, subject: 'suspect' } : question];
  if (question.subject !== 'suspect' || !acts.some(({ act }) => act === 'asks-all')) return [];
  return isChosen(speech, by, me, players) ? [question] : [];
}

/** Whether it is the one of the living who answers a speech to all. */
function isChosen(speech: string, by: Seat, me: Seat, players: Moment['players']): boolean {
  const others = players.filter(({ seat, alive }) => alive && seat !== by);
  return others[speech.length % Math.max(1, others.length)]?.seat === me;
}

const claimantsAfter = ({ claimants }: Hearing, by: Seat, { isClaim = false }: Gist): readonly Seat[] =>
  isClaim && !claimants.includes(by) ? [...claimants, by] : claimants;
