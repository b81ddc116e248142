import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Event, Question, RetryingClient } from './retrying-client.ts';

/** Something that a person said, in words that nobody says twice, and what the door told of it. */
export interface Deed {
  readonly table: string;
  readonly seat: number;
  readonly text: string;
  /** 0: nobody has told. */
  readonly status: number;
  readonly reason: string | undefined;
}

/** What a person did at a table and was shown of it. */
export interface SimulatedPerson {
  readonly table: string;
  readonly seat: number;
  readonly deeds: Deed[];
  /** The numbers of the events that the streams brought, in the order they came. */
  readonly seen: number[];
  isOver: boolean;
}

export interface Sitting {
  readonly client: RetryingClient;
  readonly table: string;
  /** Nobody else at the table has it. */
  readonly name: string;
  readonly adminToken: string;
  readonly dice: Dice;
  readonly signal: AbortSignal;
}

/** How long somebody tries to be let in, or to be heard, in milliseconds. */
const PATIENCE_MS = 20_000;
/** One choice in this many is not among the options. */
const WRONG = 8;
/** One rest in this many is spent away, while a mind plays the seat. */
const AWAY = 60;

/**
 * Joins a table and plays what it is asked, until the table is over. Undefined when it was not let in: the Lobby did not wait.
 * What it says is different each time, so that every line on the tape can be told from every other.
 */
export async function playAsPerson({ client, table, name, adminToken, dice, signal }: Sitting): Promise<SimulatedPerson | undefined> {
  const joined = await client.post(`/tables/${table}/seats`, { name }, adminToken, PATIENCE_MS);
  if (joined.status !== 201) return undefined;
  const { seat, token } = joined.body as { seat: number; token: string };
  const person: SimulatedPerson = { table, seat, deeds: [], seen: [], isOver: false };
  const done = new Set<string>();
  let open: readonly Question[] = [];
  let said = 0;
  let hasLeft = false;

  const post = (deed: string, body: unknown) => client.post(`/tables/${table}/${deed}`, body, token, PATIENCE_MS);

  async function speak(deed: 'speech' | 'whispers', body: (text: string) => unknown): Promise<void> {
    const text = `${name} says ${++said} at ${table}`;
    const { status, body: told } = await post(deed, body(text));
    person.deeds.push({ table, seat, text, status, reason: (told as { reason?: string } | undefined)?.reason });
  }

  async function answer({ id, verb, options, pick, room, final }: Question): Promise<void> {
    if (final) done.add(id);
    if (verb === 'choose') {
      const wrong = dice.below(WRONG) === 0;
      const says = dice.shuffle(options.map(({ is }) => is)).slice(0, pick);
      if (wrong) await post('acts', { question: id, says: says.map(() => 'seat:98') });
      await post('acts', { question: id, says });
    } else if (verb === 'say') {
      const whole = room ?? 'Village';
      await speak('speech', (text) => ({ room: dice.below(3) ? whole : whole.slice(whole.lastIndexOf('/') + 1), text }));
    } else if (options.length) {
      const to = options[dice.below(options.length)]!.is;
      await speak('whispers', (text) => ({ to, text }));
    }
  }

  async function act(): Promise<void> {
    while (!hasLeft && !signal.aborted) {
      await sleep(80 + dice.below(500));
      const may = open.filter((question) => !done.has(question.id) && question.until > Date.now());
      if (may.length) await answer(may[dice.below(may.length)]!);
      if (dice.below(AWAY) > 0) continue;
      await post('leave', {});
      await sleep(dice.below(3_000));
      await post('return', {});
    }
  }

  async function watch(): Promise<void> {
    for await (const event of client.follow(table, token) as AsyncGenerator<Event>) {
      if (event.event === 'seen') person.seen.push(event.n);
      else if (event.event === 'asked') open = event.asked;
      else person.isOver = true;
    }
  }

  await Promise.all([watch().finally(() => (hasLeft = true)), act()]);
  return person;
}
