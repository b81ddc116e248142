import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { type ReplyData, contracts, type ContractName, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { phaseOf } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { type CompletionReply, type CompletionRequest, type Mind, type Moment, newMind, type Recipe } from '@maw/minds/mind.ts';
import { think } from '@maw/minds/think.ts';
import { newsFromEvent, type OpenVerbs, updateVerbs } from '@maw/minds/news.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Store } from '@maw/store/store.ts';
import { logger } from '@maw/telemetry/log.ts';

type GatewayOptions = Parameters<typeof llmGateway>[0]['options'];
type View = ReplyData<'table.view'>;

interface Terms {
  /** The rule set. */
  readonly rules: string;
  readonly table: string;
  readonly seed: string;
  readonly recipe: Recipe;
  readonly gateway: GatewayOptions;
  /** Where the recording lies; the tape is in a store of its own. */
  readonly recordings: Store['recordings'];
  readonly options: { readonly [name: string]: string | number | boolean };
}

export interface Played {
  readonly tape: readonly RecordedEvent[];
  /** How many completions were asked for, and why those that failed did. */
  readonly asked: number;
  readonly failed: readonly string[];
}

const NAMES = ['Ada', 'Bo', 'Cleo', 'Dan', 'Eve'];
/** How often everybody has a turn before a phase is left to end by its clock. */
const MAX_TURNS = 3;
/** A moment of no importance, the same in every game: the clock goes on only when nothing is left to do before the next alarm. */
const BEGINNING = Date.parse('2100-01-01T00:00:00Z');

/** What one seat carries through the game. */
interface SeatState {
  readonly seat: number;
  mind: Mind;
  verbs: OpenVerbs;
  seen: number;
  iteration: number;
  phase: string;
  standing: { [question: string]: readonly string[] };
  refused: string[];
}

/** One game in progress. */
interface Game {
  readonly terms: Terms;
  readonly store: Store;
  /** The bus of each service that asks on behalf of the seats. */
  readonly buses: { readonly web: Bus; readonly player: Bus };
  clock: number;
  /** Messages sent so far; numbers the ids. */
  messages: number;
  /** Completions asked for so far. */
  asked: number;
  readonly failed: string[];
  /** What the minds read of the rules. */
  rules: { readonly name: string; readonly text: string };
}

/**
 * Plays one whole game in strict turns: the real gamemaster, chatroom and gateway on a bus in memory, and a mind for each seat that thinks when
 * it is its turn and never at the same time as another. Nothing in it depends on how long anything takes.
 */
export async function playInTurns(terms: Terms): Promise<Played> {
  const opened: { close(): Promise<unknown> }[] = [];
  const keep = <T extends { close(): Promise<unknown> }>(part: T): T => {
    opened.push(part);
    return part;
  };
  const hub = memoryHub();
  const store = keep(memoryStore());
  const log = logger('turns', { level: 'silent' });
  const busOf = (service: string) => keep(memoryBus({ service, hub }));
  const buses = { web: busOf('web'), player: busOf('player') };
  const rules = { name: terms.rules, text: '' };
  const game: Game = { terms, store, buses, clock: BEGINNING, messages: 0, asked: 0, failed: [], rules };
  const now = (): number => game.clock;
  const { gateway, recordings } = terms;
  try {
    keep(await gamemaster({ bus: busOf('gamemaster'), tapes: store.tapes, now, log, options: { alarmEveryMs: 0 } }));
    keep(await chatroom({ bus: busOf('chatroom'), rooms: store.rooms, now, options: { speechesPerSecond: 1_000, burst: 1_000 } }));
    keep(await llmGateway({ bus: busOf('llm-gateway'), now: Date.now, log, options: gateway, recordings }));
    return await play(game);
  } finally {
    for (const part of opened.toReversed()) await part.close();
  }
}

async function play(game: Game): Promise<Played> {
  const { store, terms } = game;
  await openTable(game);
  const seats = NAMES.map((_, seat): SeatState => ({
    seat,
    mind: newMind,
    verbs: {},
    seen: 0,
    iteration: 0,
    phase: '',
    standing: {},
    refused: [],
  }));
  for (let isOver = false; !isOver;) {
    await takeTurns(game, seats);
    await passTime(game);
    isOver = (await store.tapes.read(terms.table)).some(({ event }) => event.type === 'closed');
  }
  return { tape: await store.tapes.read(terms.table), asked: game.asked, failed: game.failed };
}

/** Opens the table, fills its seats, and reads its rules. */
async function openTable(game: Game): Promise<void> {
  const { rules, options, seed } = game.terms;
  const seats = NAMES.map(() => ({ kind: 'person' as const }));
  dataOf(await request(game, 'web', 'table.open', { rules, seats, options, seed, rounds: 1, lobbyMs: 60_000, pauseMs: 0 }));
  for (const [seat, name] of NAMES.entries()) dataOf(await request(game, 'web', 'table.join', { seat, name }));
  const { sets } = dataOf(await request(game, 'web', 'table.rules', { rules, players: NAMES.length, options }));
  game.rules = { name: rules, text: sets[0]!.text! };
}

/** Lets the seats take turns until nobody is asked anything, or everybody has had enough turns. */
async function takeTurns(game: Game, seats: readonly SeatState[]): Promise<void> {
  let isAsked = true;
  for (let turns = 0; isAsked && turns < MAX_TURNS; turns++) {
    isAsked = false;
    for (const own of seats) isAsked = (await takeTurn(game, own)) || isAsked;
  }
}

/** Advances the clock to the next alarm, if there is one, and waits until it has been handled. */
async function passTime(game: Game): Promise<void> {
  const { tapes } = game.store;
  const [alarm] = await tapes.due(Number.MAX_SAFE_INTEGER, 1);
  if (!alarm) return;
  game.clock = Math.max(game.clock, alarm.alarm);
  const { id, subject, at } = envelope(game, 'gamemaster');
  await game.buses.web.publish(contracts.write('table.tick', { alarm: alarm.alarm }, { id, source: 'gamemaster', subject, at }));
  while ((await tapes.due(alarm.alarm, 1)).length) await new Promise((resolve) => setImmediate(resolve));
}

/** One turn of one seat. Returns whether it was asked anything. */
async function takeTurn(game: Game, own: SeatState): Promise<boolean> {
  const view = dataOf(await request(game, 'web', 'table.view', { eye: own.seat, after: own.seen, limit: 5_000 }));
  if (!view.asked.length) return false;
  const phase = phaseOf(view.asked[0]!.id);
  if (phase !== own.phase) Object.assign(own, { phase, iteration: 0, standing: {} });
  own.mind = await think(game.terms.recipe, own.mind, momentOf(game, own, view), {
    complete: (completion) => complete(game, own.seat, completion),
    embed: () => Promise.reject(new Error('the game has no embeddings')),
    record: async () => {},
    now: () => game.clock,
    signal: new AbortController().signal,
  });
  own.refused = [];
  await sendAnswers(game, own, view.asked);
  return true;
}

/** What the seat thinks about now. Its state then includes what it has just seen. */
function momentOf({ terms: { recipe, seed }, clock, rules }: Game, own: SeatState, view: View): Moment {
  const news = view.seen.map((seen) => {
    own.verbs = updateVerbs(own.verbs, seen);
    return newsFromEvent(seen, { names: NAMES, verbs: own.verbs, isRead: false });
  });
  own.seen = view.last;
  return {
    recipe: recipe.name,
    table: seed,
    seat: own.seat,
    name: NAMES[own.seat]!,
    now: clock,
    until: view.asked[0]!.until,
    phase: own.phase,
    round: 1,
    questions: view.asked,
    news,
    rules,
    iteration: own.iteration++,
    standing: own.standing,
    refused: own.refused,
    brief: view.brief,
    contextTokens: recipe.contextTokens,
    players: NAMES.map((name, other) => ({ seat: other, name, alive: view.alive[other]! })),
    seed: `${seed}/${own.seat}/${own.phase}`,
    isTimeShort: false,
    mustChoose: false,
  };
}

/** Sends what the mind has answered, and notes which answers stand and which were refused. */
async function sendAnswers(game: Game, own: SeatState, questions: View['asked']): Promise<void> {
  const { seat } = own;
  for (const { question, says } of own.mind.answers) {
    const q = questions.find(({ id }) => id === question)!;
    const reply =
      q.verb === 'say' && q.room !== undefined
        ? await request(game, 'web', 'room.speak', { room: q.room, seat, text: says[0]! })
        : await request(game, 'web', 'table.act', { seat, question, says: [...says] });
    if (reply.performative === 'agree') own.standing[question] = says;
    else own.refused.push(JSON.stringify(reply.data));
  }
}

/** @throws Refusal when the gateway does not agree; the game counts it */
async function complete(game: Game, seat: number, { messages, format, ...rest }: CompletionRequest): Promise<CompletionReply> {
  game.asked++;
  const data = {
    ...rest,
    agent: `${game.terms.table}:${seat}`,
    messages: messages.map((each) => ({ ...each })),
    ...(format ? { format: { ...format } } : {}),
  };
  const reply = await request(game, 'player', 'llm.complete', data);
  if (reply.performative === 'agree') return reply.data as CompletionReply;
  const { reason, detail } = reply.data as { reason: 'failed'; detail?: string };
  game.failed.push(detail ?? reason);
  throw new Refusal(reason, detail);
}

/** The envelope of the next message about the table. */
function envelope(game: Game, source: string) {
  const { table } = game.terms;
  return { id: `${table}:${++game.messages}`, source, subject: table, at: game.clock, replyBy: game.clock + 60_000 };
}

function request<N extends ContractName>(game: Game, source: keyof Game['buses'], name: N, data: object): Promise<Reply<ReplyData<N>>> {
  return game.buses[source].request(contracts.write(name, data as never, envelope(game, source)) as unknown as Message<N>);
}

/** @throws Error with the whole reply unless it agrees or informs */
function dataOf<R>(reply: Reply<R>): R {
  if (reply.performative !== 'agree' && reply.performative !== 'inform') throw new Error(JSON.stringify(reply));
  return reply.data as R;
}
