import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { mutated, oddText, wrongBytes } from './mutate.ts';
import { ADMIN, BOSS, KEY, type FuzzedSystem } from './fuzzed-system.ts';

/** The bytes written on one connection, as plain data that can be printed and sent again. */
export interface RandomRequest {
  readonly n: number;
  readonly how: string;
  readonly port: number;
  /** Written one after another with pauses, in base64. */
  readonly parts: readonly string[];
  /** Whether the request is complete, so that a response is due. */
  readonly isWhole: boolean;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const SEATS = [{ kind: 'person' }, { kind: 'person' }, { kind: 'person' }];
/** `T` is a table, `R` a room. */
const WEB: readonly Route[] = [
  { method: 'POST', path: '/tables', body: { rules: 'maw', seats: SEATS, lobbyMs: 86_400_000 } },
  { method: 'GET', path: '/tables' },
  { method: 'GET', path: '/tables?limit=5&over=false&before=9999999999999' },
  { method: 'GET', path: '/tables/T' },
  { method: 'POST', path: '/tables/T/seats', body: { name: 'Ann' } },
  { method: 'POST', path: '/tables/T/acts', body: { question: 'round-1/day-1/vote', says: ['seat:1'] } },
  { method: 'POST', path: '/tables/T/speech', body: { room: 'round-1/day-1/Village', text: 'I say so.' } },
  { method: 'POST', path: '/tables/T/whispers', body: { to: 1, text: 'psst' } },
  { method: 'POST', path: '/tables/T/leave', body: {} },
  { method: 'POST', path: '/tables/T/return', body: {} },
  { method: 'GET', path: '/rules' },
  { method: 'GET', path: '/rules/maw?players=5&option.seer=true' },
  { method: 'GET', path: '/tables/T/rooms/R/who' },
  { method: 'GET', path: '/models' },
  { method: 'POST', path: '/tokens', body: { role: 'seat', table: 'T', seat: 1 } },
  { method: 'GET', path: '/tokens?limit=3' },
  { method: 'POST', path: '/tokens/renew', body: {} },
  { method: 'DELETE', path: '/tokens/0123456789' },
  { method: 'POST', path: '/tables/T/revoke', body: { seat: 6 } },
  { method: 'GET', path: '/audit?limit=3' },
  { method: 'GET', path: '/tables/T/view?after=0' },
  { method: 'GET', path: '/tables/T/events' },
  { method: 'GET', path: '/tables/T/tape' },
];
const CHAT = { model: 'simulated', messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 8 };
const DOOR: readonly Route[] = [
  { method: 'POST', path: '/v1/llm/complete', body: { agent: 'a', messages: [{ role: 'user', content: 'Say hello.' }], maxTokens: 8 } },
  { method: 'POST', path: '/v1/chat/completions', body: CHAT },
  { method: 'POST', path: '/v1/chat/completions', body: { ...CHAT, stream: true } },
  { method: 'POST', path: '/v1/embeddings', body: { model: 'simulated-embed', input: ['hello'] } },
  { method: 'GET', path: '/v1/models' },
  { method: 'GET', path: '/v1/models/simulated' },
  { method: 'GET', path: '/admin/status' },
  { method: 'GET', path: '/admin/servers' },
  { method: 'POST', path: '/admin/servers', body: { act: 'list' } },
  { method: 'GET', path: '/admin/limits' },
  { method: 'POST', path: '/admin/limits', body: { agentRpm: 100_000 } },
];

type Target = Pick<FuzzedSystem, 'names' | 'webPort' | 'doorPort'>;

/** A request while it is mutated. */
interface Draft {
  readonly route: Route;
  readonly isDoor: boolean;
  readonly table: string;
  readonly dice: Dice;
  /** The mutations. */
  readonly how: string[];
  readonly headers: [string, string][];
  method: string;
  path: string;
  payload: Buffer;
  isWhole: boolean;
}

/** The `n`th request of a seed. */
export function randomRequest(seed: string, n: number, target: Target): RandomRequest {
  const dice = diceOf(seed, `request ${n}`);
  const draft = draftOf(dice, target);
  mutateContent(draft);
  addHeaders(draft, target);
  const body = frameBody(draft);
  const parts = splitIntoParts(draft, body);
  return {
    n,
    how: draft.how.join(', '),
    port: draft.isDoor ? target.doorPort : target.webPort,
    parts: parts.map((part) => part.toString('base64')),
    isWhole: draft.isWhole,
  };
}

const pickFrom = <T>(dice: Dice, of: readonly T[]): T => of[dice.below(of.length)]!;

/** Applies a change to this percentage of drafts. */
function maybe(draft: Draft, what: string, percent: number, change: () => void): void {
  if (draft.dice.below(100) >= percent) return;
  draft.how.push(what);
  change();
}

function draftOf(dice: Dice, { names }: Target): Draft {
  const isDoor = dice.below(3) === 0;
  const route = pickFrom(dice, isDoor ? DOOR : WEB);
  const table = pickFrom(dice, [...names.tables, 'nowhere']);
  return {
    route,
    isDoor,
    table,
    dice,
    how: [`${route.method} ${route.path}`],
    headers: [],
    method: route.method,
    path: route.path.replace('T', table).replace('R', pickFrom(dice, names.rooms)),
    payload: route.body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(route.body).replace('"T"', JSON.stringify(table))),
    isWhole: true,
  };
}

function mutateContent(draft: Draft): void {
  const { dice, route, table } = draft;
  const odd = (): string => encodeURIComponent(safe(oddText(dice)));
  maybe(draft, 'body', 40, () => {
    if (route.body !== undefined) draft.payload = Buffer.from(JSON.stringify(mutated(route.body, dice)) ?? '');
  });
  maybe(draft, 'bytes', 10, () => (draft.payload = Buffer.from(wrongBytes(draft.payload.toString(), dice))));
  maybe(draft, 'method', 8, () => (draft.method = pickFrom(dice, METHODS)));
  maybe(draft, 'path', 15, () => {
    const { path } = draft;
    draft.path = pickFrom(dice, [
      `${path}/${odd()}`,
      `${path}?${odd()}=${odd()}&__proto__[a]=1`,
      path.replace('/', '//'),
      `${path}/../../etc/passwd`,
      `${path}%00`,
      `${path}%ff%`,
      path.replace(table, odd()),
      '/',
      `/${'a'.repeat(12_000)}`,
    ]);
  });
}

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'DELETE', 'POST', 'PROPFIND'] as const;

function addHeaders(draft: Draft, { doorPort, webPort }: Target): void {
  const { dice, headers, isDoor, payload } = draft;
  headers.push(['Host', `127.0.0.1:${isDoor ? doorPort : webPort}`], ['Connection', 'close']);
  const token = isDoor ? pickFrom(dice, [KEY, KEY, BOSS]) : ADMIN;
  if (dice.below(6)) headers.push(['Authorization', `Bearer ${token}`]);
  if (payload.length) headers.push(['Content-Type', 'application/json']);
  maybe(draft, 'header', 15, () => headers.push(pickFrom(dice, oddHeaders(dice))));
}

const oddHeaders = (dice: Dice): readonly [string, string][] => [
  ['Authorization', `Bearer ${'x'.repeat(1 + dice.below(9_000))}`],
  ['Authorization', 'Basic YWRtaW46YWRtaW4='],
  ['Authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJyb2xlIjoiYWRtaW4ifQ.'],
  ['Content-Type', 'text/plain'],
  ['Content-Encoding', 'gzip'],
  ['Idempotency-Key', oddText(dice).replaceAll(/[^\x20-\x7e]/g, '?')],
  ['Last-Event-ID', String(dice.below(2) ? -1 : 1e20)],
  ['X-Forwarded-For', '6.6.6.6'],
  ['X-Deadline-Ms', '-1'],
  ['X-Request-Timeout', '1e9'],
  ['traceparent', '00-zz-zz-01'],
  ['X-Long', 'y'.repeat(20_000)],
];

/** Adds headers for the body length, correct ones half of the time, and returns the body as written. */
function frameBody(draft: Draft): Buffer {
  const { dice, headers, payload, how } = draft;
  const framing = dice.below(10);
  if (framing === 0 && payload.length) {
    how.push('chunked');
    headers.push(['Transfer-Encoding', 'chunked']);
    return chunked(payload);
  }
  if (framing === 1) {
    how.push('wrong chunks');
    draft.isWhole = false;
    headers.push(['Transfer-Encoding', 'chunked']);
    return Buffer.concat([Buffer.from('zz\r\n'), payload]);
  }
  if (framing === 2) {
    how.push('a length too long');
    draft.isWhole = false;
    headers.push(['Content-Length', String(payload.length + 1 + dice.below(1_000_000))]);
  } else if (framing === 3 && payload.length > 2) {
    how.push('a length too short');
    headers.push(['Content-Length', String(payload.length - 2)]);
  } else if (framing === 4) {
    how.push('two lengths');
    headers.push(['Content-Length', String(payload.length)], ['Content-Length', String(payload.length + 5)]);
  } else if (payload.length) headers.push(['Content-Length', String(payload.length)]);
  return payload;
}

function chunked(payload: Buffer): Buffer {
  const middle = payload.length >> 1;
  const chunks = [payload.subarray(0, middle), payload.subarray(middle)].filter((chunk) => chunk.length);
  return Buffer.concat([
    ...chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
    Buffer.from('0\r\n\r\n'),
  ]);
}

function splitIntoParts(draft: Draft, body: Buffer): readonly Buffer[] {
  const { dice, method, path, headers } = draft;
  const head = `${method} ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const whole = Buffer.concat([Buffer.from(head), body]);
  let parts: readonly Buffer[] = [whole];
  maybe(draft, 'slow', 6, () => {
    parts = [0, 1, 2, 3].map((i) => whole.subarray((i * whole.length) >> 2, ((i + 1) * whole.length) >> 2));
  });
  maybe(draft, 'half a head', 3, () => {
    draft.isWhole = false;
    parts = [Buffer.from(head.slice(0, 1 + dice.below(head.length - 3)))];
  });
  maybe(draft, 'more behind it', 4, () => (parts = [...parts, Buffer.from(`GET /tables HTTP/1.1\r\nHost: x\r\n\r\n`)]));
  maybe(draft, 'noise', 2, () => {
    draft.isWhole = false;
    parts = [Buffer.from(Array.from({ length: 200 }, () => dice.below(256)))];
  });
  return parts;
}

/** What encodeURIComponent accepts. */
const safe = (text: string): string => text.toWellFormed().slice(0, 500);
