import { hash } from 'node:crypto';
import { memoryStore } from '../memory-store/memory-store.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import { START, TABLE, type Written } from './append.ts';
import type { Choice } from './choice.ts';
import { type Oracle, oracleFor } from './oracle.ts';
import type { Planter } from './planted-faults.ts';
import type { Scenario } from './scenarios.ts';
import { type QueuedMessage, type ScheduledHub, scheduledHub } from './scheduled-hub.ts';
import { observedHeartbeat, openRooms } from './scheduled-ports.ts';
import { choicesOf } from './simulation/choices.ts';
import { close } from './simulation/closing.ts';
import { type Environment, environmentOf } from './simulation/environment.ts';
import { ask, settle, type SimulationState, start, take } from './simulation/state.ts';

/** One run of a scenario, step by step. */
export interface Simulation {
  readonly oracle: Oracle;
  /** The first violation; nothing happens after it. */
  readonly violation: string | undefined;
  /** What may happen next, in the same order each time. */
  choices(): readonly Choice[];
  /** A hash of all that the future depends on: two simulations with the same key go on in the same way. */
  key(): string;
  take(choice: Choice): Promise<void>;
  /** Runs on without failures until nothing can happen, rings alarms that are still due, then checks the replicas and the store. */
  close(): Promise<void>;
}

export async function simulate(scenario: Scenario, begun: readonly Written[], planter: Planter | undefined): Promise<Simulation> {
  const state = await newState(scenario, begun, planter);
  const { oracle, store } = state;
  if (hasRooms(scenario) && oracle.tableState) await openRooms(oracle.tableState, store.rooms);
  for (const { name, kind } of scenario.processes) await start(state, name, kind);
  state.environment.begin();
  for (const message of scenario.commands) ask(state, message);
  await settle();
  return {
    oracle,
    get violation() {
      return state.violation;
    },
    choices: () => choicesOf(state),
    key: () => keyOf(state),
    take: (choice) => take(state, choice),
    close: () => close(state),
  };
}

const NOTHING_LOST = { outages: [], absences: [] };

const hasRooms = ({ processes }: Scenario): boolean => processes.some(({ kind }) => kind === 'chatroom');

async function newState(scenario: Scenario, begun: readonly Written[], planter: Planter | undefined): Promise<SimulationState> {
  const clock = { now: START };
  const now = (): number => clock.now;
  const store = memoryStore({ service: 'schedules' });
  for (const { after, events, writing } of begun) await store.tapes.append(TABLE, after, events, writing);
  const heartbeat = scenario.hasHeartbeat || scenario.trouble ? observedHeartbeat(now) : undefined;
  const environment = environmentOf(scenario, now);
  const oracle = oracleFor(begun, {
    now,
    hasRooms: hasRooms(scenario),
    lostAt: (at) => heartbeat?.lostAt(at) ?? [NOTHING_LOST],
    spaceAt: () => environment.spaceAt,
  });
  const tapes = checkedTapes(store.tapes, oracle, environment);
  const hub: ScheduledHub = scheduledHub(
    ['gamemaster', ...(hasRooms(scenario) ? ['chatroom'] : []), ...(scenario.seats ? ['player'] : [])],
    { onSend: oracle.onSend, onAck: (message) => oracle.onAck(message, hasCopy(hub, message)) },
    scenario.atOnce ?? 1,
  );
  return {
    clock,
    store,
    tapes,
    oracle,
    heartbeat,
    environment,
    hub,
    faults: planter?.({ tapes, held: (process) => hub.inDelivery.get(process) ?? [], now }) ?? {},
    replicas: new Map(),
    eventsBefore: begun.reduce((sum, { events }) => sum + events.length, 0),
    movesLeft: scenario.moves ?? 0,
    isBeating: scenario.trouble !== undefined,
    hasStarted: false,
    violation: undefined,
  };
}

/** Tapes whose every append the oracle checks. On a full disk it fails. */
const checkedTapes = (tapes: Tapes, oracle: Oracle, { hasSpace }: Environment): Tapes => ({
  ...tapes,
  async append(table, after, events, writing) {
    if (!hasSpace()) {
      oracle.onNoSpace();
      throw new Error('No space left on device');
    }
    await tapes.append(table, after, events, writing);
    oracle.onAppend({ after, events, writing });
  },
});

/** Whether a message is also queued or in delivery elsewhere. */
const hasCopy = ({ waiting, inDelivery }: ScheduledHub, { id, queue }: QueuedMessage): boolean =>
  [...waiting, ...[...inDelivery.values()].flat()].some((other) => other.id === id && other.queue === queue);

const byText = (a: string, b: string): number => (a < b ? -1 : 1);

function keyOf({ hub, replicas, oracle, clock, movesLeft, faults, heartbeat, environment }: SimulationState): string {
  const messages = hub.waiting.map(({ id, queue, isAgain, raw }) => `${queue} ${id} ${isAgain} ${String(raw.headers['x-attempt'])}`);
  const processes = [...replicas.values()].map(({ process, looked }) => `${process.history} ${looked}`);
  const parts = [
    processes.toSorted(byText),
    messages.toSorted(byText),
    [...oracle.sent].toSorted(byText),
    [...oracle.answers].map(([id, reply]) => `${id} ${reply}`).toSorted(byText),
    oracle.appends.map(({ after, writing, events }) => [after, writing.at, writing.cause, events.length]),
    clock.now,
    movesLeft,
    faults.state?.(),
    heartbeat?.key(),
    environment.key(),
  ];
  return hash('md5', JSON.stringify(parts));
}

const tapesBefore = new Map<Scenario, readonly Written[]>();

/** The tape on which a scenario begins: what one gamemaster appends for the commands in `before`. */
export async function begunBy(scenario: Scenario): Promise<readonly Written[]> {
  const known = tapesBefore.get(scenario);
  if (known) return known;
  const { before } = scenario;
  const alone: Scenario = { name: 'before', says: '', processes: [{ name: 'A', kind: 'gamemaster' }], before: [], commands: before };
  const simulation = await simulate(alone, [], undefined);
  await simulation.close();
  const { violation, oracle } = simulation;
  if (violation) throw new Error(`what comes before ${scenario.name} is not right: ${violation}`);
  for (const [id, answer] of oracle.answers) if (answer.includes('"refuse"')) throw new Error(`${id} of ${scenario.name}: ${answer}`);
  tapesBefore.set(scenario, oracle.appends);
  return oracle.appends;
}
