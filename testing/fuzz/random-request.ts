import { diceOf } from '@maw/games/kernel/dice.ts';
import { mutated, oddText, wrongBytes } from './mutate.ts';
import { ADMIN, BOSS, KEY, type FuzzedSystem } from './fuzzed-system.ts';

/** One connection and what is written on it. Everything in it is data: it can be printed, and sent again. */
export interface RandomRequest {
  readonly n: number;
  readonly how: string;
  readonly port: number;
  /** Written one after another, each a moment after the one before; in base64. */
  readonly parts: readonly string[];
  /** Whether what is asked is whole, so that an answer has to come; otherwise it may be cut off without a word. */
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

/** The `n`th request of a seed. */
export function randomRequest(
  seed: string,
  n: number,
  { names, webPort, doorPort }: Pick<FuzzedSystem, 'names' | 'webPort' | 'doorPort'>,
): RandomRequest {
  const dice = diceOf(seed, `request ${n}`);
  const pick = <T>(of: readonly T[]): T => of[dice.below(of.length)]!;
  const isDoor = dice.below(3) === 0;
  const route = pick(isDoor ? DOOR : WEB);
  const table = pick([...names.tables, 'nowhere']);
  const done: string[] = [`${route.method} ${route.path}`];
  const does = (what: string, times: number, change: () => void): void => {
    if (dice.below(100) >= times) return;
    done.push(what);
    change();
  };
  let method = route.method;
  let path = route.path.replace('T', table).replace('R', pick(names.rooms));
  let payload = route.body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(route.body).replace('"T"', JSON.stringify(table)));
  does('body', 40, () => void (route.body === undefined || (payload = Buffer.from(JSON.stringify(mutated(route.body, dice)) ?? ''))));
  does('bytes', 10, () => (payload = Buffer.from(wrongBytes(payload.toString(), dice))));
  does('method', 8, () => (method = pick(['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'DELETE', 'POST', 'PROPFIND'])));
  does(
    'path',
    15,
    () =>
      (path = pick([
        `${path}/${encodeURIComponent(safe(oddText(dice)))}`,
        `${path}?${encodeURIComponent(safe(oddText(dice)))}=${encodeURIComponent(safe(oddText(dice)))}&__proto__[a]=1`,
        path.replace('/', '//'),
        `${path}/../../etc/passwd`,
        `${path}%00`,
        `${path}%ff%`,
        path.replace(table, encodeURIComponent(safe(oddText(dice)))),
        '/',
        `/${'a'.repeat(12_000)}`,
      ])),
  );
  const headers: [string, string][] = [
    ['Host', `127.0.0.1:${isDoor ? doorPort : webPort}`],
    ['Connection', 'close'],
  ];
  const token = isDoor ? pick([KEY, KEY, BOSS]) : ADMIN;
  if (dice.below(6)) headers.push(['Authorization', `Bearer ${token}`]);
  if (payload.length) headers.push(['Content-Type', 'application/json']);
  let isWhole = true;
  does('header', 15, () =>
    headers.push(
      pick<[string, string]>([
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
      ]),
    ),
  );
  const framing = dice.below(10);
  let sent = payload;
  if (framing === 0 && payload.length) {
    done.push('chunked');
    headers.push(['Transfer-Encoding', 'chunked']);
    const middle = payload.length >> 1;
    sent = Buffer.concat([
      ...[payload.subarray(0, middle), payload.subarray(middle)].flatMap((part) =>
        part.length ? [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')] : [],
      ),
      Buffer.from('0\r\n\r\n'),
    ]);
  } else if (framing === 1) {
    done.push('wrong chunks');
    isWhole = false;
    headers.push(['Transfer-Encoding', 'chunked']);
    sent = Buffer.concat([Buffer.from('zz\r\n'), payload]);
  } else if (framing === 2) {
    done.push('a length too long');
    isWhole = false;
    headers.push(['Content-Length', String(payload.length + 1 + dice.below(1_000_000))]);
  } else if (framing === 3 && payload.length > 2) {
    done.push('a length too short');
    headers.push(['Content-Length', String(payload.length - 2)]);
  } else if (framing === 4) {
    done.push('two lengths');
    headers.push(['Content-Length', String(payload.length)], ['Content-Length', String(payload.length + 5)]);
  } else if (payload.length) headers.push(['Content-Length', String(payload.length)]);
  const head = `${method} ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  let parts = [Buffer.concat([Buffer.from(head), sent])];
  does('slow', 6, () => {
    const whole = parts[0]!;
    parts = [0, 1, 2, 3].map((i) => whole.subarray((i * whole.length) >> 2, ((i + 1) * whole.length) >> 2));
  });
  does('half a head', 3, () => {
    isWhole = false;
    parts = [Buffer.from(head.slice(0, 1 + dice.below(head.length - 3)))];
  });
  does('more behind it', 4, () => (parts = [...parts, Buffer.from(`GET /tables HTTP/1.1\r\nHost: x\r\n\r\n`)]));
  does('noise', 2, () => {
    isWhole = false;
    parts = [Buffer.from(Array.from({ length: 200 }, () => dice.below(256)))];
  });
  return { n, how: done.join(', '), port: isDoor ? doorPort : webPort, parts: parts.map((part) => part.toString('base64')), isWhole };
}

/** What can be part of an address once it is written in percents. */
const safe = (text: string): string => text.toWellFormed().slice(0, 500);
