import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ThoughtStep } from '@maw/lab/thoughts/recorded-thoughts.ts';
import type { WholeDecision } from '@maw/lab/thoughts/read-thoughts.ts';
import { exportThoughts } from './export-thoughts.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maw-export-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function* stepsOf(count: number): AsyncGenerator<ThoughtStep> {
  for (let step = 1; step <= count; step++) yield { step, kind: 'plan', name: 'plan', at: step, content: { plan: 'wait' } };
}
const decisionOf = (n: number, steps: AsyncGenerator<ThoughtStep>): Promise<WholeDecision> =>
  Promise.resolve({ decision: { n, seat: 0, decision: `d${n}`, began: 1, ended: 2, steps: 2 }, steps });
const write = (decisions: Iterable<Promise<WholeDecision>>, name = 'thoughts.jsonl') =>
  exportThoughts(decisions, { table: 't1', nameOf: () => 'Ann', file: join(folder, name) });

it('writes all steps of all decisions, a line each', async () => {
  expect(await write([decisionOf(1, stepsOf(2)), decisionOf(2, stepsOf(1))])).toBe(0);
  const lines = (await readFile(join(folder, 'thoughts.jsonl'), 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
  expect(lines.map(({ attributes }) => [attributes['maw.decision.number'], attributes['maw.step.number']])).toEqual([[1, 1], [1, 2], [2, 1]]); // prettier-ignore
});

it('leaves no file behind when there is nothing, or reading fails half way', async () => {
  const failing = async function* (): AsyncGenerator<ThoughtStep> {
    yield* stepsOf(1);
    throw new Error('gone');
  };
  expect(await write([])).toBe(1);
  await expect(write([decisionOf(1, failing())])).rejects.toThrow('gone');
  expect(await readdir(folder)).toEqual([]);
  await mkdir(join(folder, 'folder'));
  await expect(write([decisionOf(1, stepsOf(1))], 'folder')).rejects.toThrow(/folder cannot be written \(EISDIR\)/);
  expect(await readdir(folder)).toEqual(['folder']);
  await expect(write([], 'no/such/folder.jsonl')).rejects.toThrow(/cannot be written \(ENOENT\); --export names a file/);
});
