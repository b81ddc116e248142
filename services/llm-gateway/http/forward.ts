import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessAborted } from '@maw/async/abort.ts';
import { traceHeaders } from '@maw/telemetry/trace-context.ts';
import { Agent, type Dispatcher, request } from 'undici';
import type { Leader, Leadership } from '../leader.ts';
import { deadlineHeader, type HttpCall, pathOf } from './call.ts';
import { errorBody, HttpProblem } from './http-problem.ts';

export type Forwarder = ReturnType<typeof forwarder>;

/** In the response of a gateway that is not the leader: it has not processed the request. */
export const STANDBY = 'x-maw-standby';
const FORWARDED = 'x-maw-forwarded';
/** Headers of a single connection; all others are passed on. */
const HOP_HEADERS = new Set(
  'connection keep-alive transfer-encoding upgrade host expect te trailer proxy-authorization proxy-connection content-length'.split(' '),
);
const RETRY_MS = 100;
/** The forwarder waits a little longer than the leader, whose refusal says more. */
const DEADLINE_MARGIN_MS = 1_000;

interface Context {
  readonly leader: Pick<Leadership, 'locate' | 'invalidate'>;
  readonly instance: string;
  now(): number;
  readonly agent: Agent;
}

/** Forwards requests to the leader: only that gateway knows the queue, the limits and the slots. */
export function forwarder(parts: Omit<Context, 'agent'>) {
  // The deadline ends a request; a stream may be silent as long as a model thinks.
  const context: Context = { ...parts, agent: new Agent({ headersTimeout: 0, bodyTimeout: 0 }) };
  const { instance, now } = parts;
  return {
    /**
     * Forwards a request and passes the response on. When the leader dies before any of it was passed on, the request goes to the next leader.
     * @param patienceMs how long to look for a leader
     * @returns false when this gateway is the leader
     * @throws HttpProblem standby, late; what `call.disconnected` was aborted with
     */
    async forward(call: HttpCall, patienceMs: number): Promise<boolean> {
      const leader = await locate(context);
      if (leader?.instance === instance) return false;
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(lateProblem()), Math.max(1, call.deadline - now() + DEADLINE_MARGIN_MS));
      const ended = AbortSignal.any([call.disconnected, late.signal]);
      try {
        return await forwardUntilAnswered(context, call, patienceMs, ended, leader);
      } catch (error) {
        throw ended.aborted ? ended.reason : error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: (): Promise<void> => context.agent.destroy(),
  };
}

const locate = ({ leader }: Context): Promise<Leader | undefined> => leader.locate().catch(() => undefined);

/** @throws HttpProblem standby, late; what `ended` was aborted with */
async function forwardUntilAnswered(
  context: Context,
  call: HttpCall,
  patienceMs: number,
  ended: AbortSignal,
  first: Leader | undefined,
): Promise<boolean> {
  const { instance, now } = context;
  const { headers } = call.req;
  // With an idempotency key it stays one request wherever it is sent next.
  const own: Headers = headers['idempotency-key'] === undefined ? { 'idempotency-key': crypto.randomUUID() } : {};
  let leader = first;
  let searchingSince = now();
  for (;;) {
    ended.throwIfAborted();
    if (leader?.instance === instance) return false;
    if (headers[FORWARDED] !== undefined)
      throw standbyProblem('another gateway took this one for the leader; if that lasts, set DOOR_URL there');
    if (leader) {
      if (leader.httpUrl === undefined) throw standbyProblem('the leader has no HTTP API: give all gateways one, or use the bus');
      const sentAt = now();
      if ((await send(context, leader.httpUrl, call, own, ended)) === 'sent') return true;
      context.leader.invalidate();
      if (now() - sentAt > patienceMs) searchingSince = now(); // it was working on the request, and died
    }
    if (now() - searchingSince >= patienceMs) throw standbyProblem('there is no leader at the moment; ask again');
    await sleep(RETRY_MS, undefined, { signal: ended });
    leader = await unlessAborted(locate(context), ended);
  }
}

type Headers = Readonly<Record<string, string>>;
type Response = Dispatcher.ResponseData;

/** Sends the request to the leader. `lost`: nothing of a response was passed on. */
async function send(context: Context, url: string, call: HttpCall, own: Headers, ended: AbortSignal): Promise<'sent' | 'lost'> {
  const { req, res, body, deadline, disconnected } = call;
  const { instance, now, agent } = context;
  try {
    const response = await request(`${url}${pathOf(req)}`, {
      method: req.method as Dispatcher.HttpMethod,
      headers: { ...endToEnd(req.headers), ...traceHeaders(), ...own, ...deadlineHeader(deadline, now()), [FORWARDED]: instance },
      body: body ?? null,
      dispatcher: agent,
      signal: ended,
    });
    if (response.headers[STANDBY] !== undefined) {
      await response.body.dump();
      return 'lost';
    }
    if (String(response.headers['content-type']).startsWith('text/event-stream')) return await passStream(call, response, ended);
    const whole = Buffer.from(await response.body.arrayBuffer());
    res.writeHead(response.statusCode, { ...endToEnd(response.headers), 'content-length': whole.length }).end(whole);
    return 'sent';
  } catch {
    disconnected.throwIfAborted();
    if (!res.headersSent) return 'lost';
    const problem = ended.aborted
      ? lateProblem()
      : new HttpProblem('no-server', 'the leader was lost in the middle of the answer; ask again');
    res.end(`data: ${JSON.stringify(errorBody(problem))}\n\n`);
    return 'sent';
  }
}

async function passStream({ res }: HttpCall, response: Response, ended: AbortSignal): Promise<'sent' | 'lost'> {
  for await (const events of completeEvents(response.body)) {
    if (!res.headersSent) res.writeHead(response.statusCode, endToEnd(response.headers));
    if (!res.write(events)) await once(res, 'drain', { signal: ended });
  }
  if (!res.headersSent) return 'lost';
  res.end();
  return 'sent';
}

const lateProblem = () => new HttpProblem('late', 'the deadline passed while the leader was working on the request');

/** This gateway has not processed the request: the gateway that forwarded it looks for the leader again. */
export const standbyProblem = (why: string): HttpProblem =>
  new HttpProblem('standby', why, { retryAfterMs: 1_000, headers: { [STANDBY]: '1' } });

const endToEnd = (headers: IncomingHttpHeaders): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || HOP_HEADERS.has(name) ? [] : [[name, value] as const])),
  );

/** The text of whole server-sent events; an incomplete one at the end is dropped. @throws what the stream breaks with */
async function* completeEvents(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
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
