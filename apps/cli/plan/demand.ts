import { TARGET_UTILISATION } from '@maw/llm-gateway/scheduler/estimation/demand.ts';
import { base, call, limits, memories, rows, shares, type RecipeLoad } from './measured.ts';

/** What is planned for. */
export interface PlanTerms {
  /** At the same time. */
  readonly games: number;
  readonly load: RecipeLoad;
  /** How long a game takes; assumed. */
  readonly minutes: number;
  /** How long a call holds a slot; assumed. */
  readonly callSeconds: number;
  /** Tokens of an answer; assumed. */
  readonly answerTokens: number;
  /** Per million tokens. */
  readonly price: { readonly prompt: number; readonly answer: number };
}

export interface ServiceDemand {
  readonly name: string;
  /** Processors that are busy. */
  readonly processors: number;
  /** Undefined for servers that are not ours. */
  readonly mebibytes: number | undefined;
}

/** What those games need, as a rate or at any time. */
export interface Demand {
  readonly gamesPerSecond: number;
  readonly callsPerGame: number;
  readonly callsPerSecond: number;
  readonly services: readonly ServiceDemand[];
  readonly messagesPerSecond: number;
  readonly eventsPerSecond: number;
  readonly rowsPerDay: number;
  readonly bytesPerDay: number;
  /** Busy on average, and to have, so that there is room for bursts. */
  readonly slots: { readonly busy: number; readonly wanted: number };
  readonly tokensPerGame: { readonly prompt: number; readonly answer: number };
  readonly costPerGame: number;
  /** The longest that a decision can take without waiting for a slot, in seconds. */
  readonly decisionSeconds: number;
  readonly limits: readonly LimitUse[];
}

/** How much of something is used that one cell has once. */
export interface LimitUse {
  readonly name: string;
  readonly used: number;
  readonly of: number;
  readonly unit: string;
  /** Games at once at which it is used up. */
  readonly games: number;
}

const DAY_S = 86_400;
/** A process uses one core; busier than this it answers late. */
const BUSY = 0.7;

/** Computes what games at once need from what one game was measured to need. All of it is linear in their number. */
export function demandOf(terms: PlanTerms): Demand {
  const { games, load, minutes, callSeconds, answerTokens, price } = terms;
  const gamesPerSecond = games / (minutes * 60);
  const callsPerGame = load.decisions * load.calls;
  const callsPerSecond = gamesPerSecond * callsPerGame;
  const messagesPerSecond = gamesPerSecond * (base.messages.value + callsPerGame * call.messages.value);
  const eventsPerSecond = gamesPerSecond * base.events.value;
  const thoughts = callsPerGame * rows.thoughts.value;
  const bytesPerGame =
    base.events.value * rows.event.value +
    rows.lines.value * rows.line.value +
    thoughts * rows.thought.value +
    (callsPerGame ? load.seats * rows.seat.value : 0);
  const busy = callsPerSecond * callSeconds;
  const tokens = { prompt: load.decisions * load.promptTokens, answer: callsPerGame * answerTokens };
  return {
    gamesPerSecond,
    callsPerGame,
    callsPerSecond,
    services: servicesOf(terms, gamesPerSecond, callsPerGame),
    messagesPerSecond,
    eventsPerSecond,
    rowsPerDay: gamesPerSecond * DAY_S * (base.events.value + rows.lines.value + thoughts + (callsPerGame ? load.seats : 0)),
    bytesPerDay: gamesPerSecond * DAY_S * bytesPerGame,
    slots: { busy, wanted: Math.ceil(busy / TARGET_UTILISATION) },
    tokensPerGame: tokens,
    costPerGame: (tokens.prompt * price.prompt + tokens.answer * price.answer) / 1e6,
    decisionSeconds: load.chain * callSeconds,
    limits: [
      limitOf('calls of models', callsPerSecond, limits.gateway, games),
      limitOf('messages', messagesPerSecond, limits.broker, games),
      limitOf('events', eventsPerSecond, limits.tape, games),
    ].toSorted((a, b) => a.games - b.games),
  };
}

function servicesOf({ games }: PlanTerms, gamesPerSecond: number, callsPerGame: number): readonly ServiceDemand[] {
  const ofCalls: Readonly<Record<string, number>> = {
    'llm-gateway': call.gateway.value,
    'player': call.player.value,
    'rabbitmq': call.messages.value * call.broker.value,
  };
  return Object.entries(shares).map(([name, share]) => {
    const isServer = share.unit === 'of both servers';
    const seconds = share.value * (isServer ? base.servers.value : base.services.value) + callsPerGame * (ofCalls[name] ?? 0);
    const processors = gamesPerSecond * seconds;
    const own = memories[name as keyof typeof memories] as (typeof memories)['player'] | undefined;
    const processes = name === 'llm-gateway' ? 1 : Math.max(1, Math.ceil(processors / BUSY));
    return { name, processors, mebibytes: own && processes * own.rest.value + games * own.game.value };
  });
}

function limitOf(name: string, used: number, { value, unit }: { readonly value: number; readonly unit: string }, games: number): LimitUse {
  return { name, used, of: value, unit, games: used ? Math.floor((games * value) / used) : Infinity };
}
