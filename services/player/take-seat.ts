import { createHash } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { CompletionRequest, Recipe } from '@maw/minds/mind.ts';
import { chooseName, type RefusedName } from '@maw/minds/choose-name.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { modelClient } from './model-client.ts';
import type { PlayerOptions } from './defaults.ts';
import { isRefused } from './is-refused.ts';

interface SeatTaker {
  readonly bus: Bus;
  now(): number;
  readonly log: Log;
  readonly options: PlayerOptions;
  readonly signal: AbortSignal;
}

/** How many names are tried. */
const MAX_NAMES = 10;
const REPLY_MS = 10_000;
/** Refusals after which another name may be taken. */
const NAME_REFUSED: ReadonlySet<string> = new Set(['name-taken', 'bad-name']);
/** Refusals after which nothing is left to do: the seat is taken, maybe by this invitation before, or the seat is invited again after a pause. */
const SETTLED: ReadonlySet<string> = new Set(['already-seated', 'already-begun', 'paused']);

/** Joins the table at the seat: under the given name, or one of the mind's choice, and another one when that is refused. */
export async function takeSeat(taker: SeatTaker, recipe: Recipe, message: Message<'seat.invited'>): Promise<void> {
  const { bus, now, log, signal } = taker;
  const { subject: table, id, data } = message;
  const { seat, until } = data;
  const refused: RefusedName[] = [];
  for (let n = 0; n < MAX_NAMES && now() < until; n++) {
    const name = n === 0 && data.name !== undefined ? data.name : await chosenName(taker, recipe, message, refused);
    const replyBy = Math.min(until, now() + REPLY_MS);
    const about = { id: joinId(id, name), source: 'player', subject: table, at: now(), causeid: id, replyBy };
    const reply = await bus.request(contracts.write('table.join', { name, seat }, about), { signal });
    if (!isRefused(reply)) return;
    const { reason, detail = '' } = reply.data;
    if (!NAME_REFUSED.has(reason)) {
      if (!SETTLED.has(reason)) log.warn({ table, invitation: id, reason }, 'joining a table failed'); // not the seat: a mind plays it
      return;
    }
    refused.push({ name, why: `${reason}${detail ? `: ${detail}` : ''}` });
  }
  log.warn({ table, invitation: id, names: refused.length }, 'no name was accepted; the gamemaster will choose one');
}

function chosenName(
  taker: SeatTaker,
  recipe: Recipe,
  { id, subject: table, time, data }: Message<'seat.invited'>,
  refused: readonly RefusedName[],
): Promise<string> {
  const { seat, model, until, taken, seed = `${table}/${seat}` } = data;
  // In the background: there is a list of names to fall back on, so no player waits for this.
  const request = {
    table,
    seat,
    model,
    recipe: recipe.name,
    urgency: 'background',
    cause: id,
    limitMs: taker.options.completionMs,
  } as const;
  // The last quarter of the time is kept for names that need no model.
  const complete = modelClient({ ...taker, ...request }, () => until - (until - Date.parse(time)) / 4);
  const tools =
    recipe.usesModel && recipe.values?.['ownName'] === true
      ? { complete: (completion: CompletionRequest) => complete(completion, 'name'), signal: taker.signal }
      : undefined;
  return chooseName(tools, { rules: data.rules, taken, seed, refused });
}

/** Joining under another name is another request; a model may choose another one when the invitation is redelivered. */
const joinId = (invitation: string, name: string): string =>
  `${invitation}:${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
