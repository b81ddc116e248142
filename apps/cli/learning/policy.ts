import { join, resolve } from 'node:path';
import { PRESETS, TrainingConfig, type TrainingOptions } from '@maw/lab/training/config.ts';
import { createRun, readRun, stepsOf } from '@maw/lab/training/run.ts';
import { continueSweep, createSweep, isSweep, type SweepResult } from '@maw/lab/training/sweep.ts';
import { trainInWorker } from '@maw/lab/training/train-in-worker.ts';
import { readPolicy, readPolicyFiles } from '@maw/learning/policy/policy.ts';
import { servedPolicy } from '@maw/learning/policy/served-policy.ts';
import { pgliteStore } from '@maw/store/pglite.ts';
import type { CliConfig } from '../config.ts';
import { hasStore, type StoreOptions, withStore } from '../maintenance/open-store.ts';
import { aside, dayOf, numberColumns, say, sayList } from '../output.ts';
import { prepareFolder } from '../prepare-folder.ts';
import { withProgress } from '../progress.ts';

type TrainOptions = TrainingOptions & { readonly preset: keyof typeof PRESETS; readonly out: string };

const configOf = ({ preset, out: _, ...given }: TrainOptions): TrainingConfig => TrainingConfig.parse({ ...PRESETS[preset], ...given });

/** `maw policy train`. @throws Error */
export function trainPolicy(file: string, options: TrainOptions, signal: AbortSignal): Promise<number> {
  createRun(options.out, resolve(file), configOf(options));
  return resumePolicy(options.out, { json: false }, signal);
}

/** `maw policy sweep`: a policy for each rho, and the one that does best on held-out deals. @throws Error */
export function sweepPolicies(
  file: string,
  { rhos, json, ...options }: TrainOptions & Pick<StoreOptions, 'json'> & { readonly rhos: readonly number[] },
  signal: AbortSignal,
): Promise<number> {
  createSweep(options.out, file, configOf(options), rhos);
  return resumePolicy(options.out, { json }, signal);
}

/**
 * `maw policy resume`: continues a training or a sweep, and prints its policy or its choice. Returns the exit code.
 * @throws Error when there is neither, or its dataset has changed
 */
export async function resumePolicy(folder: string, { json }: Pick<StoreOptions, 'json'>, signal: AbortSignal): Promise<number> {
  const train = (of: string): Promise<boolean> =>
    withProgress(stepsOf(readRun(of).config), (onProgress) => trainInWorker(of, signal, onProgress));
  if (isSweep(folder)) {
    const result = await continueSweep(folder, (of) => {
      aside(`training ${of}`);
      return train(of);
    });
    if (result) return printSweep(result, json);
  } else if (await train(folder)) return showPolicy(folder, { json });
  aside(`interrupted; continue with: maw policy resume ${folder}`);
  return 130;
}

function printSweep({ rows, recorded, chosen, isBetter }: SweepResult, json: boolean): 0 {
  if (json) {
    for (const row of rows) say(JSON.stringify({ ...row, isChosen: row === chosen }));
    say(JSON.stringify({ recorded, isBetter }));
    return 0;
  }
  const cells = rows.map(({ rho, value, heldOutValue, agreement }) => [
    `  ${rho}`,
    value.toFixed(3),
    heldOutValue.toFixed(3),
    `${(100 * agreement).toFixed(0)} %`,
  ]);
  say(numberColumns([['  rho', 'value', 'held-out games alone', 'as the clone'], ...cells]));
  say(`\nThe recorded players got ${recorded.mean.toFixed(3)} there, ± ${recorded.standardError.toFixed(3)}.`);
  const than = isBetter ? 'better than the clone' : 'which is no better than the clone beyond doubt';
  say(`Chosen: ${chosen === rows[0] ? 'the clone; no other does better' : `${chosen.rho}, ${than}`}.`);
  return 0;
}

/** `maw policy show`. @throws Error when the policy is incomplete, or its parts do not belong together */
export function showPolicy(folder: string, { json }: Pick<StoreOptions, 'json'>): 0 {
  const { card } = readPolicy(folder);
  const { data, training, evaluation } = card;
  const rows = [
    ['encoder', card.encoder],
    ['tactics', card.tactics.join(', ')],
    ['critics', `${card.critics}, with layers of ${card.widths.join('-')}`],
    ['trained on', `${data.source}: ${data.choices} choices, SHA-256 ${data.sha256}`],
    ['parameters', Object.entries(training).map(([name, value]) => `${name} ${String(value)}`).join(', ')], // prettier-ignore
    ['on held-out deals', evaluation ? `${evaluation.value.toFixed(3)} by fitted Q evaluation` : 'not evaluated'],
    ['weights', `SHA-256 ${card.weightsSha256}`],
  ];
  if (json) say(JSON.stringify(card));
  else for (const [name, value] of rows) say(`${name!.padEnd(18)} ${value}`);
  return 0;
}

/** `maw policy import`. @throws Error that says what is wrong with the policy, or its name */
export async function importPolicy(folder: string, options: StoreOptions & { readonly as: string }, config: CliConfig): Promise<void> {
  const { as: name, data, json } = options;
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(name))
    throw new Error(`a policy has a name of letters, digits, _ and -, at most 60; ${name.slice(0, 60)} is none`);
  readPolicy(folder); // its messages name the files
  const { card, weights } = readPolicyFiles(folder);
  const file = { card: card as { readonly [field: string]: unknown }, weights: weights.toString('base64') };
  servedPolicy({ ...file, name, version: 0 });
  if (!(await hasStore(options, config))) {
    await prepareFolder(data, '--data');
    await (await pgliteStore({ folder: join(data, 'tables'), service: 'maw' })).close();
  }
  const version = await withStore(options, config, async (store) => store.policies.add({ name, at: await store.now(), ...file }));
  if (json) say(JSON.stringify({ policy: `${name}@${version}` }));
  else say(`It is ${name}@${version}. Seat it with tactic=rl and policy=${name}@${version}.`);
}

/** What `maw policy list` tells of a policy. */
interface ListedCard {
  readonly encoder?: string;
  readonly training?: { readonly method?: string; readonly rho?: number };
  readonly data?: { readonly source?: string };
}

/** `maw policy list`. */
export const listPolicies = (options: StoreOptions, config: CliConfig): Promise<void> =>
  withStore(options, config, async ({ policies }) =>
    sayList(await policies.list(), options.json, {
      none: 'There is no policy; maw policy import FOLDER --as NAME stores one.',
      header: ['policy', 'stored', 'encoder', 'trained by', 'on'],
      row: ({ name, version, at, card }) => {
        const { encoder, training, data } = card as ListedCard;
        const method = training?.method === 'cloning' ? 'cloning' : `rho ${training?.rho}`;
        return [`${name}@${version}`, dayOf(at), String(encoder), method, String(data?.source)];
      },
    }),
  );
