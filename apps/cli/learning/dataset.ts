import { readFileSync, writeFileSync } from 'node:fs';
import { formatDataset, parseDataset } from '@maw/learning/dataset/dataset.ts';
import { splitByDeal } from '@maw/learning/dataset/transitions.ts';
import { recordTalk3, type Talk3Games } from '@maw/learning/environments/talk-3-games.ts';
import { sha256 } from '@maw/learning/policy/policy.ts';
import { recordedReturn } from '@maw/learning/training/sweep.ts';
import { numberColumns, say } from '../output.ts';

type RecordOptions = Omit<Talk3Games, 'listeners'> & { readonly babbling: boolean };

/** `maw dataset talk-3`. */
export function recordDataset(file: string, { babbling, ...options }: RecordOptions): void {
  const dataset = recordTalk3({ ...options, ...(babbling ? { listeners: ['babbling'] } : {}) });
  writeFileSync(file, formatDataset(dataset));
  say(`${file}: ${dataset.source}; ${dataset.choices.length} choices`);
}

/** `maw dataset show`. @throws Error that says where the file is wrong */
export function showDataset(file: string, { json }: { readonly json: boolean }): void {
  const text = readDatasetFile(file);
  const dataset = parseDataset(text, file);
  const { choices, tactics, source } = dataset;
  const roles = [...Map.groupBy(choices, ({ role }) => role)].map(([role, own]) => ({
    role,
    choices: own.length,
    shares: tactics.map((tactic) => own.filter((choice) => choice.tactic === tactic).length / own.length),
  }));
  const about = {
    source,
    choices: choices.length,
    games: new Set(choices.map(({ game }) => game)).size,
    deals: new Set(choices.map(({ deal }) => deal)).size,
    heldOut: splitByDeal(dataset).heldOut.length,
    meanReturn: recordedReturn(choices, 1).mean,
    sha256: sha256(text),
  };
  if (json) {
    say(JSON.stringify({ ...about, tactics, roles }));
    return;
  }
  say(`${source}\n${about.choices} choices in ${about.games} games of ${about.deals} deals; ${about.heldOut} choices are held out`);
  say(`mean points of a seat in a game ${about.meanReturn.toFixed(3)}; SHA-256 ${about.sha256}\n`);
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  say(numberColumns([['  role', ...tactics], ...roles.map(({ role, shares }) => [`  ${role}`, ...shares.map(percent)])]));
}

/** @throws Error when there is no such file */
export function readDatasetFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`the dataset ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
