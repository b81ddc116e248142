import type { Bus } from '@maw/bus/bus.ts';
import type { RawDelivery, Transport } from '@maw/bus/core/transport.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Heartbeat, HeartbeatReply } from '@maw/store/ports/heartbeat.ts';
import { Conflict, type RecordedEvent, type Tapes } from '@maw/store/ports/tapes.ts';
import type { QueuedMessage } from './scheduled-hub.ts';
import type { Process } from './simulated-process.ts';

/** Faults planted in the product: ports with a mistake in them. */
export interface FaultyPorts {
  wire?(wire: Transport, process: Process): Transport;
  bus?(bus: Bus, process: Process): Bus;
  tapes?(tapes: Tapes, process: Process): Tapes;
  heartbeat?(heartbeat: Heartbeat, process: Process): Heartbeat;
  /** State kept outside of processes. */
  state?(): string;
}

/** What a plant may inspect. */
export interface Planting {
  /** The current tapes, without waiting. */
  readonly tapes: Tapes;
  held(process: Process): readonly QueuedMessage[];
  now(): number;
}

/** Makes a mistake for one run. */
export type Planter = (given: Planting) => FaultyPorts;

/** A plausible mistake in the ports of an otherwise correct service. */
export interface Planted {
  readonly says: string;
  readonly plant: Planter;
}

/** State per process; a new process starts empty. */
function each<T>(make: () => T): (process: Process) => T {
  const all = new WeakMap<Process, T>();
  return (process) => {
    if (!all.has(process)) all.set(process, make());
    return all.get(process)!;
  };
}

/** Whether a process holds a redelivered message. */
const isAgain = ({ held }: Planting, process: Process): boolean => held(process).some((letter) => letter.isAgain);

/** A wire that acknowledges parcels when `when` says so, not at the end. */
const acknowledging = (wire: Transport, when: (acknowledge: () => void) => Partial<Transport>): Transport => {
  let acknowledge = (): void => undefined;
  return {
    ...wire,
    consume: (asked, take) =>
      wire.consume(asked, (taken: RawDelivery) => {
        acknowledge = () => taken.ack();
        take(taken);
      }),
    ...when(() => acknowledge()),
  };
};

/** Stores every row under a cause that no message has. */
const withoutCauses = (rows: readonly RecordedEvent[]): readonly RecordedEvent[] =>
  rows.map((row) => ({ ...row, cause: `of ${row.cause}` }));
const forgetting = (tapes: Tapes): Tapes => ({ ...tapes, read: async (...about) => withoutCauses(await tapes.read(...about)) });

/** Lets the first process that sees an alarm claim it. */
function claiming(): FaultyPorts {
  const claimed = new Set<string>();
  return {
    tapes: (tapes) => ({
      ...tapes,
      async due(...about) {
        const due = await tapes.due(...about);
        const free = due.filter(({ table, alarm }) => !claimed.has(`${table} ${alarm}`));
        for (const { table, alarm } of free) claimed.add(`${table} ${alarm}`);
        return free;
      },
    }),
    state: () => [...claimed].join(),
  };
}

/** Delays a write until its follow-ups have been sent. */
function sayingFirst(): FaultyPorts {
  const late = each<{ write?: () => Promise<void> }>(() => ({}));
  return {
    tapes: (tapes, process) => ({
      ...tapes,
      async append(...about) {
        late(process).write = () => tapes.append(...about);
      },
    }),
    wire: (wire, process) => ({
      ...wire,
      async send(to, ...rest) {
        const { write } = late(process);
        if ('replyQueue' in to && write) {
          delete late(process).write;
          await write();
        }
        return wire.send(to, ...rest);
      },
    }),
  };
}

/** Hides all new rows from a process that lost a race, until it appends. */
function cached(tapes: Tapes): Tapes {
  let isStale = false;
  return {
    ...tapes,
    read: async (...about) => (isStale ? [] : tapes.read(...about)),
    async append(...about) {
      try {
        await tapes.append(...about);
        isStale = false;
      } catch (error) {
        isStale ||= error instanceof Conflict;
        throw error;
      }
    },
  };
}

/** Lets a process that lost a race append all the same. */
const withoutLock = (tapes: Tapes): Tapes => ({
  ...tapes,
  async append(table, after, ...rest) {
    for (let end = after; ;) {
      try {
        return await tapes.append(table, end, ...rest);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        end += (await tapes.read(table, end)).length;
      }
    }
  },
});

/** Recognises a message only by a list in memory. */
function rememberingInMemory(): FaultyPorts {
  const heard = each(() => new Map<string, Awaited<ReturnType<Parameters<Bus['consume']>[3]>>>());
  return {
    tapes: forgetting,
    bus: (bus, process) => ({
      ...bus,
      consume: (queue, types, options, hear) =>
        bus.consume(queue, types, options, async (message, delivery) => {
          const { id } = message as Message;
          const known = heard(process);
          if (!known.has(id)) known.set(id, await hear(message, delivery));
          return known.get(id);
        }),
    }),
  };
}

/** Gives repeated messages new ids. */
function newIds(given: Planting): FaultyPorts {
  return {
    bus: (bus, process) => ({
      ...bus,
      publish: (message) => bus.publish(isAgain(given, process) ? ({ ...message, id: `${message.id}/again` } as Message) : message),
    }),
  };
}

/** Changes what a gamemaster hears of its heartbeat. */
const hearing = (change: (reply: HeartbeatReply) => HeartbeatReply): FaultyPorts => ({
  heartbeat: (heartbeat) => ({ beat: async (...about) => change(await heartbeat.beat(...about)) }),
});

/** Knows what its first heartbeat has told, and nothing later. */
function believingFirst(): FaultyPorts {
  return {
    heartbeat: (heartbeat) => {
      let first: HeartbeatReply | undefined;
      return {
        async beat(...about) {
          const reply = await heartbeat.beat(...about);
          first ??= reply;
          return { ...first, now: reply.now };
        },
      };
    },
  };
}

export const PLANTED_FAULTS = {
  'acknowledge before publish': {
    says: 'a message is acknowledged when it is on the tape, before what follows is sent',
    plant: () => ({
      wire: (wire) =>
        acknowledging(wire, (acknowledge) => ({
          send(to, ...rest) {
            if ('kind' in to) acknowledge();
            return wire.send(to, ...rest);
          },
        })),
    }),
  },
  'acknowledge before append': {
    says: 'a message is acknowledged when it arrives',
    plant: () => ({
      wire: (wire) => ({
        ...wire,
        consume: (asked, take) =>
          wire.consume(asked, (taken) => {
            taken.ack();
            take(taken);
          }),
      }),
    }),
  },
  'no cause check': { says: 'a message that is on the tape is decided again', plant: () => ({ tapes: forgetting }) },
  'no lock': { says: 'who loses against another writes all the same', plant: () => ({ tapes: withoutLock }) },
  'publish before append': { says: 'what follows is said before it is written', plant: sayingFirst },
  'answer forgotten': {
    says: 'a message that comes again is not answered again',
    plant: (given) => ({
      wire: (wire, process) => ({
        ...wire,
        send: (to, ...rest) => ('replyQueue' in to && isAgain(given, process) ? Promise.resolve() : wire.send(to, ...rest)),
      }),
    }),
  },
  'new ids': { says: 'what is said again has other ids than the first time', plant: newIds },
  'follow-ups forgotten': {
    says: 'a message that comes again is answered, and what followed from it is not said again',
    plant: (given) => ({
      bus: (bus, process) => ({
        ...bus,
        publish: (message) => (isAgain(given, process) ? Promise.resolve() : bus.publish(message)),
      }),
    }),
  },
  'alarm cleared': { says: 'an alarm is cleared by whoever sees it, before anything has come of it', plant: claiming },
  'stale cache': { says: 'what is in the cache is not thrown away after a conflict', plant: () => ({ tapes: cached }) },
  'confirm not awaited': {
    says: 'what is sent is taken for sent before the broker has it',
    plant: () => ({
      bus: (bus) => ({
        ...bus,
        async publish(message) {
          void bus.publish(message);
        },
      }),
    }),
  },
  'dedupe in memory': { says: 'what was done is known in memory only', plant: rememberingInMemory },
  'conflict swallowed': {
    says: 'who loses against another believes to have written',
    plant: () => ({
      tapes: (tapes) => ({
        ...tapes,
        async append(...about) {
          await tapes.append(...about).catch((error: unknown) => {
            if (!(error instanceof Conflict)) throw error;
          });
        },
      }),
    }),
  },
  'append error swallowed': {
    says: 'who could not write believes to have written',
    plant: () => ({
      tapes: (tapes) => ({
        ...tapes,
        async append(...about) {
          await tapes.append(...about).catch((error: unknown) => {
            if (error instanceof Conflict) throw error;
          });
        },
      }),
    }),
  },
  'append repeated': {
    says: 'an append that seems to have failed is written again without a look, at the end of the tape',
    plant: () => ({
      tapes: (tapes) => ({
        ...tapes,
        async append(table, after, ...rest) {
          try {
            return await tapes.append(table, after, ...rest);
          } catch (error) {
            if (error instanceof Conflict) throw error;
            const end = after + (await tapes.read(table, after)).length;
            return tapes.append(table, end, ...rest);
          }
        },
      }),
    }),
  },
  'outage ignored': {
    says: 'the time of an outage is not given back',
    plant: () => hearing((reply) => ({ ...reply, outages: [] })),
  },
  'outage exaggerated': {
    says: 'more time is given back than was lost',
    plant: () => hearing((reply) => ({ ...reply, outages: reply.outages.map(({ from, to }) => ({ from: from - 1, to: to + 1 })) })),
  },
  'absence ignored': {
    says: 'the clock ends a turn while no player is there',
    plant: () => hearing((reply) => ({ ...reply, absences: [] })),
  },
  'absence told early': {
    says: 'the time of an absence is given back while it lasts',
    plant: () =>
      hearing((reply) => ({ ...reply, absences: reply.absences.map(({ to, ...absence }) => ({ ...absence, to: to ?? reply.now })) })),
  },
  'full disk unnoticed': {
    says: 'a gamemaster beats on though its appends fail',
    plant: () => ({
      heartbeat: (heartbeat) => ({ beat: (maxSilenceMs, options) => heartbeat.beat(maxSilenceMs, { ...options, isProbe: false }) }),
    }),
  },
  'full disk untold': {
    says: 'a gamemaster whose append failed tells no other',
    plant: () => ({
      wire: (wire) => ({
        ...wire,
        send: (to, raw, ...rest) => (raw.type === 'tape.failed' ? Promise.resolve() : wire.send(to, raw, ...rest)),
      }),
    }),
  },
  'sender ignored': {
    says: 'a query is answered whoever sent it',
    plant: () => ({
      bus: (bus) => ({
        ...bus,
        consume: (queue, types, options, handle) =>
          bus.consume(queue, types, options, (message, delivery) => handle(message, { ...delivery, sender: 'web' })),
      }),
    }),
  },
  'outage unknown': { says: 'a gamemaster knows only the outages before its start', plant: believingFirst },
} as const satisfies Readonly<Record<string, Planted>>;

export type PlantedFaultName = keyof typeof PLANTED_FAULTS;
