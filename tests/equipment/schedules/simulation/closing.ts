import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { TABLE } from '../append.ts';
import { PATIENCE_MS } from '../scripted-seats.ts';
import { InvariantViolation, type Process } from '../simulated-process.ts';
import { choicesOf } from './choices.ts';
import { catchViolation, moveClock, rawOf, settle, type SimulationState, take } from './state.ts';

/** An alarm that was rung without effect is rung again after this time. */
const RING_AGAIN_MS = 5_001;

/** Runs on without failures until nothing can happen, rings alarms that are still due, then checks the replicas and the store. */
export async function close(state: SimulationState): Promise<void> {
  const { clock, oracle } = state;
  await runToQuiet(state);
  for (let tries = 0; !state.violation && tries < 3 && oracle.alarm !== undefined && oracle.alarm <= clock.now; tries++) {
    await moveClock(state, clock.now + RING_AGAIN_MS);
    await runToQuiet(state);
  }
  if (!state.violation) await catchViolation(state, () => checkAll(state));
}

/** Takes the first choice without a failure until there is none. */
async function runToQuiet(state: SimulationState): Promise<void> {
  for (let left = 5_000; !state.violation && left; left--) {
    const next = choicesOf(state).find(({ fault }) => !fault);
    if (!next) return;
    await take(state, next);
  }
  state.violation ??= 'it does not come to an end';
}

/** All gamemasters must show the same table, and the store must be what the oracle expects. */
async function checkAll(state: SimulationState): Promise<void> {
  const views: string[] = [];
  for (const { process, kind } of state.replicas.values()) {
    if (kind !== 'gamemaster' || !state.oracle.tableState) continue;
    views.push(await viewOf(state, process));
    if (state.violation) return;
  }
  if (views.some((view) => view !== views[0])) throw new InvariantViolation(`the replicas do not agree: ${views.join('\nand ')}`);
  await state.oracle.checkFinalState(state.store, state.clock.now);
}

/** The reply of a gamemaster to a view of the events since the run began. */
async function viewOf(state: SimulationState, process: Process): Promise<string> {
  const { clock, hub, oracle, eventsBefore } = state;
  const id = `view by ${process.name}`;
  const about = { id, source: 'web', subject: TABLE, at: clock.now, replyBy: clock.now + PATIENCE_MS };
  const message = contracts.write('table.view', { eye: 'narrator', after: eventsBefore, limit: 5000 }, about) as Message;
  oracle.onCommand(message);
  hub.deliver(process, { queue: 'gamemaster', id, type: message.type, raw: rawOf(message), isAgain: false });
  await settle();
  await runToQuiet(state);
  return oracle.answers.get(id) ?? 'nothing';
}
