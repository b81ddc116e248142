import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Report } from '@maw/lab/contests/report/report.ts';
import { root } from '@maw/tests/equipment/source/repository.ts';
import { benchmark } from '../benchmark.ts';
import { integer, text } from '../options.ts';

const run = promisify(execFile);
const FOLDER = join(root, 'experiments');
/** The games that pools are built from. */
const POOL_GAMES = '001-pool.yaml';
const MAX_OUTPUT = 64 * 2 ** 20;

/** What came of one experiment. */
interface Played {
  readonly experiment: string;
  readonly seconds: number;
  readonly games: number;
  /** Published figures and orders beside ours, and of how many of them there is a figure of ours. */
  readonly published: number;
  readonly measured: number;
  readonly failed?: string;
}

/** Runs the contests of `experiments/` to their reports with the simulator, and fails where one does not get there. */
export const experiments = benchmark({
  name: 'experiments',
  description: 'experiments of the documents to their reports, shortened, with the simulator',
  options: {
    deals: integer('deals of each experiment', { fallback: 1 }),
    seconds: integer('the longest time of each phase', { fallback: 4 }),
    only: text('one of them, by name', '', 'NAME'),
  },
  async measure({ deals, seconds, only }, { signal, say }) {
    const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.yaml') && (!only || name === `${only}.yaml`)).toSorted();
    const played: Played[] = [];
    for (const file of files) {
      if (signal.aborted) break;
      say(file);
      played.push(await playExperiment(join(FOLDER, file), { deals, seconds, signal }));
    }
    const rows = played.map(({ experiment, seconds: took, games, published, measured, failed }) => `| ${experiment} | ${took.toFixed(0)} | ${games} | ${measured} of ${published} | ${failed ?? ''} |`); // prettier-ignore
    return {
      text: ['| experiment | seconds | games | published, measured | failed |', '| --- | ---: | ---: | ---: | --- |', ...rows].join('\n'),
      json: played,
      hasFailed: played.some(({ failed, games }) => failed !== undefined || games === 0),
    };
  },
});

interface Short {
  readonly deals: number;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

async function playExperiment(file: string, { deals, seconds, signal }: Short): Promise<Played> {
  const data = await mkdtemp(join(tmpdir(), 'maw-experiment-'));
  const maw = (...args: readonly string[]) =>
    run(join(root, 'maw'), [...args, '--data', data], { cwd: data, signal, maxBuffer: MAX_OUTPUT });
  const startedAt = performance.now();
  const about = { experiment: basename(file, '.yaml') };
  const took = (): number => (performance.now() - startedAt) / 1000;
  try {
    const play = (contest: string, n: number) => maw('contest', 'run', contest, '--deals', String(n), '--seconds', String(seconds), '--model', 'sim', '--json'); // prettier-ignore
    const pools = await poolsOf(file);
    if (pools.length) await play(join(FOLDER, POOL_GAMES), 1);
    for (const pool of pools) await maw('experience', 'build', pool, '--rules', 'werewolf-7');
    for (const policy of await policiesOf(file)) await makePolicy(policy, data, maw);
    const { stdout } = await play(file, deals);
    const { results } = JSON.parse(stdout) as Report;
    const { figures = [], claims = [] } = results.published ?? {};
    const measured = figures.filter(({ ours }) => ours).length + claims.filter(({ finding }) => finding !== 'not measured').length;
    return { ...about, seconds: took(), games: results.games, published: figures.length + claims.length, measured };
  } catch (error) {
    return {
      ...about,
      seconds: took(),
      games: 0,
      published: 0,
      measured: 0,
      failed: (error as Error).message.split('\n').slice(0, 3).join(' '),
    };
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

/** Stores a policy that has learnt little, so that there is one of this name. */
async function makePolicy(policy: string, data: string, maw: (...args: readonly string[]) => Promise<unknown>): Promise<void> {
  const [games, folder] = [join(data, 'games.jsonl'), join(data, policy)];
  await run(join(root, 'maw'), ['dataset', 'record', games, '--games', '40'], { cwd: data });
  await run(join(root, 'maw'), ['policy', 'train', games, '--out', folder, '--steps', '100'], { cwd: data });
  await maw('policy', 'import', folder, '--as', policy);
}

/** The policies that a contest names, without their versions. */
async function policiesOf(file: string): Promise<readonly string[]> {
  return [...new Set([...(await readFile(file, 'utf8')).matchAll(/policy: '([^'@]+)@1'/g)].map(([, policy]) => policy!))];
}

/** The pools of experience that a contest names, without their versions. */
async function poolsOf(file: string): Promise<readonly string[]> {
  return [...new Set([...(await readFile(file, 'utf8')).matchAll(/experience: '([^'@]+)@1'/g)].map(([, pool]) => pool!))];
}
