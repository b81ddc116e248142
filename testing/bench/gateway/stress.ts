import { type Bus, RequestTimeout } from '@maw/bus/bus.ts';
import { memoryBus, type MemoryHub, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { ServerChange } from '@maw/llm-gateway/server-config/server-admin.ts';
import { type LlmGateway, llmGateway } from '@maw/llm-gateway/service.ts';
import { type Simulator, startSimulator } from '@maw/ollama-sim/simulator.ts';
import { logger } from '@maw/telemetry/log.ts';

export interface StressResult {
  /** Requests by outcome: done, the reason of a refusal, or no answer in time. */
  readonly heard: { readonly [what: string]: number };
  /** Everything that is not as it must be, in words; nothing when all is well. */
  readonly wrong: readonly string[];
  /** Aborted calls, by the stage at the server: queue, prefill, streaming. */
  readonly closes: Pick<ReturnType<Simulator['state']>['closes'], 'waiting' | 'prefill' | 'streaming'>;
  /** Most completions in hand at once. */
  readonly most: number;
  readonly ms: number;
}

const SERVERS = 3;
const SLOTS = 4;
const IN_FLIGHT = 200;
const GAMES = 12;
const SEATS = 8;
/** What can go wrong with one request; what takes the server away for good is done by taking it away. */
const FAULTS = [
  'reset-before-headers',
  'reset-mid-stream',
  'error-mid-stream',
  'end-without-done',
  'done-false',
  'invalid-json-line',
  'half-line',
  'slow-drip',
  'runner-crash',
  'load-failed',
  'bad-input',
  'empty-content',
  'schema-violation',
  'think-leak',
  'whitespace-run',
  'accept-and-hang',
  'connection-refused',
  'clock-skew',
] as const;
const FORMAT = { type: 'object', properties: { vote: { enum: ['Ada', 'Bo'] } }, required: ['vote'], additionalProperties: false };
/** Where something that only takes a moment is waited for. */
const SOON_MS = 30_000;
/** How long a caller waits at most. */
const DEADLINE_MS = 4_000;

/** One run of the stress test. */
interface Storm {
  readonly dice: Dice;
  readonly hub: MemoryHub;
  /** The gateway's own bus. */
  readonly bus: Bus;
  readonly player: Bus;
  readonly gateway: LlmGateway;
  /** The servers that the gateway has now. */
  sims: readonly Simulator[];
  /** Every server that there ever was. */
  readonly ever: Simulator[];
  /** Servers that finish what they have in hand. */
  readonly leaving: Promise<void>[];
  /** The different answers to each request, by its id. */
  readonly outcomes: Outcomes;
  readonly going: Set<Promise<void>>;
  asked: number;
  readonly heard: { [what: string]: number };
  readonly wrong: string[];
  most: number;
}

type Outcomes = Map<string, Set<string>>;

/**
 * Everything at once that can happen to a gateway: requests of all kinds from many games, requests that come twice, cancellations before, in and
 * after the call, deadlines, limits, servers that fail in every way, that go and that come. Afterwards nothing may be left of it.
 */
export async function stressGateway({
  requests,
  seed,
  signal,
}: {
  requests: number;
  seed: string;
  signal: AbortSignal;
}): Promise<StressResult> {
  const began = performance.now();
  const before = { Timeout: handles('Timeout'), TCP: handles('TCP') };
  const storm = await startStorm(seed);
  const { going, heard, wrong, gateway } = storm;
  for (let n = 0; n < requests && !signal.aborted; n++) {
    await sendRequest(storm, n);
    if (n % 400 === 399) await exchange(storm, n);
    storm.most = Math.max(storm.most, gateway.debugCounters().requests);
    while (going.size >= IN_FLIGHT) await Promise.race(going);
  }
  await Promise.all(going);
  await checkNothingLeft(storm);
  checkCounts(storm);
  await closeAll(storm);
  await checkHandles(storm, before);
  const seen = storm.ever.map((one) => one.state().closes);
  const sum = (of: keyof StressResult['closes']): number => seen.reduce((all, one) => all + one[of], 0);
  const closes = { waiting: sum('waiting'), prefill: sum('prefill'), streaming: sum('streaming') };
  return { heard, wrong, closes, most: storm.most, ms: performance.now() - began };
}

async function startStorm(seed: string): Promise<Storm> {
  const hub = memoryHub();
  const bus = memoryBus({ service: 'llm-gateway', hub, graceMs: 1_000 });
  const player = memoryBus({ service: 'player', hub, resendMs: 600_000 });
  const outcomes: Outcomes = new Map();
  const sims = await Promise.all(Array.from({ length: SERVERS }, (_, n) => simulator(n)));
  const gateway = await llmGateway({
    bus: recordingOutcomes(bus, outcomes),
    now: Date.now,
    log: logger('storm', { level: 'silent' }),
    http: { host: '127.0.0.1', port: 0, keys: [], isOpen: true, graceMs: 1_000 },
    options: {
      servers: sims.map(({ url }) => ({ url, name: new URL(url).host, authorization: undefined, slots: SLOTS })),
      checkSlots: false,
      agentRpm: 6_000,
      agentBurst: 500,
      agentTpm: 10_000_000,
      agentConcurrency: 5,
      gameTokens: 500_000_000,
      graceMs: 20,
      healthEveryMs: 100,
      probeMs: 2_000,
      stallMs: 1_000,
      loadMs: 2_000,
      keepMs: 60_000,
    },
  });
  const counts = { asked: 0, heard: {}, wrong: [], most: 0 };
  const dice = diceOf(seed, 'storm');
  return { dice, hub, bus, player, gateway, sims, ever: [...sims], leaving: [], outcomes, going: new Set(), ...counts };
}

/** The same bus, which records how its handlers have answered requests for a model. */
const recordingOutcomes = (bus: Bus, outcomes: Outcomes): Bus => ({
  ...bus,
  consume: (queue, types, options, hear) =>
    bus.consume(queue, types, options, async (message, delivery) => {
      const replies = outcomes.get(message.id) ?? new Set<string>();
      if (message.type === 'llm.complete' || message.type === 'llm.embed') outcomes.set(message.id, replies);
      try {
        const reply = await hear(message, delivery);
        replies.add(JSON.stringify(reply ?? null));
        return reply;
      } catch (error) {
        replies.add(String(error));
        throw error;
      }
    }),
});

/** Sends request number `n`, sometimes twice; sometimes cancels it, and sometimes gives a server a fault. */
async function sendRequest(storm: Storm, n: number): Promise<void> {
  const { dice, player, going } = storm;
  const id = `request ${n}`;
  const message = request(dice, envelope(dice, id, dice.below(20) === 0 ? 1 + dice.below(30) : DEADLINE_MS));
  const copies = dice.below(25) === 0 ? 2 : 1;
  for (let copy = 0; copy < copies; copy++) {
    storm.asked++;
    const one: Promise<void> = ask(storm, message).finally(() => going.delete(one));
    going.add(one);
  }
  const cancel = () => player.publish(contracts.write('llm.cancel', { request: id, why: 'the storm' }, envelope(dice)));
  if (dice.below(12) === 0) await cancel();
  else if (dice.below(8) === 0) setTimeout(() => void cancel(), dice.below(25));
  if (dice.below(12) === 0) {
    const name = dice.pick(FAULTS);
    const ms = { 'slow-drip': 5, 'connection-refused': 30 }[name as string];
    await dice.pick(storm.sims as [Simulator, ...Simulator[]]).arm({ name, ...(ms === undefined ? {} : { ms }) });
  }
}

async function ask({ player, heard, wrong }: Storm, message: Message<'llm.complete' | 'llm.embed'>): Promise<void> {
  let what: string;
  try {
    const reply: Reply = await player.request(message);
    what = reply.performative === 'refuse' ? String((reply.data as { reason?: unknown }).reason) : 'done';
  } catch (error) {
    what = error instanceof RequestTimeout ? 'unanswered' : `error: ${String(error)}`;
    if (what !== 'unanswered') wrong.push(`${message.id} ended with ${what}`);
  }
  heard[what] = (heard[what] ?? 0) + 1;
}

/** One server takes no more, another comes instead, and the first goes once it has finished. */
async function exchange(storm: Storm, n: number): Promise<void> {
  const old = storm.sims[n % storm.sims.length]!;
  const fresh = await simulator(n);
  storm.ever.push(fresh);
  await changeServers(storm, { act: 'drain', server: new URL(old.url).host });
  await changeServers(storm, { act: 'add', server: fresh.url, slots: SLOTS });
  await changeServers(storm, { act: 'remove', server: new URL(old.url).host });
  storm.sims = [...storm.sims.filter((one) => one !== old), fresh];
  if (storm.dice.below(2) === 0)
    await old.close(); // what it had in hand is cut
  else storm.leaving.push(soon('the old server to finish', async () => idle(old)).then(old.close, old.close));
}

async function changeServers({ gateway }: Storm, change: Partial<ServerChange>): Promise<void> {
  const headers = { 'content-type': 'application/json', 'connection': 'close' };
  const response = await fetch(`${gateway.httpUrl}/admin/servers`, { method: 'POST', headers, body: JSON.stringify(change) });
  if (!response.ok) throw new Error(await response.text());
}

/** The envelope of a message about one of the games. */
function envelope(dice: Dice, id: string = crypto.randomUUID(), ms = SOON_MS) {
  const at = Date.now();
  return { id, source: 'player', subject: `game ${dice.below(GAMES)}`, at, replyBy: at + ms };
}

/** Waits until neither the gateway nor a server has anything in hand. */
async function checkNothingLeft({ gateway, sims, wrong }: Storm): Promise<void> {
  const left = (): readonly string[] =>
    Object.entries(gateway.debugCounters()).flatMap(([what, count]) => (count === 0 || what === 'wakes' ? [] : [`${count} ${what}`]));
  await soon('nothing to be left', async () => left().length === 0).catch(() => wrong.push(`left inside: ${left().join(', ')}`));
  await soon('idle servers', async () => sims.every(idle)).catch(() => wrong.push('a server works on something nobody waits for'));
}

/** Timers for resting servers are bounded, and every request has one answer. */
function checkCounts({ gateway, sims, outcomes, heard, asked, hub, wrong }: Storm): void {
  const { wakes } = gateway.debugCounters();
  if (wakes > sims.length * 4) wrong.push(`${wakes} timers for servers that rest`);
  for (const [id, kinds] of outcomes)
    if (kinds.size > 1) wrong.push(`${id} was answered in ${kinds.size} ways: ${[...kinds].join(' and ')}`);
  const counted = Object.values(heard).reduce((sum, count) => sum + count, 0);
  if (counted !== asked) wrong.push(`${asked} were asked and ${counted} heard of it`);
  if (hub.dead.length) wrong.push(`${hub.dead.length} dead letters`);
}

async function closeAll({ gateway, leaving, player, bus, sims }: Storm): Promise<void> {
  await gateway.close();
  await Promise.all(leaving);
  for (const one of [player, bus, ...sims]) await one.close();
}

/** Waits until there are no more timers and connections than before the storm. */
async function checkHandles({ wrong }: Storm, before: { readonly Timeout: number; readonly TCP: number }): Promise<void> {
  // Sooner than deadlines: a timer that nobody has taken back would end by itself then. Connections would not.
  for (const [what, ms] of [
    ['Timeout', DEADLINE_MS / 2],
    ['TCP', SOON_MS],
  ] as const)
    await soon(`each ${what} to end`, async () => handles(what) <= before[what], ms).catch(() =>
      wrong.push(`${handles(what)} times ${what} is left, ${before[what]} before the storm`),
    );
}

const simulator = (n: number): Promise<Simulator> =>
  startSimulator({ slots: SLOTS, decodeMsPerToken: 0.1, prefillMsPerToken: 0.15, seed: n + 1 });

const idle = (sim: Simulator): boolean => sim.state().models.every(({ busy, waiting }) => busy === 0 && waiting === 0);

/** Timers, or connections and listeners, that are there. */
const handles = (what: 'Timeout' | 'TCP'): number => process.getActiveResourcesInfo().filter((one) => one.startsWith(what)).length;

type About = Parameters<typeof contracts.write>[2];

function request(dice: Dice, about: About): Message<'llm.complete' | 'llm.embed'> {
  const agent = `${about.subject}:${dice.below(SEATS)}`;
  const text = 'Somebody at this table is a werewolf. '.repeat(1 + dice.below(20));
  if (dice.below(10) === 0) return contracts.write('llm.embed', { agent, model: 'simulated-embed', input: [text, about.id] }, about);
  const model = dice.below(40) === 0 ? 'absent' : dice.pick(['', '', '', '', 'simulated-thinking'] as const);
  const urgency = dice.pick(['critical', 'talk', 'talk', 'background'] as const);
  const format = dice.below(40) === 0 ? { $ref: '#' } : dice.pick([undefined, FORMAT, FORMAT, 'json'] as const);
  const messages = [
    { role: 'system' as const, content: `${about.id}. ${text}` }, // in no cache
    { role: 'user' as const, content: 'Whom do you vote for?' },
  ];
  const more = { ...(model ? { model } : {}), ...(format === undefined ? {} : { format }) };
  const data = { agent, urgency, kind: `kind ${dice.below(3)}`, messages, maxTokens: 8 + dice.below(60), ...more };
  return contracts.write('llm.complete', data, about);
}

/** @throws Error naming `what` when it is not so in time */
async function soon(what: string, isSo: () => Promise<boolean>, ms = SOON_MS): Promise<void> {
  const until = Date.now() + ms;
  while (!(await isSo())) {
    if (Date.now() > until) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
