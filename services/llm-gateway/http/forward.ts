import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { traceHeaders } from '@maw/telemetry/trace-context.ts';
import { Agent, type Dispatcher, request } from 'undici';
import { unlessAborted } from '../request.ts';
import type { Leader, LeaderLocator } from '../leader.ts';
import { type Call, deadlineHeader, pathOf } from './call.ts';
import { errorBody, HttpProblem } from './http-problem.ts';

/** Requests on their way to the gateway that schedules: only that one knows the line, the limits and the slots. */
export interface Forwarder {
  /**
   * Sends a request on, and its answer back, until it is answered: when the one that schedules dies before anything of the answer was passed
   * on, it goes to the next one.
   * @param patienceMs how long it is looked for one that schedules
   * @returns false when it is this one
   * @throws HttpProblem standby, late; @throws what `gone` was aborted with
   */
  forward(call: Call, patienceMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Says that whoever answered is not the one that schedules, or is so no longer; the request was not done. */
export const STANDBY = 'x-maw-standby';
const FORWARDED = 'x-maw-forwarded';
/** Of one connection only; the rest of the headers goes on as it came. */
const HOP = new Set(
  'connection keep-alive transfer-encoding upgrade host expect te trailer proxy-authorization proxy-connection content-length'.split(' '),
);
const PAUSE_MS = 100;
/** Who forwards waits a little longer than the one who answers, whose words are better. */
const MARGIN_MS = 1_000;

export function forwarder(parts: { readonly who: LeaderLocator; readonly instance: string; now(): number }): Forwarder {
  const { who, instance, now } = parts;
  // The deadline ends everything; a stream may be silent as long as a model thinks.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

  async function send(door: string, { req, res, body, deadline, gone }: Call, own: Headers, over: AbortSignal): Promise<'sent' | 'lost'> {
    let hasBegun = false;
    try {
      const answer = await request(`${door}${pathOf(req)}`, {
        method: req.method as Dispatcher.HttpMethod,
        headers: { ...passed(req.headers), ...traceHeaders(), ...own, ...deadlineHeader(deadline, now()), [FORWARDED]: instance },
        body: body ?? null,
        dispatcher: agent,
        signal: over,
      });
      if (answer.headers[STANDBY] !== undefined) {
        await answer.body.dump();
        return 'lost';
      }
      if (!String(answer.headers['content-type']).startsWith('text/event-stream')) {
        const whole = Buffer.from(await answer.body.arrayBuffer());
        res.writeHead(answer.statusCode, { ...passed(answer.headers), 'content-length': whole.length }).end(whole);
        return 'sent';
      }
      for await (const events of wholeEvents(answer.body)) {
        if (!hasBegun) res.writeHead(answer.statusCode, passed(answer.headers));
        hasBegun = true;
        if (!res.write(events)) await once(res, 'drain', { signal: over });
      }
      if (!hasBegun) return 'lost';
      res.end();
      return 'sent';
    } catch {
      gone.throwIfAborted();
      if (!hasBegun) return 'lost';
      const lost = over.aborted
        ? LATE()
        : new HttpProblem('no-server', 'the gateway that schedules was lost in the middle of the answer; ask again');
      res.end(`data: ${JSON.stringify(errorBody(lost))}\n\n`);
      return 'sent';
    }
  }

  /** Sends it on until it is answered. @throws HttpProblem standby, late; what `over` was aborted with */
  async function pass(call: Call, patienceMs: number, over: AbortSignal, first: Leader | undefined): Promise<boolean> {
    const { req } = call;
    // With a key of its own it is the same request wherever it is sent next.
    const own: Headers = req.headers['idempotency-key'] === undefined ? { 'idempotency-key': crypto.randomUUID() } : {};
    let found = first;
    let lookedSince = now();
    for (;;) {
      over.throwIfAborted();
      if (found?.instance === instance) return false;
      if (req.headers[FORWARDED] !== undefined)
        throw standby('another gateway took this one for the one that schedules; if that lasts, set DOOR_URL there');
      if (found && found.door === undefined)
        throw standby('the gateway that schedules has no HTTP door: give all of them one, or ask on the bus');
      if (found?.door !== undefined) {
        const sentAt = now();
        if ((await send(found.door, call, own, over)) === 'sent') return true;
        who.doubt();
        if (now() - sentAt > patienceMs) lookedSince = now(); // it was at work, and has died
      }
      if (now() - lookedSince >= patienceMs) throw standby('no gateway schedules just now; ask again');
      await after(PAUSE_MS, undefined, { signal: over });
      found = await unlessAborted(asked(), over);
    }
  }

  const asked = (): Promise<Leader | undefined> => who.ask().catch(() => undefined);

  return {
    async forward(call, patienceMs) {
      const first = await asked();
      if (first?.instance === instance) return false;
      const over = new AbortController();
      const gone = (): void => over.abort(call.gone.reason);
      const late = setTimeout(() => over.abort(LATE()), Math.max(1, call.deadline - now() + MARGIN_MS));
      call.gone.addEventListener('abort', gone, { once: true });
      try {
        return await pass(call, patienceMs, over.signal, first);
      } catch (error) {
        throw over.signal.aborted ? over.signal.reason : error;
      } finally {
        clearTimeout(late);
        call.gone.removeEventListener('abort', gone);
      }
    },
    close: () => agent.destroy(),
  };
}

type Headers = Readonly<Record<string, string>>;
const LATE = () => new HttpProblem('late', 'the deadline passed while the gateway that schedules was asked');

/** Not done here, and to be done by another: whoever has forwarded it tries again. */
export const standby = (why: string): HttpProblem => new HttpProblem('standby', why, { retryAfterMs: 1_000, headers: { [STANDBY]: '1' } });

function passed(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || HOP.has(name) ? [] : [[name, value] as const])),
  );
}

/** The server-sent events of a stream as they come; what is no whole event at its end is left out. @throws what the stream breaks with */
async function* wholeEvents(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    const end = rest.lastIndexOf('\n\n') + 2;
    if (end < 2) continue;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
}
