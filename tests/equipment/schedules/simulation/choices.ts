import type { Message } from '@maw/contracts/contracts.ts';
import { type Choice, going } from '../choice.ts';
import type { Replica } from '../replica.ts';
import type { QueuedMessage } from '../scheduled-hub.ts';
import { answersTo } from '../scripted-seats.ts';
import { ask, moveClock, type SimulationState, start } from './state.ts';

/** What may happen next, in the same order each time. */
export function choicesOf(state: SimulationState): readonly Choice[] {
  if (state.violation) return [];
  const labels = new Set<string>();
  return [
    ...turns(state),
    ...deliveries(state),
    ...alarmChecks(state),
    ...clockMoves(state),
    ...recoveries(state),
    ...duplicates(state),
  ].filter(({ label }) => !labels.has(label) && labels.add(label));
}

/** The calls that wait in a process. */
const turns = (state: SimulationState): Choice[] =>
  [...state.replicas.values()].flatMap((replica) =>
    replica.process.turns.flatMap((turn) => going(replica.process, turn, () => restart(state, replica))),
  );

/** The deliveries of queued messages, to scripted seats and to processes. */
function deliveries(state: SimulationState): Choice[] {
  const { hub } = state;
  const replicas = distinctReplicas(state);
  return hub.waiting.flatMap((message) => [
    ...(message.queue === 'player' ? [beginning(`seats take ${message.id}`, undefined, () => answer(state, message))] : []),
    ...replicas
      .filter(({ process }) => hub.canDeliver(process, message))
      .map(({ process }) => beginning(`${process.name} takes ${message.id}`, process.name, () => hub.deliver(process, message))),
  ]);
}

/** The replicas that may check the alarm that is due. A second check of the same alarm is a fault. */
function alarmChecks(state: SimulationState): Choice[] {
  const { alarm } = state.oracle;
  const { now } = state.clock;
  if (alarm === undefined || alarm > now) return [];
  const check = `${alarm}@${now} ${state.environment.key()}`;
  const fault = [...state.replicas.values()].some(({ looked }) => looked === check) ? 'twice' : undefined;
  return distinctReplicas(state)
    .filter(({ look, looked }) => look && looked !== check)
    .map((replica) => {
      const { name } = replica.process;
      return beginning(`${name} looks`, `${name} alarm`, () => checkAlarm(replica, check), fault);
    });
}

function clockMoves(state: SimulationState): Choice[] {
  const { alarm } = state.oracle;
  if (alarm === undefined || alarm <= state.clock.now || state.movesLeft <= 0) return [];
  const move = (): Promise<void> => {
    state.movesLeft--;
    return moveClock(state, alarm);
  };
  return [beginning('time passes', undefined, move)];
}

function recoveries({ environment }: SimulationState): Choice[] {
  const recovery = environment.recovery();
  return recovery ? [beginning(recovery.label, undefined, recovery.take)] : [];
}

/** Messages are duplicated before the first step only. */
const duplicates = ({ hasStarted, hub }: SimulationState): Choice[] =>
  hasStarted ? [] : hub.waiting.map((message) => beginning(`${message.id} comes twice`, undefined, () => hub.duplicate(message), 'twice'));

const beginning = (label: string, thread: string | undefined, begin: () => void | Promise<void>, fault?: 'twice'): Choice => ({
  label,
  thread,
  fault,
  kind: undefined,
  take: async () => begin(),
});

/** One replica of each group that would go on in the same way. */
function distinctReplicas({ replicas }: SimulationState): readonly Replica[] {
  const seen = new Set<string>();
  return [...replicas.values()].filter(({ process, kind, looked }) => {
    const key = `${kind} ${process.history} ${looked} ${process.turns.length}`;
    return !seen.has(key) && seen.add(key);
  });
}

async function restart(state: SimulationState, { process, kind }: Replica): Promise<void> {
  state.hub.kill(process);
  state.oracle.onDeath();
  await start(state, process.name, kind);
}

function checkAlarm(replica: Replica, check: string): void {
  replica.looked = check;
  replica.process.note('looks');
  replica.look?.();
}

/** Answers a decision for its scripted seat. */
function answer(state: SimulationState, queued: QueuedMessage): void {
  state.hub.remove(queued);
  const message = JSON.parse(queued.raw.body.toString()) as Message;
  if (message.type === 'seat.decide') for (const act of answersTo(message, state.clock.now)) ask(state, act);
}
