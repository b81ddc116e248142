import { hash } from 'node:crypto';
import { setImmediate as soon } from 'node:timers';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { memoryStore } from '@maw/store/memory.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import { type Choice, going } from './choice.ts';
import { type QueuedMessage, scheduledHub } from './scheduled-hub.ts';
import type { Planter } from './planted-faults.ts';
import { Broken, type Process } from './simulated-process.ts';
import { type Replica, startReplica } from './replica.ts';
import type { Scenario } from './scenarios.ts';
import { openRooms } from './scheduled-ports.ts';
import { answersTo, PATIENCE_MS } from './scripted-seats.ts';
import { START, TABLE, type Written } from './append.ts';
import { type Oracle, oracleFor } from './oracle.ts';

/** One run of a scenario, step by step. */
export interface Simulation {
  readonly truth: Oracle;
  /** The violation; nothing happens any more. */
  readonly broken: string | undefined;
  /** The possible next steps, in a stable order. */
  choices(): readonly Choice[];
  /** A key of everything that determines the future: simulations with equal keys continue in the same way. */
  key(): string;
  take(choice: Choice): Promise<void>;
  /** Rings missed alarms, lets every replica finish its reports, and checks all invariants. */
  close(): Promise<void>;
}

/** After this an alarm that nobody acted on rings again. */
const RING_AGAIN_MS = 5_001;

const byText = (a: string, b: string): number => (a < b ? -1 : 1);

export async function simulate(scenario: Scenario, begun: readonly Written[], planted: Planter | undefined): Promise<Simulation> {
  const clock = { now: START };
  const now = (): number => clock.now;
  const store = memoryStore({ service: 'schedules' });
  for (const { after, events, writing } of begun) await store.tapes.append(TABLE, after, events, writing);
  const hasRooms = scenario.processes.some(({ kind }) => kind === 'chatroom');
  const truth = oracleFor(begun, now, hasRooms);
  const { rooms } = store;
  let broken: string | undefined;
  let moves = scenario.moves ?? 0;
  let steps = 0;

  const office = scheduledHub(
    ['gamemaster', ...(hasRooms ? ['chatroom'] : []), ...(scenario.seats ? ['player'] : [])],
    {
      sent: (to, parcel) => truth.sending(to, parcel),
      acknowledged: (letter) => truth.acknowledged(letter, isElsewhere(letter)),
    },
    scenario.atOnce ?? 1,
  );
  const isElsewhere = ({ id, queue }: QueuedMessage): boolean =>
    [...office.waiting, ...[...office.held.values()].flat()].some((letter) => letter.id === id && letter.queue === queue);

  const tapes: Tapes = {
    ...store.tapes,
    async append(table, after, events, writing) {
      await store.tapes.append(table, after, events, writing);
      truth.written({ after, events, writing });
    },
  };
  const plant = planted?.({ tapes, held: (process) => office.held.get(process) ?? [], now }) ?? {};

  const replicas = new Map<string, Replica>();
  const start = async (name: string, kind: Replica['kind']): Promise<void> =>
    void replicas.set(name, await startReplica(name, kind, { office, plant, tapes, rooms, now }));

  const settled = (): Promise<void> => new Promise((resolve) => void soon(resolve));

  async function die(name: string): Promise<void> {
    const { process, kind } = replicas.get(name)!;
    office.died(process);
    await start(name, kind);
  }

  /** Who may start something; one of several identical replicas stands for all. */
  function beginners(): readonly Replica[] {
    const seen = new Set<string>();
    return [...replicas.values()].filter(({ process, kind, looked }) => {
      const is = `${kind} ${process.history} ${looked} ${process.turns.length}`;
      return !seen.has(is) && seen.add(is);
    });
  }

  function beginnings(): Choice[] {
    const out: Choice[] = [];
    const add = (label: string, thread: string | undefined, begin: () => void, fault?: 'twice'): void =>
      void (out.some((one) => one.label === label) || out.push({ label, thread, fault, kind: undefined, take: async () => begin() }));
    const all = beginners();
    for (const letter of office.waiting) {
      if (letter.queue === 'player') add(`seats take ${letter.id}`, undefined, () => answer(letter));
      for (const { process } of all)
        if (office.mayTake(process, letter)) add(`${process.name} takes ${letter.id}`, process.name, () => office.give(process, letter));
    }
    const { wake } = truth;
    const moment = `${wake}@${clock.now}`;
    const isSeen = [...replicas.values()].some(({ looked }) => looked === moment);
    for (const replica of wake !== undefined && wake <= clock.now ? all : [])
      if (replica.look && replica.looked !== moment)
        add(`${replica.process.name} looks`, `${replica.process.name} alarm`, () => look(replica, moment), isSeen ? 'twice' : undefined);
    if (wake !== undefined && wake > clock.now && moves > 0)
      add('time passes', undefined, () => {
        moves--;
        clock.now = wake;
      });
    return out;
  }

  function look(replica: Replica, moment: string): void {
    replica.looked = moment;
    replica.process.note('looks');
    replica.look?.();
  }

  function answer(letter: QueuedMessage): void {
    office.pull(letter);
    const message = JSON.parse(letter.parcel.body.toString()) as Message;
    for (const act of message.type === 'seat.decide' ? answersTo(message, clock.now) : []) ask(act);
  }

  function ask(message: Message): void {
    truth.ask(message);
    const body = Buffer.from(JSON.stringify(message));
    const { id, type } = message;
    office.hub.send({ kind: 'command', type }, { id, type, body, headers: {}, replyTo: 'client', correlationId: id });
  }

  async function take(choice: Choice): Promise<void> {
    steps++;
    try {
      await choice.take();
      await settled();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      broken = error.message;
    }
  }

  /** What continues by itself, in any order. */
  async function calm(): Promise<void> {
    for (let left = 5_000; !broken && left; left--) {
      const next = world.choices().find(({ fault }) => !fault);
      if (!next) return;
      await take(next);
    }
    broken ??= 'it does not come to an end';
  }

  async function lookOver(): Promise<void> {
    const told = new Map<string, string>();
    for (const { process, kind } of replicas.values()) {
      if (kind !== 'gamemaster' || !truth.ledger) continue;
      told.set(process.name, await viewOf(process));
      if (broken) return;
    }
    const [first, ...others] = told.values();
    if (others.some((other) => other !== first)) throw new Broken(`the replicas do not agree: ${[...told.values()].join('\nand ')}`);
    await truth.quiet(store, clock.now);
  }

  /** The earlier state is the same for all. */
  const known = begun.reduce((sum, { events }) => sum + events.length, 0);
  async function viewOf(process: Process): Promise<string> {
    const id = `view by ${process.name}`;
    const about = { id, source: 'web', subject: TABLE, at: clock.now, replyBy: clock.now + PATIENCE_MS };
    const message = contracts.write('table.view', { eye: 'narrator', after: known, limit: 5000 }, about) as Message;
    const parcel = {
      id,
      type: message.type,
      body: Buffer.from(JSON.stringify(message)),
      headers: {},
      replyTo: 'client',
      correlationId: id,
    };
    truth.ask(message);
    office.give(process, { queue: 'gamemaster', id, type: message.type, parcel, isAgain: false });
    await settled();
    await calm();
    return truth.answers.get(id) ?? 'nothing';
  }

  const world: Simulation = {
    truth,
    get broken() {
      return broken;
    },
    choices() {
      if (broken) return [];
      const seen = new Set<string>();
      const on = [...replicas.values()].flatMap(({ process }) =>
        process.turns.flatMap((turn) => going(process, turn, () => die(process.name))),
      );
      const twice = steps
        ? []
        : office.waiting.map((letter): Choice => ({
            label: `${letter.id} comes twice`,
            thread: undefined,
            fault: 'twice',
            kind: undefined,
            take: async () => office.copy(letter),
          }));
      return [...on, ...beginnings(), ...twice].filter(({ label }) => !seen.has(label) && seen.add(label));
    },
    key() {
      const letters = office.waiting.map(
        ({ id, queue, isAgain, parcel }) => `${queue} ${id} ${isAgain} ${String(parcel.headers['x-attempt'])}`,
      );
      const processes = [...replicas.values()].map(({ process, looked }) => `${process.history} ${looked}`);
      const parts = [
        processes.toSorted(byText),
        letters.toSorted(byText),
        [...truth.sent].toSorted(byText),
        [...truth.answers].map(([id, said]) => `${id} ${said}`).toSorted(byText),
        truth.wrote.map(({ after, writing, events }) => [after, writing.at, writing.cause, events.length]),
        clock.now,
        moves,
        plant.state?.(),
      ];
      return hash('md5', JSON.stringify(parts));
    },
    take,
    async close() {
      await calm();
      for (let tries = 0; !broken && tries < 3 && truth.wake !== undefined && truth.wake <= clock.now; tries++) {
        clock.now += RING_AGAIN_MS;
        await calm();
      }
      if (broken) return;
      try {
        await lookOver();
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        broken = error.message;
      }
    },
  };

  if (hasRooms && truth.ledger) await openRooms(truth.ledger, rooms);
  for (const { name, kind } of scenario.processes) await start(name, kind);
  for (const message of scenario.commands) ask(message);
  await settled();
  steps = 0;
  return world;
}

/** The tape on which a scenario begins. */
export async function begunBy(scenario: Scenario): Promise<readonly Written[]> {
  const known = tapes.get(scenario);
  if (known) return known;
  const { before } = scenario;
  const alone: Scenario = { name: 'before', says: '', processes: [{ name: 'A', kind: 'gamemaster' }], before: [], commands: before };
  const world = await simulate(alone, [], undefined);
  await world.close();
  if (world.broken) throw new Error(`what comes before ${scenario.name} is not right: ${world.broken}`);
  for (const [id, answer] of world.truth.answers) if (answer.includes('"refuse"')) throw new Error(`${id} of ${scenario.name}: ${answer}`);
  tapes.set(scenario, world.truth.wrote);
  return world.truth.wrote;
}
const tapes = new Map<Scenario, readonly Written[]>();
