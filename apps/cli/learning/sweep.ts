import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDataset } from '@maw/learning/dataset/dataset.ts';
import { splitByDeal } from '@maw/learning/dataset/transitions.ts';
import { adviser, readPolicy } from '@maw/learning/policy/policy.ts';
import { createRun } from '@maw/learning/training/run.ts';
import { type Candidate, chooseCandidate, type RecordedReturn, recordedReturn } from '@maw/learning/training/sweep.ts';
import { numberColumns, say } from '../output.ts';
import { readDatasetFile } from './dataset.ts';
import { lineChart } from './line-chart.ts';
import { configOf, copyPolicy, runTraining, type TrainOptions } from './policy.ts';

type SweepOptions = TrainOptions & { readonly rhos: readonly number[]; readonly json: boolean };

interface Row extends Candidate {
  /** The share of held-out choices at which the policy does what the clone does. */
  readonly agreement: number;
  readonly folder: string;
}

/** `maw policy sweep`: a policy for each rho, and the one that does best on held-out deals. @throws Error */
export async function sweepPolicies(file: string, { rhos, json, ...options }: SweepOptions, signal: AbortSignal): Promise<number> {
  const dataset = parseDataset(readDatasetFile(file), file);
  const { heldOut } = splitByDeal(dataset);
  const folders = [...new Set(rhos)].map((rho) => ({ rho, folder: join(options.out, `rho-${rho}`) }));
  const clone = join(options.out, 'cloning');
  const config = configOf(options);
  createRun(clone, resolve(file), { ...config, method: 'cloning' });
  for (const { rho, folder } of folders) createRun(folder, resolve(file), { ...config, rho });
  for (const folder of [clone, ...folders.map((each) => each.folder)]) {
    process.stderr.write(`training ${folder}\n`);
    if (!(await runTraining(folder, signal))) {
      process.stderr.write('interrupted: a sweep begins again from the start; a single training can be resumed\n');
      return 130;
    }
  }
  const choicesOf = (folder: string): readonly string[] => {
    const ask = adviser(readPolicy(folder));
    return heldOut.map((choice) => ask(choice).tactic);
  };
  const cloned = choicesOf(clone);
  const rowOf = (rho: Row['rho'], folder: string): Row => {
    const own = choicesOf(folder);
    const agreement = own.filter((tactic, i) => tactic === cloned[i]).length / own.length;
    return { rho, folder, agreement, ...readPolicy(folder).card.evaluation! };
  };
  const rows = [rowOf('cloning', clone), ...folders.map(({ rho, folder }) => rowOf(rho, folder))] as const;
  report(rows, recordedReturn(heldOut, config.gamma), options.out, json);
  return 0;
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
    say(`Chosen: ${chosen.rho}, ${isBetter ? 'better than the clone' : 'which is no better than the clone beyond doubt'}.`);
  }
  copyPolicy(chosen.folder, out);
}
