import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Dataset, formatDataset, parseDataset } from '@maw/lab/training/dataset/dataset.ts';
import { choicesOfPublished } from '@maw/lab/training/dataset/published-games.ts';
import type { Reward } from '@maw/lab/training/dataset/rewards.ts';
import { TACTICS_004 } from '@maw/learning/policy/tactics.ts';
import { splitByDeal } from '@maw/lab/training/dataset/transitions.ts';
import { recordTalk3, type Talk3Games } from '@maw/lab/training/environments/talk-3-games.ts';
import { sha256 } from '@maw/learning/policy/policy.ts';
import { recordedReturn } from '@maw/lab/training/sweep.ts';
import { numberColumns, say } from '../output.ts';

type RecordOptions = Omit<Talk3Games, 'listeners'> & { readonly babbling: boolean };

/** `maw dataset talk-3`. */
export function recordDataset(file: string, { babbling, ...options }: RecordOptions): void {
  writeDataset(file, recordTalk3({ ...options, ...(babbling ? { listeners: ['babbling'] } : {}) }));
}

/**
 * `maw dataset import`.
 * @param paths of published games, or of folders with them
 * @throws Error that says which file is wrong, and where
 */
export function importDataset(file: string, paths: readonly string[], { reward }: { readonly reward: Reward }): void {
  const games = paths.flatMap(gameFiles);
  const choices = games.flatMap((path) => choicesOfPublished(readDatasetFile(path), basename(path), reward));
  const source = `${games.length} games published with document 004, reward ${reward}`;
  writeDataset(file, { format: 'maw-tactics-1', tactics: [...TACTICS_004], source, choices });
}

function gameFiles(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const games = readdirSync(path).filter((name) => name.endsWith('.json')).toSorted(); // prettier-ignore
  if (!games.length) throw new Error(`${path} has no games: no file there ends in .json`);
  return games.map((name) => join(path, name));
}

/** Writes a dataset that can be read again. @throws Error that says what is wrong with it; nothing is written then */
export function writeDataset(file: string, dataset: Dataset): void {
  const text = formatDataset(dataset);
  parseDataset(text, file);
  writeFileSync(file, text);
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
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
