import { pollUntil } from '@maw/async/poll-until.ts';
import { whyNoServers } from '@maw/tests/equipment/servers/restartable-server.ts';
import { benchmark, type BenchmarkContext } from '../benchmark.ts';
import { integer, names, type Values } from '../options.ts';
import { PLAYERS, RULES } from '../scale/table-opener.ts';
import { type BusySystem, type KillableServers, startBusySystem, startKillableServers } from './busy-system.ts';
import { type Kill, killAndWait, KILLS } from './kills.ts';
import { type KillTimes, recoveryTable, type RecoveryTimes } from './recovery-times.ts';

const OPEN_MS = 240_000;

const options = {
  rounds: integer('how often each is killed', { fallback: 3 }),
  tables: integer('about how many tables are played', { fallback: 20 }),
  only: names('only kill these', [...new Set(KILLS.map(({ at }) => at))]),
};

export const recovery = benchmark({
  name: 'recovery',
  description: 'the time after each kind of kill until games go on',
  options,
  findObstacle: whyNoServers,
  async measure(values, context) {
    const kills = KILLS.filter(({ at }) => values.only?.includes(at) ?? true);
    const times = new Map<Kill, RecoveryTimes[]>(kills.map((kill) => [kill, []]));
    context.say('starting a broker and a database');
    const servers = await startKillableServers();
    try {
      for (const replicas of [2, 1]) {
        const some = kills.filter((kill) => kill.replicas === replicas);
        if (some.length) await killAll(some, { values, replicas, servers, context }, (kill, one) => times.get(kill)!.push(one));
      }
    } finally {
      await servers.close();
    }
    const all = [...times].map(([kill, each]): KillTimes => ({ kill: kill.says, times: each }));
    const text = `About ${values.tables} tables of ${PLAYERS} minds of ${RULES}, one of them with a simulated model. Medians with their range.`;
    return { text: `${text}\n\n${recoveryTable(all)}`, json: [{ ...values, struck: all }] };
  },
});

interface Stage {
  readonly values: Values<typeof options>;
  readonly replicas: number;
  readonly servers: KillableServers;
  readonly context: BenchmarkContext;
}

/** Starts `replicas` of each service, and performs these kills one after another, in rounds. */
async function killAll(kills: readonly Kill[], stage: Stage, note: (kill: Kill, times: RecoveryTimes) => void): Promise<void> {
  const { values, replicas, servers } = stage;
  const { signal, say } = stage.context;
  signal.throwIfAborted();
  const busy = await startBusySystem(servers, { tables: values.tables, replicas });
  try {
    say(replicas === 1 ? 'starting one process of each service' : `starting ${replicas} processes of each service`);
    if (!(await busy.system.isOpen(OPEN_MS, signal))) {
      signal.throwIfAborted();
      throw new Error('the services did not start');
    }
    await untilPlaying(busy, stage);
    for (let round = 0; round < values.rounds; round++)
      for (const kill of kills) {
        const times = await killAndWait(kill, { servers, busy, signal });
        note(kill, times);
        say(`round ${round + 1}, ${kill.says}: ${timesText(times)}`);
      }
  } finally {
    await busy.close();
  }
}

/** @throws TimeoutError after four minutes: ask for fewer with --tables */
const untilPlaying = (system: BusySystem, { values, context }: Stage): Promise<true> =>
  pollUntil(`${values.tables} tables are played (otherwise ask for fewer with --tables)`, () => system.playing().size >= values.tables, {
    timeoutMs: OPEN_MS,
    everyMs: 500,
    signal: context.signal,
    lastSeen: () => system.playing().size,
  });

function timesText({ first, all, back, ready }: RecoveryTimes): string {
  const seconds = (ms: number): string => (Number.isNaN(ms) ? '-' : `${(ms / 1_000).toFixed(1)} s`);
  return `first after ${seconds(first)}, all tables ${seconds(all)}, as before ${seconds(back)}, ready ${seconds(ready)}`;
}
