import { createHash } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { CompletionRequest, Recipe } from '@maw/minds/mind.ts';
import { chooseName, type RefusedName } from '@maw/minds/choose-name.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { modelClient } from './model-client.ts';
import type { PlayerOptions } from './options.ts';
import { isRefused } from './is-refused.ts';

interface Invited {
  readonly bus: Bus;
  now(): number;
  readonly log: Log;
  readonly options: PlayerOptions;
  readonly signal: AbortSignal;
}

/** How many names are tried. */
const MOST_NAMES = 10;
const ANSWER_MS = 10_000;
const ANOTHER: ReadonlySet<string> = new Set(['name-taken', 'bad-name']);

/** Takes the seat: under the name it was given, or one of its own choice, and another one when that is refused. */
export async function takeSeat(
  { bus, now, log, options, signal }: Invited,
  recipe: Recipe,
  message: Message<'seat.invited'>,
): Promise<void> {
  const { subject: table, id, data } = message;
  const { seat, until } = data;
  const limitMs = options.completionMs;
  // a name of the list does as well: nobody who plays waits for one
  const asker = {
    bus,
    log,
    now,
    table,
    seat,
    model: data.model,
    recipe: recipe.name,
    urgency: 'background' as const,
    cause: id,
    limitMs,
    signal,
  };
  // a quarter of what is left is kept for names that need no model
  const complete = modelClient(asker, () => until - (until - Date.parse(message.time)) / 4);
  const tools = recipe.usesModel ? { complete: (completion: CompletionRequest) => complete(completion, 'name'), signal } : undefined;
  const refused: RefusedName[] = [];
  for (let n = 0; n < MOST_NAMES && now() < until; n++) {
    const isGiven = data.name !== undefined && n === 0;
    const name = isGiven ? data.name! : await chooseName(tools, { taken: data.taken, seed: data.seed ?? `${table}/${seat}`, refused });
    const about = {
      id: joinId(id, name),
      source: 'player',
      subject: table,
      at: now(),
      causeid: id,
      replyBy: Math.min(until, now() + ANSWER_MS),
    };
    const reply = await bus.request(contracts.write('table.join', { name, seat }, about), { signal });
    if (!isRefused(reply)) return;
    const { reason, detail = '' } = reply.data;
    if (!ANOTHER.has(reason)) {
      if (reason !== 'already-seated' && reason !== 'already-begun') log.warn({ table, seat, reason }, 'a seat could not be taken');
      return;
    }
    refused.push({ name, why: `${reason}${detail ? `: ${detail}` : ''}` });
  }
  log.warn({ table, seat, names: refused.length }, 'no name was accepted; the gamemaster will give one');
}

/** A model may choose another name when somebody else takes up the invitation: what asks for another name is another request. */
const joinId = (invitation: string, name: string): string =>
  `${invitation}:${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
