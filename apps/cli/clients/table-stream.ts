import { setTimeout as sleep } from 'node:timers/promises';
import { seen } from '@maw/contracts/messages/schemas.ts';
import { readEvents } from '@maw/http/event-decoder.ts';
import { z } from 'zod';
import { ApiError } from './http-request.ts';
import { type OpenQuestions, openQuestions, type SeenEvent } from './web-shapes.ts';

/** What the stream of a table brings. */
export type TableUpdate =
  | { readonly kind: 'seen'; readonly seen: SeenEvent }
  | { readonly kind: 'asked'; readonly asked: OpenQuestions }
  | { readonly kind: 'over' };

/** Opens a response to stream, after event number `after`. */
type OpenStream = (after: number) => Promise<Response>;

/** How long a stream that keeps breaking is reopened before it is given up. */
const GIVE_UP_MS = 60_000;
const RECONNECT_MS = 300;

/** Reads events that are sent as one JSON value per line. */
export async function* readTape(response: Response): AsyncGenerator<SeenEvent> {
  let rest = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line) yield seen.parse(JSON.parse(line));
  }
}

/**
 * Follows a table until it is over: every event once and in order, also when the connection breaks.
 * @throws ApiError when the first connection fails, when a later one is refused, and when none has worked for a minute
 */
export async function* followTable(open: OpenStream, after: number, signal?: AbortSignal): AsyncGenerator<TableUpdate> {
  let last = after;
  let failingSince: number | undefined;
  let hasBegun = false;
  for (;;) {
    try {
      for await (const { event, data } of readEvents((await open(last)).body!)) {
        failingSince = undefined;
        hasBegun = true;
        const update = parseUpdate(event, data);
        if (update?.kind === 'seen') last = update.seen.n;
        if (update) yield update;
        if (update?.kind === 'over') return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      failingSince ??= Date.now();
      if (!isTemporary(error, hasBegun) || Date.now() - failingSince > GIVE_UP_MS) throw error;
    }
    await sleep(RECONNECT_MS);
  }
}

function parseUpdate(event: string | undefined, data: string): TableUpdate | undefined {
  if (event === 'seen') return { kind: 'seen', seen: seen.parse(JSON.parse(data)) };
  if (event === 'asked') return { kind: 'asked', asked: openQuestions.parse(JSON.parse(data)) };
  return event === 'over' ? { kind: 'over' } : undefined;
}

/** Whether another connection may work. A refusal of the first one is final: nothing is lost yet. */
function isTemporary(error: unknown, hasBegun: boolean): boolean {
  if (error instanceof z.ZodError) return false;
  if (error instanceof ApiError) return hasBegun && (error.status === 0 || error.status >= 500);
  return true;
}
