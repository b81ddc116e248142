import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { it } from '@jest/globals';
import type { Division } from './answer-text.ts';

const FOLDERS = { protocol: 'aiwolf', natural: 'aiwolf-nlp' } as const;
const data = (division: Division): URL => new URL(`../../../../shared/data/${FOLDERS[division]}/`, import.meta.url);

/** A conversation of a published server with one agent. */
export interface Capture {
  readonly name: string;
  readonly division: Division;
  /** What the server sent, in order. */
  readonly packets: readonly string[];
}

interface Line {
  readonly dir: 'S' | 'C' | 'X';
  readonly line?: string;
  readonly text?: string;
}

function readCapture(division: Division, file: string): Capture {
  const lines = readFileSync(new URL(file, data(division)), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  const packets = lines.flatMap(({ dir, line, text = line }) => (dir === 'S' ? [text!] : []));
  return { name: file.replace('.jsonl', ''), division, packets };
}

/** The captures of both divisions; none where they are not installed. */
export const captures: readonly Capture[] = (['protocol', 'natural'] as const).flatMap((division) => {
  if (!existsSync(data(division))) return [];
  const files = readdirSync(data(division)).filter((file) => /^(?:n\d+-[A-Z]|probe-).*\.jsonl$/.test(file));
  return files.toSorted().map((file) => readCapture(division, file));
});

/** The log of the game that a capture is of; undefined when it was not kept. */
export function logOf({ name, division, packets }: Capture): string | undefined {
  if (division === 'natural') return readFileSync(new URL(`${name.replace(/-(?:[A-Z]+\d?|seat\d)$/, '')}.log`, data(division)), 'utf8');
  const roles = Object.values((JSON.parse(packets.at(-1)!) as { gameInfo: { roleMap: object } }).gameInfo.roleMap).join();
  const logs = readdirSync(data(division)).filter((file) => file.endsWith('.log') && file.startsWith(name.split('-')[0]!));
  return logs
    .map((file) => readFileSync(new URL(file, data(division)), 'utf8'))
    .find((log) => [...log.matchAll(/^0,status,\d+,([A-Z]+)/gm)].map(([, role]) => role).join() === roles);
}

/** A test that the captures are for, skipped where they are not installed. */
export const withCaptures = captures.length ? it : it.skip;
