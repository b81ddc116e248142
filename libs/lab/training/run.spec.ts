import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { formatDataset, parseDataset } from './dataset/dataset.ts';
import { splitByDeal, transitionsOf } from './dataset/transitions.ts';
import { observe, recordTalk3 } from '@maw/bench/learning/talk-3-games.ts';
import { isOver, speak, type Talk3, TALK_3_TACTICS, valueOf, beginnings } from '@maw/bench/learning/talk-3.ts';
import { adviser, readPolicy } from '@maw/learning/policy/policy.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { TrainingConfig, type TrainingOptions } from './config.ts';
import { criticValues } from './evaluation.ts';
import { continueRun, createRun, stepsOf } from './run.ts';
import { trainInWorker } from './train-in-worker.ts';

const folder = temporaryFolder();

const games = recordTalk3({ games: 400, behaviour: 'expert-mix', seed: '1' });
const file = join(folder, 'games.jsonl');
beforeAll(() => writeFileSync(file, formatDataset(games)));
const config = (given: TrainingOptions = {}) => TrainingConfig.parse({ steps: 50, hidden: [8], ...given });
const policyOf = (run: string) => readFileSync(join(run, 'policy.safetensors'));
const cardOf = (run: string) => JSON.parse(readFileSync(join(run, 'policy.json'), 'utf8')) as { readonly [field: string]: unknown };
const none = new AbortController().signal;

/** Runs a training that is killed once so many steps are made. */
const killAt = (run: string, steps: number): void =>
  expect(() =>
    continueRun(run, (step) => {
      if (step >= steps) throw new Error('killed');
    }),
  ).toThrow('killed');

describe('a training', () => {
  it('killed at 60 % and resumed gives the same weights', () => {
    const [whole, killed] = [join(folder, 'whole'), join(folder, 'killed')];
    for (const run of [whole, killed]) createRun(run, file, config({ evaluateEvery: 20 }));
    continueRun(whole, () => {});
    killAt(killed, 30 + 2 * 67); // it was evaluated at 20
    const resumed: number[] = [];
    continueRun(killed, (step) => resumed.push(step));
    expect(resumed[0]).toBeGreaterThan(20); // it did not begin again
    expect(policyOf(killed)).toEqual(policyOf(whole));
    const curveOf = (run: string) => JSON.parse(readFileSync(join(run, 'curve.json'), 'utf8')) as { step: number; value?: number }[];
    expect(curveOf(killed)).toEqual(curveOf(whole));
    const evaluated = curveOf(whole).filter(({ value }) => value !== undefined);
    expect(evaluated.map(({ step }) => step)).toEqual([20, 40, 50]);
    expect(evaluated.at(-1)).toMatchObject(cardOf(whole)['evaluation'] as object);
    expect(readFileSync(join(whole, 'value-curve.svg'), 'utf8')).toContain('held-out games alone');
  });

  it('of a clone has a card with what it went by: no rho, no targets, one critic', () => {
    const run = join(folder, 'clone');
    createRun(run, file, config({ method: 'cloning', steps: 5 }));
    continueRun(run, () => {});
    const { training, critics } = cardOf(run) as { training: object; critics: number };
    expect(Object.keys(training)).toEqual(expect.arrayContaining(['method', 'steps', 'gamma']));
    expect([critics, Object.keys(training).filter((name) => /^(rho|critics|quantiles|targetInterval)$/.test(name))]).toEqual([1, []]);
  });

  it('tells how many steps it takes with its evaluations', () => {
    const steps = stepsOf(config({ steps: 300, evaluateEvery: 100 })); // evaluated at 100, 200 and the end, twice 400 steps each time
    expect([steps, stepsOf(config({ steps: 300 }))]).toEqual([300 + 3 * 2 * 400, 300 + 2 * 400]);
    const run = join(folder, 'told');
    createRun(run, file, config({ steps: 300, evaluateEvery: 100 }));
    const told: number[] = [];
    continueRun(run, (done) => told.push(done));
    expect([told.at(-1), told.every((done, i) => i === 0 || done >= told[i - 1]!)]).toEqual([steps, true]);
  });

  it('on a thread gives the same, and can be interrupted', async () => {
    const [here, there] = [join(folder, 'here'), join(folder, 'there')];
    for (const run of [here, there]) createRun(run, file, config({ steps: 1_000 }));
    continueRun(here, () => {});
    const stop = new AbortController();
    expect(await trainInWorker(there, stop.signal, () => stop.abort())).toBe(false);
    expect(() => readPolicy(there)).toThrow('policy.json is missing');
    expect(await trainInWorker(there, none, () => {})).toBe(true);
    expect(policyOf(there)).toEqual(policyOf(here));
  });

  it('finds a policy that cloning does not, and serves what it learnt', async () => {
    const run = join(folder, 'learnt');
    const settings = { steps: 1_200, hidden: [32, 32], rho: 0.3 };
    createRun(run, file, config(settings));
    expect(await trainInWorker(run, none, () => {})).toBe(true);
    const policy = readPolicy(run);
    const ask = adviser(policy);
    const worth = valueOf((state) => TALK_3_TACTICS.indexOf(ask(observe(state)).tactic as (typeof TALK_3_TACTICS)[number]));
    expect(worth).toBeGreaterThan(0.7);
    expect(policy.card.evaluation!.value).toBeGreaterThan(0.4);
    expect(policy.card.evaluation!.heldOutValue).toBeGreaterThan(0.4);

    const states: Talk3[] = beginnings().flatMap((state) => [state, speak(state, 0), speak(speak(state, 0), 3)]);
    expect(states.some(isOver)).toBe(false);
    const choices = states.map((state) => ({ ...games.choices[0]!, ...observe(state) }));
    const head = { tactics: 6, quantiles: 1 };
    const data = transitionsOf(games, choices, policy.encoder);
    const trained = criticValues(policy.critics, data, head);
    choices.forEach((choice, i) =>
      ask(choice).values.forEach((value, tactic) => expect(Math.abs(value - trained[i * 6 + tactic]!)).toBeLessThan(1e-5)),
    );
  });

  it('holds deals out whole, about one in five', () => {
    const { train, heldOut } = splitByDeal(parseDataset(formatDataset(games), 'games'));
    const deals = new Set(train.map(({ deal }) => deal));
    expect(heldOut.filter(({ deal }) => deals.has(deal))).toEqual([]);
    expect(train.length + heldOut.length).toBe(1_200);
    expect(Math.abs(heldOut.length / 1_200 - 0.2)).toBeLessThan(0.05);
  });

  it('refuses data and checkpoints that are not its own', () => {
    const run = join(folder, 'changed');
    const own = join(folder, 'own.jsonl');
    writeFileSync(own, formatDataset(games));
    createRun(run, own, config());
    killAt(run, 30);
    writeFileSync(join(run, 'run.json'), readFileSync(join(run, 'run.json'), 'utf8').replace('"rho": 0.3', '"rho": 4'));
    expect(() => continueRun(run, () => {})).toThrow('checkpoint.safetensors is of another run');
    writeFileSync(own, formatDataset(recordTalk3({ games: 40, behaviour: 'uniform', seed: '2' })));
    expect(() => continueRun(run, () => {})).toThrow('own.jsonl has changed since the training');
    expect(() => createRun(run, file, config({ encoder: 'embed:x' }))).toThrow('"embed:x" is no encoder');
    expect(() => continueRun(folder, () => {})).toThrow('there is no training in');
    writeFileSync(own, formatDataset({ ...games, choices: games.choices.slice(0, 3) }));
    expect(() => createRun(run, own, config())).toThrow('has too few deals');
    writeFileSync(join(run, 'run.json'), readFileSync(join(run, 'run.json'), 'utf8').slice(0, 40));
    expect(() => continueRun(run, () => {})).toThrow('run.json is damaged: begin the training again');
  });

  it('writes no policy when it diverges', () => {
    const [run, huge] = [join(folder, 'huge'), join(folder, 'huge.jsonl')];
    writeFileSync(huge, formatDataset({ ...games, choices: games.choices.map((choice) => ({ ...choice, reward: 1e300 })) }));
    createRun(run, huge, config());
    expect(() => continueRun(run, () => {})).toThrow('huge has diverged: train with a lower learning rate');
    expect(() => readPolicy(run)).toThrow('policy.json is missing');
  });
});
