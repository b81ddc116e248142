import { isDeepStrictEqual } from 'node:util';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';

/** Everything that was said under one id, by anybody; most ids are used once. */
export type Said = ReadonlyMap<string, readonly Message[]>;

/** Bodies that have been read: each is looked at more than once. */
const read = new WeakMap<Buffer, Message | undefined>();

/** The message in a body; undefined when it is none. */
export function messageIn(body: Buffer): Message | undefined {
  if (!read.has(body)) read.set(body, readFrom(body));
  return read.get(body);
}

function readFrom(body: Buffer): Message | undefined {
  try {
    return contracts.read(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    return undefined;
  }
}

type Events = readonly { readonly type: string }[];

/**
 * Why a tape may not be as it is; nothing when all of it, after the first `known` events, follows from what was said by the pure rules: each
 * append was caused by a message about this table, and is what the rules make of it.
 */
export function illegal(table: string, tape: readonly RecordedEvent[], known: number, said: Said): readonly string[] {
  const wrong: string[] = [];
  for (let from = known; from < tape.length;) {
    const { cause, at, sequence } = tape[from]!;
    let to = from;
    while (tape[to]?.cause === cause) to++;
    const written = tape.slice(from, to).map(({ event }) => event);
    const causes = (said.get(cause) ?? []).filter(({ subject }) => subject === table);
    const isLegal = causes.some((message) => isMadeOf(table, tape.slice(0, from), message, at, written));
    if (!isLegal)
      wrong.push(
        `${table}: event ${sequence} (${written.map(({ type }) => type).join(', ')}) follows from nothing that was said: under ${cause} ` +
          `there is ${causes.map((message) => JSON.stringify(message).slice(0, 300)).join(' and ') || 'no message about this table'}`,
      );
    from = to;
  }
  return wrong;
}

/** Whether these events are what the rules make of a message at the moment they are dated, given the tape before it. */
function isMadeOf(table: string, before: readonly RecordedEvent[], message: Message, at: number, written: Events): boolean {
  if (message.type === 'table.open') return !before.length && written[0]?.type === 'opened'; // its dice are the gamemaster's
  if (!before.length) return false;
  const { state: ledger } = fromTape(table, before, catalogue);
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(made(ledger, message, at))), written)) return true;
  // A refusal changes nothing, and not all are the rules': the seat is empty, the choice stands already.
  if (message.type !== 'table.act' || !isRefusalOf(message, written.at(-1))) return false;
  const due = ledger.game.tick(ledger.standing, at, ledger.standing.game.opening.seed);
  return isDeepStrictEqual(JSON.parse(JSON.stringify(due)), written.slice(0, -1));
}

const isRefusalOf = ({ data }: Message, event: { readonly type: string } | undefined): boolean => {
  const { seat, question } = data as { seat?: number; question?: string };
  const refused = event as { type: string; seat?: number; question?: string } | undefined;
  return refused?.type === 'refused' && refused.seat === seat && refused.question === question;
};

/** What the rules make of a message at a moment; nothing when they refuse it. */
function made({ game, standing, rules }: ReturnType<typeof fromTape>['state'], message: Message, at: number): Events {
  const { seed } = standing.game.opening;
  try {
    if (message.type === 'table.join') return rules.join(standing.game, message.data.seat, message.data.name, at);
    if (message.type === 'table.hand') return rules.hand(standing.game, message.data.seat, message.data.to);
    if (message.type === 'table.tick') return game.tick(standing, at, seed);
    if (message.type !== 'table.act') return [];
    const { seat, question, says } = message.data;
    return game.act(standing, question, { by: seat, says }, at, seed);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
