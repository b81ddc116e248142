import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { root } from './repository.ts';

const FOLDER = join(root, '../shared/data/field');

/** The text of a collected input of users of such systems, which is not part of this repository; undefined where it is not at hand. */
export function fieldInput(name: string): string | undefined {
  const path = join(FOLDER, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The lines of a collected input with a JSON value in each; none where it is not at hand. */
export const fieldLines = (name: string): readonly unknown[] =>
  (fieldInput(name)?.trim().split('\n') ?? []).map((line) => JSON.parse(line) as unknown);

/** The rows of a collected table below its header; fields in quotes may have commas and doubled quotes. None where it is not at hand. */
export const fieldRows = (name: string): readonly (readonly string[])[] =>
  (fieldInput(name)?.trim().split('\n').slice(1) ?? []).map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!),
  );

/** `describe` where a collected input is at hand; else it is skipped under its name. */
export const describeField = (name: string): typeof describe | typeof describe.skip =>
  fieldInput(name) === undefined ? describe.skip : describe;
