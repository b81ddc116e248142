import { isDeepStrictEqual } from 'node:util';
import { ROLES as AIWOLF } from '@maw/games/aiwolf/state.ts';
import { ROLES as AVALON } from '@maw/games/avalon/state.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { match } from '@maw/games/match/match.ts';
import type { Opening } from '@maw/games/match/state.ts';
import { ROLES as MAW } from '@maw/games/maw/state.ts';
import { CARDS as ONUW } from '@maw/games/onuw/state.ts';
import { isTableEvent, play } from '@maw/games/kernel/play.ts';
import { type Answer, type Eye, isAmong, type Open, phaseOf, type Question } from '@maw/games/kernel/question.ts';
import { ROLES as WEREWOLF_7 } from '@maw/games/werewolf-7/state.ts';
import type { ObservedMessage } from './wiretap.ts';
import { type Evidence, MARK } from './observed-game.ts';

/** The names of roles and cards in any game. */
const WORDS = [...new Set<string>([...MAW, ...AIWOLF, ...AVALON, ...ONUW, ...WEREWOLF_7])];
const ROLE = new RegExp(`\\b(${WORDS.join('|')})\\b`, 'gi');
/** Names that contain such a word but reveal nothing, such as those of the games. */
const NAMES = new RegExp(catalogue.map(({ name }) => name).join('|'), 'g');
/** The reasons a model gives. */
const REASON = /Because of \d+ things/g;
/** Prompt lines of at least this length do not occur elsewhere by chance. */
const LEAST_LINE = 30;

/** Who reads a message: everybody, one seat or the audience, or only those who must know everything. */
type Reader = Eye | 'everybody' | 'trusted';

interface Read {
  readonly type: string;
  readonly reader: Reader;
  readonly data: { readonly [field: string]: unknown };
  readonly body: string;
  /** The position on the tape that it follows from, where it says so. */
  readonly sequence: number | undefined;
}

/** The line that a doorbell carries. */
interface Said {
  readonly text: string;
}

interface Seen {
  readonly n: number;
  readonly event: { readonly type: string };
}

/** Everything that a reader could see but may not know, as sentences; empty when all is well. */
export function findLeaks(evidence: Evidence): readonly string[] {
  const { heard, tape, spans, lines, metrics, table } = evidence;
  const truth = truthOf(evidence);
  const found: string[] = [];
  const readings = read(heard);
  for (const { type, reader, data, body, sequence } of readings) {
    if (reader === 'trusted' || reader === 'narrator') continue;
    const says = (what: string): void =>
      void found.push(`${type} for ${reader === 'everybody' ? reader : `eye ${reader}`} tells ${what}: ${body.slice(0, 1_000)}`);
    if (reader === 'everybody') {
      for (const word of roles(body)) says(`of a ${word}`);
      for (const mark of marks(body)) says(`what was said: ${mark}`);
      for (const id of truth.secret) if (body.includes(`"${id}"`)) says(`of the secret question ${id}`);
    } else {
      const known = truth.knownTo(reader, data, sequence);
      for (const mark of marks(body)) if (!known.marks.has(mark) && !mark.startsWith(`mk${reader}x`)) says(`what it may not hear: ${mark}`);
      for (const { n, event } of eventsIn(data))
        if (!isDeepStrictEqual(known.events[n - 1], event)) says(`event ${n} otherwise than it may be seen`);
      const { brief, players, summary, alive, life, closed, lines: page, said } = data;
      // A sentence of the game may name a role that no event does, as when every werewolf is dead.
      const hidden = said !== undefined && !known.latest.includes((said as Said).text) ? said : undefined;
      for (const word of roles(JSON.stringify([brief, players, summary, alive, life, closed, page, hidden])))
        if (!known.words.has(word)) says(`of a ${word}`);
      if (hidden !== undefined) says('a line that it may not read');
    }
    if (!type.startsWith('llm.')) for (const [reason] of body.matchAll(REASON)) says(`why a mind did it: ${reason}`);
  }
  // Operators read these, and an operator may be playing.
  const prompts = promptLines(readings);
  for (const [where, texts] of [
    ['span', spans],
    ['log', lines],
    ['metric', metrics.split('\n').filter((line) => !line.startsWith('#'))],
  ] as const)
    for (const text of texts) {
      const plain = text.replaceAll('\\n', '\n');
      for (const word of roles(text)) found.push(`a ${where} tells of a ${word}: ${text.slice(0, 500)}`);
      for (const mark of marks(text)) found.push(`a ${where} tells what was said: ${mark}`);
      for (const [reason] of text.matchAll(REASON)) found.push(`a ${where} tells why a mind did it: ${reason}`);
      for (const line of prompts) if (plain.includes(line)) found.push(`a ${where} tells of a prompt: ${line}`);
      for (const id of truth.secret)
        if (text.includes(id)) found.push(`a ${where} tells of the secret question ${id}: ${text.slice(0, 500)}`);
    }
  found.push(...seatsInPhases(spans, truth.secretPhases));
  if (!tape.some(({ event }) => event.type === 'closed')) found.push(`${table} has not come to its end: nothing is known of it`);
  return found;
}

interface Span {
  readonly trace: string;
  readonly linked: readonly string[];
  readonly attributes: { readonly 'maw.phase'?: string; readonly 'maw.seat'?: number };
}

/**
 * A seat asked by night has a role. So no span with a phase may be linked to one with a seat, and phases of secret questions must not appear.
 */
function seatsInPhases(spans: readonly string[], secret: ReadonlySet<string>): readonly string[] {
  const all = spans.map((text) => JSON.parse(text) as Span);
  const withSeat = new Set(all.flatMap(({ trace, attributes }) => (attributes['maw.seat'] === undefined ? [] : [trace])));
  return all.flatMap(({ trace, linked, attributes: { 'maw.phase': phase } }) => {
    if (phase === undefined) return [];
    const isNear = [trace, ...linked].some((one) => withSeat.has(one));
    return [
      ...(isNear ? [`a span tells of a seat in ${phase}`] : []),
      ...(secret.has(phase) ? [`a span tells of the secret ${phase}`] : []),
    ];
  });
}

const roles = (text: string): string[] => [...text.replaceAll(NAMES, '').matchAll(ROLE)].map(([word]) => word.toLowerCase());
const marks = (text: string): string[] => [...text.matchAll(MARK)].map(([mark]) => mark);

/** One event as an eye may see it, and what it reveals. */
interface Shown {
  readonly sequence: number;
  readonly event: unknown;
  readonly marks: readonly string[];
  readonly words: readonly string[];
  /** What the event puts into rooms that the eye may read: speech, and sentences. */
  readonly lines: readonly string[];
}

/** What each eye may know and when, by the rules alone, and the questions that not everybody may know of. */
function truthOf({ tape, set }: Evidence) {
  const { opening } = tape[0]!.event as unknown as { readonly opening: Opening };
  const rules = match(set.rules(opening.seats.length, opening.options));
  const game = play(rules);
  const eyes: Eye[] = [...opening.seats.keys(), 'audience'];
  const seen = new Map(eyes.map((eye) => [eye, [] as Shown[]]));
  const secret = new Set<string>();
  const open = new Set<string>();
  let standing = game.begin();
  for (const { event, sequence } of tape) {
    const e = event as { readonly type: string };
    if (isTableEvent(e) && e.type === 'asked') (isAmong(e.question, 'audience') ? open : secret).add(e.question.id);
    const after = game.evolve(standing, e);
    const question = isTableEvent(e) && 'question' in e ? openIn(standing, e.question) : undefined;
    const telling = { names: after.game.names.map((name, seat) => name ?? `Seat ${seat}`), ...(question ? { question } : {}) };
    for (const eye of eyes) {
      const shown = game.see(standing, e, eye);
      if (!shown) continue;
      const text = JSON.stringify(shown);
      // Options name roles publicly: that there may be a seer is no secret.
      const words = e.type === 'opened' ? [] : [...roles(text).flatMap((word) => [word, SHOWN_AS[word] ?? word]), ...answersIn(text)];
      const lines = linesOf(shown as ShownEvent, (told) => rules.tell(told as never, telling as never));
      seen.get(eye)!.push({ sequence, event: JSON.parse(text), marks: marks(text), words, lines });
    }
    standing = after;
  }

  /** What an eye knows by the time of a message: up to the tape position it states, or up to the last event it reports. */
  function knownTo(eye: Eye, { seen: page, last }: Read['data'], sequence: number | undefined) {
    const all = seen.get(eye) ?? [];
    const until =
      sequence === undefined
        ? all.slice(0, page !== undefined && typeof last === 'number' ? last : all.length)
        : all.filter((one) => one.sequence <= sequence);
    return {
      events: until.map(({ event }) => event),
      marks: new Set(until.flatMap((one) => one.marks)),
      words: new Set(until.flatMap(({ words }) => words)),
      /** What the event at that very position says to it. */
      latest: all.filter((one) => one.sequence === sequence).flatMap(({ lines }) => lines),
    };
  }
  const openPhases = new Set([...open].map(phaseOf));
  return { knownTo, secret, secretPhases: new Set([...secret].map(phaseOf).filter((phase) => !openPhases.has(phase))) };
}

interface ShownEvent {
  readonly type: string;
  readonly question?: unknown;
  readonly answer?: Answer;
  readonly answers?: readonly Answer[];
  readonly at?: number;
}

const openIn = ({ open }: { readonly open: readonly Open[] }, asked: Question | string): Question | undefined =>
  typeof asked === 'string' ? open.find(({ id }) => id === asked) : asked;

/** The lines of an event as an eye sees it: a speech, a sentence, or one for each answer when a question is settled. */
function linesOf(shown: ShownEvent, tell: (event: object) => string | undefined): readonly string[] {
  const { question, answer, answers = [], at } = shown;
  const announced = answers.map((each) => tell({ type: 'answered', question, answer: each, at }));
  return [tell(shown), answer?.says.length === 1 ? answer.says[0] : undefined, ...announced].filter((line) => line !== undefined);
}

/** The word shown to people for a role that events name otherwise. */
const SHOWN_AS: Readonly<Record<string, string>> = { wolf: 'werewolf' };

/** Roles that an event affirms or denies: that somebody is no wolf contains that word too. */
const answersIn = (text: string): string[] => [
  ...(/"isWolf":|"found":"human"/.test(text) ? ['werewolf'] : []),
  ...(/"isMerlin":|"as":"merlin/.test(text) ? ['merlin'] : []),
  ...(text.includes('"areLovers":') ? ['tristan', 'isolde'] : []),
  ...(text.includes('"as":"merlin-or-morgana"') ? ['morgana'] : []),
];

const eventsIn = (data: Read['data']): readonly Seen[] => [...((data['news'] ?? []) as Seen[]), ...((data['seen'] ?? []) as Seen[])];

/**
 * Every message with its readers. An answer is read by its requester, for the seat requested. A doorbell is for everybody; the lines that it
 * carries are for those who see what the audience sees.
 */
function read(heard: readonly ObservedMessage[]): readonly Read[] {
  const askers = new Map<string, Reader>();
  const sequences = new Map<string, number | undefined>();
  const linesAt = linePositions(heard);
  return heard.flatMap(({ to, parcel }): Read[] => {
    const body = parcel.body.toString();
    const message = JSON.parse(body) as { type: string; id: string; causeid?: string; sequence?: number; data: Read['data'] };
    const { type, data, sequence, causeid = '' } = message;
    sequences.set(message.id, sequence);
    if (type === 'table.moved') {
      const { lines = [], ...doorbell } = data as { readonly lines?: readonly { readonly room: string; readonly line: number }[] };
      return [
        { type, reader: 'everybody', data: doorbell, body: JSON.stringify({ ...message, data: doorbell }), sequence },
        ...lines.map((said): Read => {
          const at = linesAt.get(`${said.room} ${said.line}`) ?? 0;
          return { type, reader: 'audience', data: { said }, body: JSON.stringify(said), sequence: at };
        }),
      ];
    }
    if (type === 'room.line') {
      const { said, ...doorbell } = data;
      const line: Read = { type, reader: 'audience', data: { said }, body, sequence: sequences.get(causeid) ?? 0 };
      return [
        { type, reader: 'everybody', data: doorbell, body: JSON.stringify({ ...message, data: doorbell }), sequence },
        ...(said ? [line] : []),
      ];
    }
    const reader = 'replyQueue' in to ? (askers.get(parcel.correlationId ?? '') ?? 'everybody') : readerOf(type, data);
    if (parcel.replyTo !== undefined && !askers.has(message.id)) askers.set(message.id, forWhom(data));
    return [{ type, reader, data, body, sequence }];
  });
}

/** By room and number: where each line is on the tape. A doorbell may be heard before the line is stored. */
function linePositions(heard: readonly ObservedMessage[]): ReadonlyMap<string, number | undefined> {
  const stored = heard.filter(({ parcel }) => parcel.type === 'room.said');
  return new Map(
    stored.map(({ parcel }) => {
      const { sequence, data } = JSON.parse(parcel.body.toString()) as { sequence?: number; data: Read['data'] };
      return [`${String(data['room'])} ${String(data['line'])}`, sequence];
    }),
  );
}

/** Who receives a message of this type, and for whom. The gamemaster and the chatroom keep the secrets. */
function readerOf(type: string, data: Read['data']): Reader {
  if (type === 'seat.decide' || type === 'seat.invited' || type === 'llm.complete' || type === 'llm.embed') return forWhom(data);
  return /^(table\.moved|room\.line|llm\.)/.test(type) ? 'everybody' : 'trusted';
}

function forWhom({ seat, eye, agent }: Read['data']): Reader {
  const of = seat ?? eye ?? (typeof agent === 'string' ? Number(agent.slice(agent.lastIndexOf(':') + 1)) : undefined);
  return (of as Eye | undefined) ?? 'everybody';
}

/** What minds were told and asked, line by line. */
function promptLines(readings: readonly Read[]): readonly string[] {
  const contents = readings
    .filter(({ type }) => type === 'llm.complete')
    .flatMap(({ data }) => (data['messages'] as { content: string }[]).map(({ content }) => content));
  return [
    ...new Set(
      contents
        .flatMap((content) => content.split('\n'))
        .map((line) => line.trim())
        .filter((line) => line.length >= LEAST_LINE),
    ),
  ];
}
