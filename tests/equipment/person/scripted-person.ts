import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type ContractName, type Message, type ReplyData } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import type { DrivenClock } from './driven-clock.ts';

type Asking = ReplyData<'table.view'>['asked'][number];

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
}

interface PersonState extends PersonOptions {
  readonly dice: Dice;
  /** The questions that the person has answered. */
  readonly answered: Set<string>;
  seen: number;
  messages: number;
}

/**
 * A person at a table, who reads everything that is shown, a word after another, and types an answer to everything that is asked, a letter after
 * another; in free talk once, and then a vote. Ends with the table.
 */
export async function playAsPerson(options: PersonOptions): Promise<void> {
  const person: PersonState = { ...options, dice: diceOf(options.seed, 'person'), answered: new Set(), seen: 0, messages: 0 };
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
  return view;
}

/** Types the next answer that the person owes, and sends it. Returns whether there was one. */
async function answerNext(person: PersonState, asked: readonly Asking[]): Promise<boolean> {
  const { clock, seat, answered, signal } = person;
  const open = asked.filter(({ id, verb }) => verb !== 'tell' && !answered.has(id));
  const question = open.find(({ verb }) => verb === 'say') ?? open[0];
  if (!question) return false;
  const { id, room } = question;
  answered.add(id);
  if (question.verb === 'say') {
    const text = speechFor(question);
    await clock.sleep(typingMs(text), signal);
    await request(person, 'room.speak', { room: room!, seat, text });
  } else {
    const says = choiceFor(question, person);
    await clock.sleep(typingMs(`/${stepOf(id)} ${says.join(', ')}`), signal);
    await request(person, 'table.act', { seat, question: id, says });
  }
  return true;
}

const speechFor = ({ options }: Asking): string =>
  options.at(-1)?.is ?? 'I am not sure yet. Who has looked at how the others voted, and what do you make of it?';

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
