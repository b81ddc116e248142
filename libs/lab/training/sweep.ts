import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { adviser, POLICY_FILES, readPolicy } from '@maw/learning/policy/policy.ts';
import { lineChart } from '../charts/line-chart.ts';
import type { TrainingConfig } from './config.ts';
import { type Choice, readDataset } from './dataset/dataset.ts';
import { withEmbeddings } from './dataset/embeddings.ts';
import { splitByDeal } from './dataset/transitions.ts';
import type { Evaluation } from './evaluation.ts';
import { copyPolicy, createRun, parseState } from './run.ts';

/** What a policy of a sweep is judged by. */
export interface Candidate extends Evaluation {
  /** The weight of the conservative term, or `cloning`. */
  readonly rho: number | 'cloning';
}

/** What the recorded players got on the deals that were held out: the mean by game and seat, and its standard error. */
export interface RecordedReturn {
  readonly mean: number;
  readonly standardError: number;
}

/** The discounted returns of some recorded choices. */
export function recordedReturn(choices: readonly Choice[], gamma: number): RecordedReturn {
  const returns: number[] = [];
  let [sum, weight] = [0, 1];
  for (const { reward, isLast } of choices) {
    sum += weight * reward;
    weight *= gamma;
    if (!isLast) continue;
    returns.push(sum);
    [sum, weight] = [0, 1];
  }
  const mean = returns.reduce((all, each) => all + each, 0) / returns.length;
  const variance = returns.reduce((all, each) => all + (each - mean) ** 2, 0) / Math.max(1, returns.length - 1);
  return { mean, standardError: Math.sqrt(variance / returns.length) };
}

/** By how many standard errors of the recorded returns a policy must do better than the clone to be called better. */
const STANDARD_ERRORS = 2;

/**
 * The candidate of the greatest value, and whether it is better beyond doubt than the clone, by critics that know the held-out games alone.
 * Both are judged by critics, which share their mistakes: the mean that was recorded is no measure for them.
 * @param clone the candidate that was trained by cloning
 */
export function chooseCandidate<C extends Candidate>(
  clone: C,
  others: readonly C[],
  { standardError }: Pick<RecordedReturn, 'standardError'>,
): { readonly chosen: C; readonly isBetter: boolean } {
  const chosen = others.reduce((best, each) => (each.value > best.value ? each : best), clone);
  return { chosen, isBetter: chosen.heldOutValue > clone.heldOutValue + STANDARD_ERRORS * standardError };
}

/** A sweep in its folder, so that it can be continued. */
const Sweep = z.strictObject({
  format: z.literal('maw-sweep-1').default('maw-sweep-1'),
  dataset: z.string(),
  sha256: z.string(),
  gamma: z.number(),
  rhos: z.array(z.number()),
});

const fileIn = (folder: string): string => join(folder, 'sweep.json');

/** Whether a sweep has begun in a folder. */
export const isSweep = (folder: string): boolean => existsSync(fileIn(folder));

interface Training {
  readonly rho: Candidate['rho'];
  readonly folder: string;
}

/** The trainings of a sweep, the clone first. */
const trainingsOf = (out: string, rhos: readonly number[]): readonly Training[] => [
  { rho: 'cloning', folder: join(out, 'cloning') },
  ...rhos.map((rho) => ({ rho, folder: join(out, `rho-${rho}`) })),
];

/**
 * Describes a sweep in its folder, in place of any that was there: a clone, and a training for each rho.
 * @param file the dataset
 * @throws Error when the dataset cannot be trained on
 */
export function createSweep(out: string, file: string, config: TrainingConfig, rhos: readonly number[]): void {
  const sweep: z.infer<typeof Sweep> = {
    format: 'maw-sweep-1',
    dataset: resolve(file),
    sha256: readDataset(file).sha256,
    gamma: config.gamma,
    rhos: [...new Set(rhos)],
  };
  rmSync(fileIn(out), { force: true });
  for (const { rho, folder } of trainingsOf(out, sweep.rhos))
    createRun(folder, sweep.dataset, { ...config, ...(rho === 'cloning' ? { method: 'cloning' } : { rho }) });
  for (const name of Object.values(POLICY_FILES)) rmSync(join(out, name), { force: true });
  writeFileSync(fileIn(out), `${JSON.stringify(sweep, undefined, 2)}\n`);
}

/** A policy of a sweep. */
interface Row extends Candidate, Training {
  /** The share of held-out choices at which the policy does what the clone does. */
  readonly agreement: number;
}

/** What came of a sweep. The clone is the first row. */
export interface SweepResult {
  readonly rows: readonly Row[];
  readonly recorded: RecordedReturn;
  readonly chosen: Row;
  readonly isBetter: boolean;
}

/**
 * Makes the trainings of a sweep that are not finished, chooses among all, and copies the chosen policy to the folder of the sweep.
 * @param train continues the training in a folder; returns whether it was finished
 * @returns undefined when one was not finished
 * @throws Error when the dataset has changed since the sweep began
 */
export async function continueSweep(out: string, train: (folder: string) => Promise<boolean>): Promise<SweepResult | undefined> {
  const { dataset, sha256, gamma, rhos } = parseState(Sweep, fileIn(out));
  const read = readDataset(dataset, { what: `sweep in ${out}`, sha256 });
  const trainings = trainingsOf(out, rhos);
  for (const { folder } of trainings) if (!existsSync(join(folder, POLICY_FILES.card)) && !(await train(folder))) return undefined; // the card is written last
  const { encoder } = readPolicy(trainings[0]!.folder);
  const { heldOut } = splitByDeal(withEmbeddings(read, encoder, dataset));
  const rows = rowsOf(trainings, heldOut);
  const recorded = recordedReturn(heldOut, gamma);
  const result = { rows, recorded, ...chooseCandidate(rows[0]!, rows.slice(1), recorded) };
  writeFileSync(join(out, 'value-by-rho.svg'), valueChart(result));
  copyPolicy(result.chosen.folder, out);
  return result;
}

function rowsOf(trainings: readonly Training[], heldOut: readonly Choice[]): readonly Row[] {
  const tried = trainings.map(({ rho, folder }) => {
    const policy = readPolicy(folder);
    const ask = adviser(policy);
    return { rho, folder, ...policy.card.evaluation!, tactics: heldOut.map((choice) => ask(choice).tactic) };
  });
  const cloned = tried[0]!.tactics;
  return tried.map(({ tactics, ...row }) => ({
    ...row,
    agreement: tactics.filter((tactic, i) => tactic === cloned[i]).length / tactics.length,
  }));
}

function valueChart({ rows, recorded }: SweepResult): string {
  const line = { name: 'fitted Q evaluation', points: rows.map(({ value }, i) => [i, value] as const) };
  const before = { name: 'recorded players', points: [0, rows.length - 1].map((i) => [i, recorded.mean] as const) };
  const places = rows.map(({ rho }) => String(rho));
  return lineChart({ title: 'Value on held-out deals by rho', x: 'rho', lines: [line, before], places });
}
