import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readContest } from '@maw/lab/contests/read-contest.ts';
import type { Report } from '@maw/lab/contests/report/report.ts';
import { root } from '@maw/tests/equipment/source/repository.ts';
import { NOTHING_NAMED, runMaw } from '../command.suite.ts';

// The experiments of the documents from their files to their reports, each with one deal and the simulator.
const FOLDER = join(root, 'experiments');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
const POOL = '001-pool.yaml';
const MINUTE = 60_000;

let cwd: string;
const maw = async (...args: readonly string[]): Promise<string> => {
  const { code, out, err } = await runMaw(args, { cwd, env: { ...NOTHING_NAMED, OLLAMA_HOST: '127.0.0.1:9' } });
  if (code) throw new Error(`maw ${args.join(' ')}: ${err}`);
  return out;
};
const run = async (file: string): Promise<Report> =>
  JSON.parse(await maw('contest', 'run', join(FOLDER, file), '--deals', '1', '--seconds', '5', '--model', 'sim', '--data', 'data', '--json')) as Report; // prettier-ignore

/** What the files name of a kind, without versions: `experience: 'xu-10@1'`. */
const namedBy = (parameter: string): readonly string[] => {
  const found = files.flatMap((file) => [
    ...readFileSync(join(FOLDER, file), 'utf8').matchAll(new RegExp(`${parameter}: '([^'@]+)@1'`, 'g')),
  ]);
  return [...new Set(found.map(([, name]) => name!))];
};

describe('the experiments of the documents', () => {
  let pool: Report;
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'maw-experiments-'));
    pool = await run(POOL);
    for (const name of namedBy('experience')) await maw('experience', 'build', name, '--rules', 'werewolf-7', '--data', 'data');
    await maw('dataset', 'record', 'games.jsonl', '--games', '40');
    await maw('policy', 'train', 'games.jsonl', '--out', 'policy', '--steps', '100');
    for (const name of namedBy('policy')) await maw('policy', 'import', 'policy', '--as', name, '--data', 'data');
  }, 10 * MINUTE);
  afterAll(() => rmSync(cwd, { recursive: true }));

  it('name the pools and the policies that are made before', () => {
    expect([namedBy('experience'), namedBy('policy').toSorted()]).toEqual([
      ['xu-10', 'xu-20', 'xu-30', 'xu-40'],
      ['onuw', 'tactician', 'tactician-clone'],
    ]);
  });

  it.each(files)(
    '%s ends with a game in each cell, and each published figure beside ours or with a reason',
    async (file) => {
      const { results } = file === POOL ? pool : await run(file);
      const { schedule, games, agents } = readContest(readFileSync(join(FOLDER, file), 'utf8'), undefined, { file });
      const { tables, voids, cells } = results;
      expect([tables.played, voids]).toEqual([tables.planned, []]);
      const rows = schedule.kind === 'cells' ? schedule.cells.flatMap(({ name }) => games.map(() => `${name}: 1`)) : [];
      expect(cells.map(({ cell, games: count }) => `${cell}: ${count}`).toSorted()).toEqual(rows.toSorted());
      for (const { sides } of cells) expect(sides.map(({ share }) => share).every((share) => share >= 0 && share <= 1)).toBe(true);
      const played = new Set(results.rates.overall.map(({ agent }) => agent));
      expect(agents.map(({ name }) => name).filter((name) => !played.has(name))).toEqual([]);
      const { figures, claims } = results.published ?? { figures: [], claims: [] };
      for (const { ours, why, ...row } of figures) expect([row.cell, row.measure, ours ? Number.isFinite(ours.value) : why !== '' && why !== undefined]).toEqual([row.cell, row.measure, true]); // prettier-ignore
      for (const { finding, why } of claims) expect(finding === 'not measured' ? why : finding).toMatch(/\w/);
      // With one deal, all that is missing is judgements, a card of an evil role on a quest, or a vote.
      for (const { why } of [...figures, ...claims])
        expect(why ?? '').toMatch(/^$|was judged|^games of \S+ have no case of it|games left out, in which a vote is missing/);
    },
    10 * MINUTE,
  );
});
