import { isDeepStrictEqual } from 'node:util';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { abortTable, pauseTable, resumeTable } from '@maw/games/match/operate.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';

/** Commands by id; several may share one. */
export type Commands = ReadonlyMap<string, readonly Message[]>;

/** A cache: each body is parsed more than once. */
const read = new WeakMap<Buffer, Message | undefined>();

/** Undefined when the body is no valid message. */
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
 * Checks the events after the first `known` ones against the pure rules: a command to this table must cause each append, and the append
 * must be what the rules derive from it. Returns what is wrong.
 */
export function illegalEvents(table: string, tape: readonly RecordedEvent[], known: number, commands: Commands): readonly string[] {
  const wrong: string[] = [];
  for (let from = known; from < tape.length;) {
    const { cause, at, sequence } = tape[from]!;
    let to = from;
    while (tape[to]?.cause === cause) to++;
    const written = tape.slice(from, to).map(({ event }) => event);
    const causes = (commands.get(cause) ?? []).filter(({ subject }) => subject === table);
    const isLegal = causes.some((message) => isDerived(table, tape.slice(0, from), message, at, written));
    if (!isLegal)
      wrong.push(
        `${table}: event ${sequence} (${written.map(({ type }) => type).join(', ')}) follows from no command: with id ${cause} ` +
          `there is ${causes.map((message) => JSON.stringify(message).slice(0, 300)).join(' and ') || 'no message about this table'}`,
      );
    from = to;
  }
  return wrong;
}

/** Whether the rules derive these events from the command at this time, given the tape before. */
function isDerived(table: string, before: readonly RecordedEvent[], message: Message, at: number, written: Events): boolean {
  if (message.type === 'table.open') return !before.length && written[0]?.type === 'opened'; // seeded by the gamemaster
  if (!before.length) return false;
  if (message.type === 'table.assign') return written.length === 1 && written[0]!.type === 'assigned'; // checked against the recipes
  const { state: ledger } = fromTape(table, before, catalogue);
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(derive(ledger, message, at))), written)) return true;
  // A refusal changes nothing, and some come from the gamemaster itself: an empty seat, an unchanged choice.
  if (message.type !== 'table.act' || !isRefusalOf(message, written.at(-1))) return false;
  const due = ledger.game.tick(ledger.standing, at, ledger.standing.game.opening.seed);
  return isDeepStrictEqual(JSON.parse(JSON.stringify(due)), written.slice(0, -1));
}

const isRefusalOf = ({ data }: Message, event: { readonly type: string } | undefined): boolean => {
  const { seat, question } = data as { seat?: number; question?: string };
  const refused = event as { type: string; seat?: number; question?: string } | undefined;
  return refused?.type === 'refused' && refused.seat === seat && refused.question === question;
};

/** Empty when the rules refuse the command. */
function derive({ game, standing, rules }: ReturnType<typeof fromTape>['state'], message: Message, at: number): Events {
  const { seed } = standing.game.opening;
  try {
    if (message.type === 'table.join') return rules.join(standing.game, message.data.seat, message.data.name, at);
    if (message.type === 'table.hand') {
      const handed = rules.hand(standing.game, message.data.seat, message.data.to);
      return [...handed, ...game.hasten(game.fold(handed, standing), at)];
    }
    if (message.type === 'table.pause') return pauseTable(standing, at);
    if (message.type === 'table.resume') return resumeTable(standing, at);
    if (message.type === 'table.abort') return abortTable(standing, message.data.why);
    if (message.type === 'table.tick') return game.tick(standing, at, seed);
    if (message.type !== 'table.act') return [];
    const { seat, question, says } = message.data;
    if (!says.length && message.source !== 'aiwolf') return game.ready(standing, question, seat, at, seed);
    return game.act(standing, question, { by: seat, says }, at, seed);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
