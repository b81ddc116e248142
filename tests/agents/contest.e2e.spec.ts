import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { root } from '@maw/tests/equipment/source/repository.ts';

// A program in Python against two of our minds, in every game at once; it is killed in the middle, and started again.
const MINUTE = 60_000;
const CONTEST = `
name: five
agents:
  - { name: the-fox, outside: fox, over: http }
  - { name: rules, recipe: rules }
  - { name: random, recipe: random }
games:
  - { rules: maw, players: 5, options: { dayMs: 8000, nightMs: 4000, maxDays: 3 } }
  - { rules: aiwolf, options: { maxDays: 2, utterances: 1, turns: 2, turnMs: 4000, voteMs: 4000, nightMs: 4000 } }
  - { rules: avalon, players: 5, options: { turnMs: 4000, teamMs: 4000, voteMs: 4000, questMs: 4000, assassinMs: 4000 } }
  - { rules: onuw, players: 4, options: { stepMs: 4000, turnMs: 4000, talkMs: 4000, voteMs: 4000, talkRounds: 1 } }
  - { rules: werewolf-7, options: { nightMs: 4000, turnMs: 4000, voteMs: 4000, maxDays: 3 } }
schedule: { kind: cells, deals: 1, cells: [{ name: one, seats: { 1: the-fox, 2: random }, others: rules }] }
`;
const isPython = spawnSync('python3', ['--version']).status === 0;
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = isPython ? describe : describe.skip;

here(`a contest of a program in Python, rules and random${isPython ? '' : ' (not run here: there is no python3)'}`, () => {
  let folder: string;
  const started: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-program-'));
    await writeFile(join(folder, 'five.yaml'), CONTEST);
  });
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  const start = (command: string, args: readonly string[], env: NodeJS.ProcessEnv) => {
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    started.push(child);
    const program = { child, output: '', ended: new Promise<number | null>((resolve) => child.once('close', resolve)) };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (program.output += String(data)));
    return program;
  };

  it(
    'in all five games ends with a result for each, and its faults by seat, although it is killed in the middle',
    async () => {
      const { MAW_AT: _, MAW_TOKEN: __, ...env } = process.env;
      const maw = [join(root, 'apps/cli/main.ts')];
      const contest = start(process.execPath, [...maw, 'contest', 'run', 'five.yaml', '--out', 'report'], env);
      await pollUntil('the line that says where programs connect', () => contest.output.includes('A program connects'), {
        timeoutMs: 5 * MINUTE,
      });
      const making = [...maw, 'tokens', 'make', '--role', 'agent', '--name', 'fox', '--json'];
      const { token } = JSON.parse((await promisify(execFile)(process.execPath, making, { cwd: folder, env })).stdout) as { token: string };
      const at = /A program connects to (\S+);/.exec(contest.output)![1]!;
      const own = { ...env, MAW_AT: at, MAW_TOKEN: token, PYTHONPATH: join(root, 'clients/python'), PYTHONUNBUFFERED: '1' };
      const example = join(root, 'examples/python/random_agent.py');
      const first = start('python3', [example], own);
      const tablesIn = (output: string) =>
        new Set([...output.matchAll(/^(five-\w+): (?!The table|Player \d joins)/gm)].map(([, table]) => table));
      // On a busy machine a table may have ended in its Lobby, without the program.
      await pollUntil('three games to have begun', () => tablesIn(first.output).size >= 3, { timeoutMs: 5 * MINUTE });
      first.child.kill('SIGKILL');
      await first.ended;
      const second = start('python3', [example], own);
      expect([await contest.ended, contest.output]).toEqual([0, expect.stringContaining('5 of 5 tables')]);
      expect(contest.output).not.toContain(' void');
      expect(tablesIn(second.output).size).toBeGreaterThan(0);
      const report = JSON.parse(await readFile(join(folder, 'report/report.json'), 'utf8')) as {
        results: { faults: readonly { agent: string }[] };
      };
      const games = (await readFile(join(folder, 'report/results.csv'), 'utf8')).trim().split('\n').slice(1);
      expect(new Set(games.map((line) => /maw|aiwolf|avalon|onuw|werewolf-7/.exec(line.split(',').slice(1).join())?.[0]))).toEqual(
        new Set(['maw', 'aiwolf', 'avalon', 'onuw', 'werewolf-7']),
      );
      expect(games.filter((line) => line.includes('the-fox'))).toHaveLength(5);
      expect(Array.isArray(report.results.faults)).toBe(true);
    },
    20 * MINUTE,
  );
});
