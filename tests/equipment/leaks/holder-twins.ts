import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { type ContractName, contracts, type Message } from '@maw/contracts/contracts.ts';
import type { OpenApiDocument } from '@maw/web/openapi.ts';
import { ADMIN, inProcessWeb, type InProcessWeb } from '../web/in-process-web.ts';
import { type Tamper, wiretap } from './wiretap.ts';

/** Who plays a seat: a mind; a person; a person who leaves it to a mind and comes back, time and again; or a program with a key. */
export type Holder = 'mind' | 'person' | 'both' | 'agent';

/** What readers got who may not know who plays the seat. */
export interface HolderTwin {
  /** By what was read, when, and by whom: the status, the headers, the body, and the messages that `web` sent and got for it. */
  readonly answers: ReadonlyMap<string, string>;
  /** By stream and reader: every byte. */
  readonly streams: ReadonlyMap<string, string>;
  /** The holders that the tape of the table has for the seat, one after the other. */
  readonly holders: readonly string[];
}

/** The seat that differs, and the one that reads. */
const SEAT = 2;
const READER = 0;
const NAMES = ['Ann', 'Bo', 'Cy', 'Dora', 'Eve'] as const;
/** With this seed the seat that differs is the werewolf, which acts in secret too. */
const SEED = 'twins 6';
const BEGAN = 1_767_225_600_000;
const NEVER_MS = 86_400_000;

/** What a person and a mind can do. */
interface Act {
  readonly seat: number;
  readonly question: { readonly id: string; readonly verb: string; readonly room?: string };
  readonly says: readonly string[];
}

interface Twin {
  readonly system: InProcessWeb;
  readonly table: string;
  readonly tap: ReturnType<typeof wiretap>;
  readonly clock: { ms: number };
  readonly tokens: { readonly [reader: string]: string | undefined };
  /** The tokens of the seats that people hold. */
  readonly seats: ReadonlyMap<number, string>;
  readonly holder: Holder;
  isMind: boolean;
  ask(name: ContractName, data: object): Promise<void>;
}

/** How a twin is read: by all routes at some moments, or by streams. They are read apart, as streams send messages of their own. */
export type Reading = 'routes' | 'streams';

/**
 * Plays a game at a table whose acts, times and names are the same whoever plays the seat, and reads all that other seats, spectators and
 * strangers may ask for.
 */
export async function playHolderTwin(holder: Holder, reading: Reading, tamper?: Tamper): Promise<HolderTwin> {
  const clock = { ms: BEGAN };
  const tap = wiretap(tamper);
  const limits = { perToken: 1e6, tokenBurst: 1e6, perAddress: 1e6, addressBurst: 1e6 };
  const system = await inProcessWeb({ ...limits, lobbyEveryMs: 0, streamKeepAliveMs: NEVER_MS }, { hub: tap.hub, now: () => clock.ms });
  const minds = memoryBus({ service: 'player', hub: tap.hub, now: () => clock.ms, resendMs: NEVER_MS });
  let asked = 0;
  try {
    const table = await openTable(system, holder);
    const ask = async (name: ContractName, data: object): Promise<void> => {
      const about = { id: `mind-${++asked}`, source: 'player', subject: table, at: clock.ms, replyBy: clock.ms + NEVER_MS };
      const { performative, data: why } = await minds.request(
        contracts.write(name, data as never, about) as unknown as Message<'table.act'>,
      );
      if (performative === 'refuse') throw new Error(`${name} ${JSON.stringify(data)}: ${JSON.stringify(why)}`);
    };
    const seats = await seatAll(system, table, holder, ask);
    const tokens = await tokensFor(system, table, seats.get(READER)!);
    const twin: Twin = { system, table, tap, clock, tokens, seats, holder, isMind: holder === 'mind', ask };
    return await (reading === 'routes' ? readRoutes(twin) : readStreams(twin));
  } finally {
    await minds.close();
    await system.close();
  }
}

const kindOf = (seat: number, holder: Holder): 'person' | 'mind' | 'agent' =>
  seat === SEAT && holder === 'agent' ? 'agent' : seat === READER || (seat === SEAT && holder !== 'mind') ? 'person' : 'mind';

async function openTable({ post }: InProcessWeb, holder: Holder): Promise<string> {
  const terms = {
    rules: 'maw',
    seed: SEED,
    seats: NAMES.map((name, seat) => ({ kind: kindOf(seat, holder), ...(kindOf(seat, holder) === 'agent' ? { agent: name } : {}) })),
    options: { pace: 'machines', dayMs: 600_000, nightMs: 600_000, seer: true },
    lobbyMs: 600_000,
    afterwards: 'nobody',
    insight: 'after',
  };
  return fine(await post('/tables', terms, ADMIN)).table;
}

/** Seats everybody, in the order of the seats. Returns the tokens of people. */
async function seatAll({ post }: InProcessWeb, table: string, holder: Holder, ask: Twin['ask']): Promise<ReadonlyMap<number, string>> {
  const seats = new Map<number, string>();
  for (const [seat, name] of NAMES.entries()) {
    const kind = kindOf(seat, holder);
    const key = kind === 'agent' ? fine(await post('/tokens', { role: 'agent', name }, ADMIN)).token : ADMIN;
    if (kind === 'mind') await ask('table.join', { seat, name });
    else seats.set(seat, fine(await post(`/tables/${table}/seats`, { name }, key)).token);
  }
  return seats;
}

/** The body of an answer. @throws Error with the refusal */
function fine({ status, text, body }: Awaited<ReturnType<InProcessWeb['post']>>) {
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body;
}

async function tokensFor({ post }: InProcessWeb, table: string, seat: string): Promise<Twin['tokens']> {
  const issue = async (about: object): Promise<string> => fine(await post('/tokens', { table, ...about }, ADMIN)).token;
  return {
    'another seat': seat,
    'a spectator': await issue({ role: 'spectator' }),
    'an invitation': await issue({ role: 'join' }),
    'another program': fine(await post('/tokens', { role: 'agent', name: 'owl' }, ADMIN)).token,
    'nobody': undefined,
  };
}

/** Plays until the table is over; everybody answers with the last option. `between` runs before each act. */
async function play(twin: Twin, between: (acts: number) => Promise<void>): Promise<void> {
  const done = new Set<string>();
  for (let acts = 0; ; acts++) {
    const next = await nextAct(twin, done);
    if (!next) return;
    await between(acts);
    twin.clock.ms += 250;
    done.add(`${next.seat} ${next.question.id}`);
    await act(twin, next);
  }
}

/** The first thing that somebody is asked and has not done. Undefined: the table is over. @throws Error when nobody can act */
async function nextAct({ system, table }: Twin, done: ReadonlySet<string>): Promise<Act | undefined> {
  for (const seat of NAMES.keys()) {
    const { asked, summary } = (await system.get(`/tables/${table}/view?as=seat:${seat}&limit=1`, ADMIN)).body;
    if (summary.stage === 'over') return undefined;
    for (const question of asked) {
      if (done.has(`${seat} ${question.id}`)) continue;
      const says = question.verb === 'say' ? [`What ${NAMES[seat]} says.`] : [question.options.at(-1).is];
      return { seat, question, says };
    }
  }
  throw new Error('nobody is asked anything, and the table is not over');
}

async function act({ system, table, seats, isMind, holder, ask }: Twin, { seat, question: { id, verb, room }, says }: Act): Promise<void> {
  const token = seat === SEAT && isMind ? undefined : seats.get(seat);
  const isSpeech = verb === 'say';
  if (token === undefined)
    return ask(isSpeech ? 'room.speak' : 'table.act', isSpeech ? { seat, room, text: says[0] } : { seat, question: id, says });
  const isProgram = seat === SEAT && holder === 'agent';
  fine(
    await (isProgram
      ? system.post(`/tables/${table}/actions`, { question: id, answer: says[0] }, token)
      : isSpeech
        ? system.post(`/tables/${table}/speech`, { room, text: says[0] }, token)
        : system.post(`/tables/${table}/acts`, { question: id, says }, token)),
  );
}

/** Lets the person at the seat leave, or return. */
async function hand(twin: Twin): Promise<void> {
  if (twin.holder !== 'both') return;
  fine(await twin.system.post(`/tables/${twin.table}/${twin.isMind ? 'return' : 'leave'}`, {}, twin.seats.get(SEAT)));
  twin.isMind = !twin.isMind;
}

async function readRoutes(twin: Twin): Promise<HolderTwin> {
  const { system, table, tap, tokens } = twin;
  const document = (await system.get('/openapi.json')).body as OpenApiDocument;
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((method) => requestsTo(method, path, table)),
  );
  const answers = new Map<string, string>();
  const read = async (when: string): Promise<void> => {
    for (const [reader, token] of Object.entries(tokens))
      for (const { method, path } of requests) {
        const before = tap.heard.length;
        const answer = await answerTo(system.url, method, path, token);
        const messages = tap.heard.slice(before).map(({ parcel }) => `${parcel.type} ${parcel.body.length}`);
        answers.set(withoutId(`${when}, ${reader}: ${method} ${path}`, table), withoutId([answer, ...messages].join('\n'), table));
      }
  };
  await play(twin, async (acts) => {
    if (acts % 3 === 0) await hand(twin);
    if (acts % 3 === 1) await read(`after ${acts} acts`);
  });
  await read('at the end');
  return { answers, streams: new Map(), holders: await holdersOf(twin) };
}

/** What to ask of each route besides its bare address. */
const QUERIES: { readonly [path: string]: readonly string[] } = {
  '/tables': ['?search=Cy', '?stage=round'],
  '/tables/{table}/view': [`?as=seat:${SEAT}`, '?as=audience', '?as=narrator', '?schemas=true'],
  '/tables/{table}/tape': [`?as=seat:${SEAT}`, '?as=audience', '?as=narrator'],
  '/tables/{table}/events': [`?as=seat:${SEAT}`, '?as=narrator'],
  '/tables/{table}/thoughts': [`?seat=${SEAT}`, `?seat=${SEAT}&decision=1`],
  '/tables/{table}/rooms/{room}/who': [`?as=seat:${SEAT}`],
};
/** What goes on is read with the streams. */
const STREAMS: ReadonlySet<string> = new Set(['/lobby', '/tables/{table}/events']);
const ROOMS = ['round-1/day-1/Village', 'round-1/night-1/Hideout'];

/** Every way to read a route, and of those that change something the ones that name the seat. */
function requestsTo(method: string, template: string, table: string): readonly { readonly method: string; readonly path: string }[] {
  if (method !== 'get' && !template.includes('{seat}')) return [];
  const paths = ROOMS.map((room) =>
    template.replace('{table}', table).replace('{seat}', String(SEAT)).replace('{name}', 'maw').replace('{room}', room),
  );
  const queries = [...(STREAMS.has(template) ? [] : ['']), ...(QUERIES[template] ?? [])];
  return [...new Set(paths)].flatMap((path) => queries.map((query) => ({ method: method.toUpperCase(), path: path + query })));
}

/** Status, headers and body. @throws Error for a stream, which goes on */
export async function answerTo(url: string, method: string, path: string, token: string | undefined): Promise<string> {
  const closing = new AbortController();
  const response = await fetch(url + path, {
    method,
    headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), 'Content-Type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{}' }),
    signal: closing.signal,
  });
  const { status, headers } = response;
  if (headers.get('content-type')!.startsWith('text/event-stream')) {
    closing.abort();
    throw new Error(`${path} is a stream: it is read with the streams`);
  }
  const body = await response.text();
  const told = [...headers].filter(([name]) => name !== 'date');
  return [status, ...told.map(([name, value]) => `${name}: ${value}`), body].join('\n');
}

/** The streams, and who may open them. */
const streamsOf = (table: string): readonly { readonly path: string; readonly reader: string }[] => [
  { path: `/tables/${table}/events`, reader: 'another seat' },
  { path: `/tables/${table}/events?schemas=true`, reader: 'another seat' },
  { path: `/tables/${table}/events`, reader: 'a spectator' },
  { path: `/events?tables=${table}`, reader: 'another seat' },
  { path: `/events?tables=${table}`, reader: 'a spectator' },
  { path: '/lobby', reader: 'another seat' },
  { path: '/lobby', reader: 'a spectator' },
  { path: '/lobby', reader: 'an invitation' },
];

/** Twins differ in the id of the table, which has always the same length. */
export const withoutId = (text: string, table: string): string => text.replaceAll(table, 'TABLE');

async function readStreams(twin: Twin): Promise<HolderTwin> {
  const { system, table, tokens } = twin;
  const open = await Promise.all(
    streamsOf(table).map(async (stream) => ({ ...stream, ...(await openText(system.url + stream.path, tokens[stream.reader]!)) })),
  );
  /** Every stream has all events up to now, so that none are sent together in one twin and apart in the other. */
  const caughtUp = async (): Promise<void> => {
    for (const { path, reader, text } of open) {
      const length = path === '/lobby' ? 0 : (await system.get(`/tables/${table}/view?limit=1`, tokens[reader])).body.last;
      const isThere = () => (length ? text().split('event: seen\n').length > length : text().includes('event: ready'));
      await pollUntil(`all ${length} events of ${path}`, isThere);
    }
  };
  try {
    await play(twin, async (acts) => {
      await caughtUp();
      if (acts % 3 === 0) await hand(twin);
    });
    await pollUntil('the end in every stream', () => open.every(({ text }) => /event: over|"stage":"over"/.test(text())));
    const streams = open.map(({ path, reader, text }) => [withoutId(`${reader}: ${path}`, table), withoutId(text(), table)] as const);
    return { answers: new Map(), streams: new Map(streams), holders: await holdersOf(twin) };
  } finally {
    for (const { close } of open) await close();
  }
}

/** Reads a stream until it is closed, and keeps its text. */
export async function openText(address: string, token: string): Promise<{ text(): string; close(): Promise<void> }> {
  const closing = new AbortController();
  const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` }, signal: closing.signal });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })().catch(() => undefined);
  return {
    text: () => text,
    async close() {
      closing.abort();
      await reading;
    },
  };
}

async function holdersOf({ system, table }: Twin): Promise<readonly string[]> {
  const { seen } = (await system.get(`/tables/${table}/view?as=narrator`, ADMIN)).body as {
    readonly seen: readonly { readonly event: { readonly type: string; readonly [field: string]: unknown } }[];
  };
  const dealt = seen.find(({ event }) => event.type === 'dealt')!.event as unknown as { readonly roles: readonly string[] };
  if (dealt.roles[SEAT] !== 'wolf') throw new Error('the seat that differs does nothing in secret: take another seed');
  return seen.flatMap(({ event }) => {
    if (event.type === 'opened') return [(event['opening'] as { readonly seats: readonly { readonly kind: string }[] }).seats[SEAT]!.kind];
    return event.type === 'handed' && event['seat'] === SEAT ? [event['to'] as string] : [];
  });
}
