import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type ContractName, type Message, type ReplyData } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import type { DrivenClock } from './driven-clock.ts';

export type Asking = ReplyData<'table.view'>['asked'][number];
export type SeenEvent = ReplyData<'table.view'>['seen'][number]['event'];

/** What a person with a script has seen. */
export interface Sight {
  readonly seat: number;
  /** By seat. */
  readonly names: readonly string[];
  readonly events: readonly SeenEvent[];
  readonly dice: Dice;
}

/** How a person plays; where nothing is told, it does as anybody would. */
export interface Script {
  /** What it says next in a question of talk. @param said how often it has spoken there; undefined: nothing for now */
  says(question: Asking, sight: Sight, said: number): string | undefined;
  chooses(question: Asking, sight: Sight): readonly string[] | undefined;
}

/** How fast a person is. */
const WORDS_PER_MINUTE = 250;
const CHARACTERS_PER_MINUTE = 200;
const MINUTE = 60_000;
/** How long a request of the person may take. */
const REPLY_MS = 60_000;

export const readingMs = (text: string): number => (text.split(/\s+/).length / WORDS_PER_MINUTE) * MINUTE;
export const typingMs = (text: string): number => ([...text].length / CHARACTERS_PER_MINUTE) * MINUTE;

interface PersonOptions {
  readonly bus: Bus;
  readonly clock: DrivenClock;
  readonly table: string;
  readonly seat: number;
  readonly seed: string;
  readonly signal: AbortSignal;
  readonly script?: Script;
}

interface PersonState extends PersonOptions {
  readonly dice: Dice;
  /** The questions that the person has answered. */
  readonly answered: Set<string>;
  /** How often it has spoken, by question. */
  readonly spoken: Map<string, number>;
  events: readonly SeenEvent[];
  names: readonly string[];
  seen: number;
  messages: number;
}

/**
 * A person at a table, who reads everything that is shown, a word after another, and types an answer to everything that is asked, a letter after
 * another; in free talk once, and then a vote, after which it is ready. Ends with the table.
 */
export async function playAsPerson(options: PersonOptions): Promise<void> {
  const start = { answered: new Set<string>(), spoken: new Map<string, number>(), events: [], names: [], seen: 0, messages: 0 };
  const person: PersonState = { ...options, dice: diceOf(options.seed, 'person'), ...start };
  const { bus, clock, table, signal } = person;
  let news = new AbortController();
  const subscription = await bus.subscribe(['table.moved', 'room.line'], async ({ subject }) => {
    if (subject === table) news.abort();
  });
  try {
    for (;;) {
      news = new AbortController();
      const view = await viewOf(person);
      if (view.summary.stage === 'over') return;
      const unread = view.seen.flatMap(({ text, event }) => (text === undefined || isOwn(event, person.seat) ? [] : [text]));
      if (unread.length) await clock.sleep(readingMs(unread.join(' ')), signal);
      else if (!(await answerNext(person, view.asked))) await clock.sleep(MINUTE, signal, news.signal);
    }
  } finally {
    await subscription.stop();
  }
}

const isOwn = (event: { readonly type: string; readonly [field: string]: unknown }, seat: number): boolean =>
  event.type === 'answered' && (event['answer'] as { readonly by: number }).by === seat;

async function viewOf(person: PersonState): Promise<ReplyData<'table.view'>> {
  const reply = await request(person, 'table.view', { eye: person.seat, after: person.seen, limit: 1000 });
  if (reply.performative !== 'inform') throw new Error(JSON.stringify(reply.data));
  const view = reply.data as ReplyData<'table.view'>;
  person.seen += view.seen.length;
  person.events = [...person.events, ...view.seen.map(({ event }) => event)];
  person.names = view.summary.players.map(({ name }) => name ?? '');
  return view;
}

/** Types the next answer that the person owes, and sends it. Returns whether there was one. */
async function answerNext(person: PersonState, asked: readonly Asking[]): Promise<boolean> {
  const open = asked.filter(({ id, verb }) => verb !== 'tell' && !person.answered.has(id));
  for (const question of open.toSorted((a, b) => urgencyOf(b) - urgencyOf(a)))
    if (await (question.verb === 'say' ? speak(person, question) : choose(person, question))) return true;
  return false;
}

/** Speeches come first, after what a person wants to know before it speaks. */
const urgencyOf = ({ id, verb }: Asking): number => (stepOf(id) === 'inspect' ? 2 : verb === 'say' ? 1 : 0);

async function speak(person: PersonState, question: Asking): Promise<boolean> {
  const { clock, seat, answered, signal, script, spoken } = person;
  const { id, room } = question;
  const said = spoken.get(id) ?? 0;
  const text = script ? script.says(question, person, said) : speechFor(question);
  if (text === undefined) return false;
  if (!script) answered.add(id);
  spoken.set(id, said + 1);
  await clock.sleep(typingMs(text), signal);
  await request(person, 'room.speak', { room: room!, seat, text });
  return true;
}

async function choose(person: PersonState, question: Asking): Promise<boolean> {
  const { clock, seat, answered, signal, script } = person;
  const { id } = question;
  answered.add(id);
  const says = script?.chooses(question, person) ?? choiceFor(question, person);
  await clock.sleep(typingMs(`/${stepOf(id)} ${says.join(', ')}`), signal);
  await request(person, 'table.act', { seat, question: id, says });
  if (question.graceMs === undefined || script) return true;
  await clock.sleep(typingMs('/ready'), signal);
  await request(person, 'table.act', { seat, question: id, says: [] });
  return true;
}

/** Short by night, when time is. */
const speechFor = ({ options, secret }: Asking): string =>
  options.at(-1)?.is ??
  (secret ? 'Whom do we take?' : 'I am not sure yet. Who has looked at how the others voted, and what do you make of it?');

/** Good where that is a word, else anybody but the person. */
function choiceFor({ options, pick }: Asking, { seat, dice }: PersonState): string[] {
  const word = options.find(({ is }) => /^(approve|success)$/.test(is));
  if (word) return [word.is];
  const others = options.map(({ is }) => is).filter((is) => is !== `seat:${seat}`);
  return dice.shuffle(others.length < pick ? options.map(({ is }) => is) : others).slice(0, pick);
}

function request<N extends ContractName>(person: PersonState, name: N, data: object): Promise<Reply<ReplyData<N>>> {
  const { bus, clock, table, seat } = person;
  const id = `${table}:${seat}:${++person.messages}`;
  const about = { id, source: 'web', subject: table, at: clock.now(), replyBy: clock.now() + REPLY_MS };
  return bus.request(contracts.write(name, data as never, about) as unknown as Message<N>);
}
