import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { observe } from '@maw/lab/training/environments/talk-3-games.ts';
import { bestTactic, TALK_3_TACTICS, valueOf } from '@maw/lab/training/environments/talk-3.ts';
import { adviser, type Policy, POLICY_FILES, readPolicy } from '@maw/learning/policy/policy.ts';
import { PRESETS, TrainingConfig, type TrainingOptions } from '@maw/lab/training/config.ts';
import { createRun, readCurve, readRun } from '@maw/lab/training/run.ts';
import { trainInWorker } from '@maw/lab/training/train-in-worker.ts';
import { say } from '../output.ts';
import { createProgress } from '../progress.ts';
import { readDatasetFile } from './dataset.ts';
import { lineChart } from '@maw/lab/charts/line-chart.ts';

export type TrainOptions = TrainingOptions & { readonly preset: keyof typeof PRESETS; readonly out: string };

/** The config that some options ask for. */
export function configOf({ preset, out: _, ...given }: TrainOptions): TrainingConfig {
  return TrainingConfig.parse({ ...PRESETS[preset], ...given });
}

/** `maw policy train`. @throws Error */
export async function trainPolicy(file: string, options: TrainOptions, signal: AbortSignal): Promise<number> {
  readDatasetFile(file);
  createRun(options.out, resolve(file), configOf(options));
  return resumePolicy(options.out, { json: false }, signal);
}

/** Continues one training, and prints its policy. @throws Error when there is no training, or its dataset has changed */
export async function resumePolicy(folder: string, { json }: { readonly json: boolean }, signal: AbortSignal): Promise<number> {
  if (await runTraining(folder, signal)) {
    showPolicy(folder, { talk3: false, json });
    return 0;
  }
  process.stderr.write(`interrupted; continue with: maw policy resume ${folder}\n`);
  return 130;
}

/** Trains what a folder asks for, with a progress bar, and draws the learning curve. Returns whether it was finished. */
export async function runTraining(folder: string, signal: AbortSignal): Promise<boolean> {
  const { config } = readRun(folder);
  const bar = createProgress(process.stderr, config.steps);
  if (!(await trainInWorker(folder, signal, bar.at).finally(bar.end))) return false;
  const curve = readCurve(folder);
  const isCloning = config.method === 'cloning';
  const lines = [
    ...(isCloning ? [] : [{ name: 'temporal difference', points: curve.map((each) => [each.step, each.temporalDifference] as const) }]),
    ...(isCloning || config.rho > 0
      ? [
          {
            name: isCloning ? 'negative log-likelihood' : 'conservative term',
            points: curve.map((each) => [each.step, each.conservatism] as const),
          },
        ]
      : []),
  ];
  writeFileSync(join(folder, 'learning-curve.svg'), lineChart({ title: 'Loss by step', x: 'step', lines }));
  return true;
}

/** `maw policy show`. @throws Error when the policy is incomplete, or its parts do not belong together */
export function showPolicy(folder: string, { talk3, json }: { readonly talk3: boolean; readonly json: boolean }): void {
  const policy = readPolicy(folder);
  const { card } = policy;
  const worth = talk3 ? { talk3: { value: talk3Value(policy), best: valueOf(bestTactic) } } : {};
  if (json) {
    say(JSON.stringify({ ...card, ...worth }));
    return;
  }
  const { data, training, evaluation } = card;
  const rows = [
    ['encoder', card.encoder],
    ['tactics', card.tactics.join(', ')],
    ['critics', `${card.critics}, with layers of ${card.widths.join('-')}`],
    ['trained on', `${data.source}: ${data.choices} choices, SHA-256 ${data.sha256}`],
    ['parameters', Object.entries(training).map(([name, value]) => `${name} ${String(value)}`).join(', ')], // prettier-ignore
    ['on held-out deals', evaluation ? `${evaluation.value.toFixed(3)} by fitted Q evaluation` : 'not evaluated'],
    ['weights', `SHA-256 ${card.weightsSha256}`],
    ...('talk3' in worth ? [['in Talk-3', `${worth.talk3.value.toFixed(3)}, of ${worth.talk3.best.toFixed(3)} at best`]] : []),
  ];
  for (const [name, value] of rows) say(`${name!.padEnd(18)} ${value}`);
}

/** What a policy is worth in Talk-3. @throws Error when it has other tactics, or needs a model */
export function talk3Value(policy: Policy): number {
  const { tactics, encoder } = policy.card;
  if (policy.encoder.model !== undefined) throw new Error(`--talk-3 is for encoders that need no model; this policy has ${encoder}`);
  if (tactics.join() !== TALK_3_TACTICS.join())
    throw new Error(`the tactics of Talk-3 are ${TALK_3_TACTICS.join(', ')}; this policy has others`);
  const ask = adviser(policy);
  return valueOf((state) => tactics.indexOf(ask(observe(state)).tactic));
}

/** `maw policy export`. @throws Error as `showPolicy` */
export function exportPolicy(folder: string, { out }: { readonly out: string }): void {
  copyPolicy(folder, out);
  for (const name of Object.values(POLICY_FILES)) say(join(out, name));
}

/** Checks a policy and copies its files. @throws Error as `showPolicy` */
export function copyPolicy(from: string, to: string): void {
  readPolicy(from);
  mkdirSync(to, { recursive: true });
  for (const name of Object.values(POLICY_FILES)) copyFileSync(join(from, name), join(to, name));
}
