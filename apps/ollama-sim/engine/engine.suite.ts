import { manualClock, type ManualClock } from './manual-clock.suite.ts';
import type { SimulatorOptions } from '../options.ts';
import { ask, linesOf, type Probe, probe, type Seen, until } from '../http-client.suite.ts';
import { type Simulator, startSimulator } from '../simulator.ts';
import type { SimulatorState } from '../simulated-server.ts';

// Shared by the engine's specs: one server at a time, on a manual clock.

export const MODEL = 'simulated:latest';
export const NAMES = [MODEL, 'simulated-b:latest', 'simulated-c:latest', 'simulated-d:latest'];

export let sim: Simulator;
export let clock: ManualClock;
export const start = async (options: SimulatorOptions): Promise<void> => {
  clock = manualClock();
  sim = await startSimulator({ clock, models: NAMES.map((name) => ({ name })), ...options });
};
export const say = (content = 'Hello there.', more: object = {}): Probe =>
  probe(sim.url, '/api/chat', { model: MODEL, messages: [{ role: 'user', content }], ...more });
/** A chat with a fault in its header. */
export const chat = (body: object, fault?: string): Probe => {
  const messages = [{ role: 'user', content: 'Say something to the table.' }];
  return probe(sim.url, '/api/chat', { model: MODEL, messages, ...body }, fault === undefined ? {} : { headers: { 'x-sim-fault': fault } });
};
export const arm = (fault: object): Promise<Seen> => ask(sim.url, '/sim/faults', fault);
type ModelState = SimulatorState['models'][number];
export const model = (name = MODEL): ModelState | undefined => sim.state().models.find((one) => one.name === name);
export const untilState = (what: string, fact: (model: ModelState) => boolean, name = MODEL): Promise<void> =>
  until(what, () => {
    const one = model(name);
    return one !== undefined && fact(one);
  });
export const free = (): Promise<void> =>
  until(
    'all is free',
    () =>
      sim.state().open === 0 &&
      sim.state().queued === 0 &&
      sim.state().models.every((one) => one.busy === 0 && one.uses === 0 && one.waiting === 0),
  );
/** Advances the clock in steps of `ms` until a condition holds. */
export const passUntil = async (what: string, ms: number, fact: () => boolean): Promise<void> => {
  await until(what, () => {
    if (!fact() && clock.sleepers() > 0) clock.advance(ms);
    return fact();
  });
};
export const answered = async (sent: Probe): Promise<Record<string, unknown>> => {
  let over = false;
  void sent.seen.finally(() => {
    over = true;
  });
  await passUntil('the answer is there', 50, () => over);
  return linesOf((await sent.seen).text).at(-1) ?? {};
};
