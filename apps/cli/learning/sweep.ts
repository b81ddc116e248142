import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Choice, parseDataset } from '@maw/lab/training/dataset/dataset.ts';
import { withEmbeddings } from '@maw/lab/training/dataset/embeddings.ts';
import { splitByDeal } from '@maw/lab/training/dataset/transitions.ts';
import { adviser, POLICY_FILES, readPolicy, sha256 } from '@maw/learning/policy/policy.ts';
import { createRun, parseState } from '@maw/lab/training/run.ts';
import { type Candidate, chooseCandidate, type RecordedReturn, recordedReturn } from '@maw/lab/training/sweep.ts';
import { z } from 'zod';
import { numberColumns, say } from '../output.ts';
import { readDatasetFile } from './dataset.ts';
import { lineChart } from '@maw/lab/charts/line-chart.ts';
import { configOf, copyPolicy, resumePolicy, runTraining, type TrainOptions } from './policy.ts';

type SweepOptions = TrainOptions & { readonly rhos: readonly number[]; readonly json: boolean };

/** A sweep in its folder, so that it can be continued. */
const Sweep = z.strictObject({
  format: z.literal('maw-sweep-1').default('maw-sweep-1'),
  dataset: z.string(),
  sha256: z.string(),
  gamma: z.number(),
  rhos: z.array(z.number()),
});
type Sweep = z.infer<typeof Sweep>;

const SWEEP_FILE = 'sweep.json';

interface Row extends Candidate {
  /** The share of held-out choices at which the policy does what the clone does. */
  readonly agreement: number;
  readonly folder: string;
}

/** `maw policy sweep`: a policy for each rho, and the one that does best on held-out deals. @throws Error */
export async function sweepPolicies(file: string, { rhos, json, ...options }: SweepOptions, signal: AbortSignal): Promise<number> {
  const { out } = options;
  const config = configOf(options);
  const sweep: Sweep = {
    format: 'maw-sweep-1',
    dataset: resolve(file),
    sha256: sha256(readDatasetFile(file)),
    gamma: config.gamma,
    rhos: [...new Set(rhos)],
  };
  rmSync(join(out, SWEEP_FILE), { force: true });
  for (const { rho, folder } of trainingsOf(out, sweep))
    createRun(folder, sweep.dataset, { ...config, ...(rho === 'cloning' ? { method: 'cloning' } : { rho }) });
  for (const name of Object.values(POLICY_FILES)) rmSync(join(out, name), { force: true });
  writeFileSync(join(out, SWEEP_FILE), `${JSON.stringify(sweep, undefined, 2)}\n`);
  return resumeSweep(out, { json }, signal);
}

/** `maw policy resume`. @throws Error when there is neither a training nor a sweep, or its dataset has changed */
export const resumeAny = (folder: string, options: { readonly json: boolean }, signal: AbortSignal): Promise<number> =>
  existsSync(join(folder, SWEEP_FILE)) ? resumeSweep(folder, options, signal) : resumePolicy(folder, options, signal);

/**
 * Makes the trainings of a sweep that are not finished, chooses among all, and prints the choice.
 * @throws Error when the dataset has changed since the sweep began
 */
async function resumeSweep(out: string, { json }: { readonly json: boolean }, signal: AbortSignal): Promise<number> {
  const sweep = parseState(Sweep, join(out, SWEEP_FILE));
  const text = readDatasetFile(sweep.dataset);
  if (sha256(text) !== sweep.sha256) throw new Error(`${sweep.dataset} has changed since the sweep in ${out} began`);
  const trainings = trainingsOf(out, sweep);
  for (const { folder } of trainings) {
    if (existsSync(join(folder, POLICY_FILES.card))) continue; // it is written last
    process.stderr.write(`training ${folder}\n`);
    if (!(await runTraining(folder, signal))) {
      process.stderr.write(`interrupted; continue with: maw policy resume ${out}\n`);
      return 130;
    }
  }
  const { encoder } = readPolicy(trainings[0]!.folder);
  const { heldOut } = splitByDeal(withEmbeddings(parseDataset(text, sweep.dataset), encoder, sweep.dataset));
  report(rowsOf(trainings, heldOut), recordedReturn(heldOut, sweep.gamma), out, json);
  return 0;
}

/** The trainings of a sweep, the clone first. */
function trainingsOf(out: string, { rhos }: Sweep): readonly Pick<Row, 'rho' | 'folder'>[] {
  return [{ rho: 'cloning', folder: join(out, 'cloning') }, ...rhos.map((rho) => ({ rho, folder: join(out, `rho-${rho}`) }))];
}

function rowsOf(trainings: readonly Pick<Row, 'rho' | 'folder'>[], heldOut: readonly Choice[]): readonly [Row, ...Row[]] {
  const tried = trainings.map(({ rho, folder }) => {
    const policy = readPolicy(folder);
    const ask = adviser(policy);
    return { rho, folder, ...policy.card.evaluation!, tactics: heldOut.map((choice) => ask(choice).tactic) };
  });
  const cloned = tried[0]!.tactics;
  const [clone, ...others] = tried.map(({ tactics, ...row }) => {
    const agreement = tactics.filter((tactic, i) => tactic === cloned[i]).length / tactics.length;
    return { ...row, agreement };
  });
  return [clone!, ...others];
}

function report([clone, ...others]: readonly [Row, ...Row[]], recorded: RecordedReturn, out: string, json: boolean): void {
  const rows = [clone, ...others];
  const { chosen, isBetter } = chooseCandidate(clone, others, recorded);
  const line = { name: 'fitted Q evaluation', points: rows.map(({ value }, i) => [i, value] as const) };
  const before = { name: 'recorded players', points: [0, rows.length - 1].map((i) => [i, recorded.mean] as const) };
  const places = rows.map(({ rho }) => String(rho));
  writeFileSync(
    join(out, 'value-by-rho.svg'),
    lineChart({ title: 'Value on held-out deals by rho', x: 'rho', lines: [line, before], places }),
  );
  if (json) {
    for (const row of rows) say(JSON.stringify({ ...row, isChosen: row === chosen }));
    say(JSON.stringify({ recorded, isBetter }));
  } else {
    const cells = rows.map(({ rho, value, heldOutValue, agreement }) => [
      `  ${rho}`,
      value.toFixed(3),
      heldOutValue.toFixed(3),
      `${(100 * agreement).toFixed(0)} %`,
    ]);
    say(numberColumns([['  rho', 'value', 'held-out games alone', 'as the clone'], ...cells]));
    say(`\nThe recorded players got ${recorded.mean.toFixed(3)} there, ± ${recorded.standardError.toFixed(3)}.`);
    const than = isBetter ? 'better than the clone' : 'which is no better than the clone beyond doubt';
    say(`Chosen: ${chosen === clone ? 'the clone; no other does better' : `${chosen.rho}, ${than}`}.`);
  }
  copyPolicy(chosen.folder, out);
}
