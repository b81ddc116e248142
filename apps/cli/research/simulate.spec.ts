import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { runMaw } from '../command.suite.ts';
import { createProgress } from '../progress.ts';
import { contestOfGames } from '@maw/lab/contests/simulate/contest-of-games.ts';
import { createJob } from '@maw/lab/contests/simulate/job.ts';
import { scoreOf } from '@maw/lab/contests/simulate/score.ts';
import { sideOf } from '@maw/games/roles.ts';
import { dealOf } from '@maw/lab/contests/deal.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { type Simulated, simulator } from '@maw/lab/contests/simulate/simulator.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { tableOf } from './simulate.ts';
import { simulateAll } from '@maw/lab/contests/simulate/simulate-all.ts';

const maw = (...args: string[]) => runMaw(['simulate', ...args], { cwd: import.meta.dirname });

const asked = { rules: 'maw', players: undefined, options: {}, minds: ['random'], sides: {}, seed: 's' };
const some = async (job: Parameters<typeof createJob>[0], games: number): Promise<readonly Simulated[]> => {
  const play = await simulator(createJob(job));
  const played: Simulated[] = [];
  for (let game = 0; game < games; game++) played.push(await play(game));
  return played;
};

describe('maw simulate', () => {
  it('plays the same games on one thread and on two, and counts wins', async () => {
    const run = async (workers: string) => {
      const { out } = await maw('--games', '9', '--minds', 'rules,random', '--seed', 'a', '--json', '--workers', workers);
      const lines = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { [field: string]: unknown });
      const { seconds: _, gamesPerSecond: __, workers: used, ...summary } = lines.pop()!;
      return { lines, summary, used };
    };
    const [one, two] = await Promise.all([run('1'), run('2')]);
    expect(one.lines.map(({ game }) => game)).toEqual(Array.from({ length: 9 }, (_, i) => i));
    expect(two.lines).toEqual(one.lines);
    expect(two.summary).toEqual(one.summary);
    expect([one.used, two.used]).toEqual([1, 2]);
    expect(one.lines[3]).toMatchObject({
      type: 'game',
      seed: 'a/3',
      roles: expect.any(Array),
      dealt: expect.any(Array),
      days: expect.any(Number),
    });
    expect(one.summary).toMatchObject({ type: 'summary', rules: 'maw', players: 6, minds: ['rules', 'random'], games: 9, wanted: 9 });
    const wins = one.summary['winners'] as { [side: string]: { wins: number } };
    for (const [side, { wins: counted }] of Object.entries(wins))
      expect([side, counted]).toEqual([side, one.lines.filter(({ winner }) => winner === side).length]);
  });

  it('prints a table; the duration goes to stderr', async () => {
    const first = await maw('--rules', 'werewolf-7', '--games', '30', '--minds', 'random', '--seed', '1', '--workers', '1');
    expect(first.out).toMatch(/^werewolf-7, 7 players, minds random, seed 1: 30 games\n/);
    expect(first.out).toMatch(/\n {2}village +\d+ +30 +\d+\.\d % +\d+\.\d % to \d+\.\d %\n/);
    expect(first.out).not.toContain('second');
    // No progress bar without a terminal, but a line now and then on a busy machine.
    expect(first.err).toMatch(/^(?:\d+ of 30, .*\n)*\n30 games in \d+\.\d s on 1 core: \d+ games a second\n$/);
  });

  it('prints a summary and exits with 130 when interrupted', async () => {
    const args = ['simulate', '--games', '1000000', '--minds', 'random', '--rules', 'onuw', '--json'];
    const { code, out } = await runMaw(args, { cwd: import.meta.dirname, signal: AbortSignal.abort() });
    expect(code).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ type: 'summary', wanted: 1_000_000, games: 0 });
  });

  it('stops its threads when it is interrupted, and keeps the games played until then', async () => {
    const stop = new AbortController();
    const played: number[] = [];
    const each = ({ game }: Simulated): void => {
      played.push(game);
      stop.abort();
    };
    const job = createJob({ ...asked, rules: 'onuw' });
    const done = await simulateAll(job, { games: 1_000_000, workers: 2, signal: stop.signal, each });
    expect(done).toBeLessThan(1_000_000);
    expect(played.length).toBe(done);
    expect(played[0]).toBe(0);
    expect(played).toEqual([...new Set(played)].toSorted((a, b) => a - b)); // each once, in order; threads may have left gaps
  });

  it.each([
    [['--games', '0'], /expected a whole number from 1 to 10000000/],
    [['--rules', 'chess'], /^maw: there are no rules chess; there are maw, .*\n$/],
  ])('explains what is wrong with %j, and exits with 1', async (args, message) => {
    expect(await maw(...args)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) });
  });
});

describe('the options of maw simulate', () => {
  it.each<[object, RegExp]>([
    [{ players: 2 }, /maw is played by 3 to 20, not 2/],
    [{ options: { seer: 'maybe' } }, /seer: "maybe" is not true or false/],
    [{ options: { colour: 'red' } }, /there is no option colour/],
    [{ minds: [] }, /--minds names no recipe/],
    [{ minds: ['nobody'] }, /there is no recipe nobody/],
    [{ minds: ['rules', 'react'] }, /react needs a model.*random, rules/],
    [{ sides: { wolves: 'algorithm-1' } }, /algorithm-1 needs a model/],
    [{ sides: { evil: 'rules' } }, /maw has no side evil; there are villagers, wolves/],
  ])('%j is refused', (wrong, message) => expect(() => createJob({ ...asked, ...wrong })).toThrow(message));

  it('needs no minds when all of them are random', () => {
    expect(createJob(asked)).toMatchObject({ players: 6, isPlain: true });
    expect(createJob({ ...asked, minds: ['random', 'rules'] }).isPlain).toBe(false);
    expect(createJob({ ...asked, sides: { wolves: 'rules' } }).isPlain).toBe(false);
    expect(createJob({ ...asked, sides: { wolves: 'random' } }).isPlain).toBe(true);
  });
});

describe('games of minds with a model', () => {
  const games = { rules: 'onuw', games: 3, minds: ['xu:K=10', 'rules', 'xu'], side: {}, option: { talkRounds: '2' }, model: 'llama3.1' };
  const seated = (given: object = {}) => {
    const { contest } = contestOfGames({ ...games, ...given });
    return { contest, plan: planOf(contest) };
  };

  it('are a contest with the deals of games without one, in which minds sit as they do there', () => {
    const { contest, plan } = seated({ seed: 's' });
    expect(plan.total).toBe(3);
    expect(plan.at(2)).toMatchObject({ seed: 's/2', agents: ['xu-K-10-1', 'rules', 'xu', 'xu-K-10-1', 'rules'], rounds: 1 });
    expect(contest.agents.map(({ model, recipe, parameters }) => [recipe, model, parameters?.['K']])).toEqual([
      ['xu', 'llama3.1', 10],
      ['rules', undefined, undefined],
      ['xu', 'llama3.1', 15],
    ]);
    const sides = seated({ minds: ['rules'], side: { werewolves: 'react' }, seed: 's' });
    const roles = dealOf(sides.contest.games[0]!, 's/1');
    expect(sides.plan.at(1).agents).toEqual(roles.map((role) => (role === 'werewolf' || role === 'minion' ? 'react' : 'rules')));
  });

  it('go on under the same name with more games, and are others with another model', () => {
    const { name } = seated().contest;
    expect(seated({ games: 9 }).contest.name).toBe(name);
    expect([seated({ model: 'sim' }), seated({ seed: 't' }), seated({ minds: ['xu'] })].map(({ contest }) => contest.name)).not.toContain(
      name,
    );
    expect(seated({ model: 'sim' }).contest.agents.map(({ model }) => model)).toEqual([undefined, undefined, undefined]);
  });

  it.each<[object, string]>([
    [{ minds: ['rules'] }, 'rules need no model; leave --model out'],
    [{ minds: [] }, '--minds names no recipe'],
    [{ side: { village: 'xu' } }, '--side with --model: name one recipe in --minds'],
    [{ minds: ['rules'], side: { wolves: 'xu' } }, 'onuw has no side wolves; there are village'],
    [{ players: 99 }, 'players: onuw is played by 3 to 10, not 99'],
  ])('are refused with %j', (given, message) => expect(() => seated(given)).toThrow(message));
});

describe('a simulated game', () => {
  const folder = temporaryFolder();

  it.each(catalogue.map((set) => [set.name, set] as const))('of %s has sides for all that is dealt and wins', async (rules, set) => {
    for (const { winner, winners, dealt, roles, points, phases, events } of await some({ ...asked, rules }, 10)) {
      expect([...Object.keys(set.sides!), 'draw']).toContain(winner);
      for (const role of [...dealt, ...roles]) {
        expect([role, sideOf(role, rules)]).not.toEqual([role, '']);
        expect(Object.values(set.sides!).filter((of) => of.includes(role))).toHaveLength(1);
      }
      for (const seat of winners) if (winner !== 'draw') expect(sideOf(roles[seat]!, rules)).toBe(winner);
      expect(points).toHaveLength(set.players.usual);
      expect(Object.keys(phases).filter((phase) => !['day', 'night', 'quest'].includes(phase))).toEqual([]);
      expect(events).toBeGreaterThan(10);
    }
  });

  it('is another with another seed', async () => {
    const [one, two] = [await some(asked, 5), await some({ ...asked, seed: 't' }, 5)];
    expect(one.map(({ dealt }) => dealt)).not.toEqual(two.map(({ dealt }) => dealt));
    expect(new Set(one.map(({ dealt }) => dealt.join())).size).toBeGreaterThan(1);
  });

  it('is played by a recipe of a file', async () => {
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, 'name: mine\ndescription: My own.\nmodel: false\nsteps: [observe, random]\n');
    const of = async (mind: string) =>
      (await some({ ...asked, minds: ['rules', mind], sides: { wolves: mind } }, 3)).map(({ winners }) => winners);
    expect(await of(file)).toEqual(await of('random'));
    await expect(of('nowhere.yaml')).rejects.toThrow('nowhere.yaml: there is no such file');
  });

  it('is played by the minds of a side as it was dealt', async () => {
    const brief = { ...asked, options: { dayMs: '30000', nightMs: '15000' } };
    const wolves = await some({ ...brief, minds: ['random'], sides: { wolves: 'rules' } }, 25);
    const villagers = await some({ ...brief, minds: ['rules'], sides: { wolves: 'random' } }, 25);
    const won = (games: readonly Simulated[]) => games.filter(({ winner }) => winner === 'wolves').length;
    expect(won(wolves)).toBeGreaterThan(won(villagers) + 10);
  });
});

describe('a score', () => {
  const set = ruleSetNamed('maw');
  const game = (n: number, given: Partial<Simulated>): Simulated => ({
    game: n,
    seed: `s/${n}`,
    winner: 'wolves',
    winners: [0],
    roles: ['wolf', 'villager', 'seer'],
    dealt: ['wolf', 'villager', 'seer'],
    points: [2, 0, 0],
    events: 10,
    deaths: 2,
    phases: { day: 1, night: 1 },
    ...given,
  });

  it('counts wins, lengths and points by the side that was dealt', () => {
    const { add, score } = scoreOf(set);
    for (let n = 0; n < 19; n++) add(game(n, n < 4 ? {} : { winner: 'villagers', points: [0, 1, 2], phases: { day: 3 } }));
    add(game(19, { winner: 'draw', points: [0, 0, 0], phases: { day: 30, night: 30 } }));
    const { games, winners, lengths, points } = score();
    expect(games).toBe(20);
    expect(Object.entries(winners).map(([side, { wins, share }]) => [side, wins, share])).toEqual([
      ['villagers', 15, 0.75],
      ['wolves', 4, 0.2],
      ['draw', 1, 0.05],
    ]);
    expect(lengths['days']).toEqual({ mean: (4 * 1 + 15 * 3 + 30) / 20, low: 1, median: 3, high: 3, most: 30 });
    expect(lengths['nights']).toEqual({ mean: (4 + 30) / 20, low: 0, median: 0, high: 1, most: 30 });
    expect(points).toEqual({ villagers: (15 * 3) / 40, wolves: (4 * 2) / 20 });
    expect(tableOf(score()).split('\n').slice(0, 4)).toEqual([
      '  winner     wins  of   share     95 % interval',
      '  villagers    15  20  75.0 %  53.1 % to 88.8 %',
      '  wolves        4  20  20.0 %   8.1 % to 41.6 %',
      '  draw          1  20   5.0 %   0.9 % to 23.6 %',
    ]);
  });

  it('counts the win of a Tanner beside the village, each for itself, of the games that have one', () => {
    const { add, score } = scoreOf(ruleSetNamed('onuw'));
    const roles = ['seer', 'werewolf', 'tanner'];
    add(game(0, { roles, dealt: roles, winner: 'village', winners: [0, 2] }));
    add(game(1, { roles: ['tanner', 'werewolf', 'tanner'], dealt: roles, winner: 'tanner', winners: [0] }));
    add(game(2, { roles: ['seer', 'werewolf', 'drunk'], dealt: roles, winner: 'village', winners: [0, 2] }));
    const { winners } = score();
    expect(Object.entries(winners).map(([side, { wins, of, share }]) => [side, wins, of, share])).toEqual([
      ['village', 2, 3, 2 / 3],
      ['werewolves', 0, 3, 0],
      ['tanner', 2, 3, 2 / 3],
      ['draw', 0, 3, 0],
    ]);
  });

  it('is marked when no games were played', () => {
    expect(tableOf(scoreOf(set).score())).toBe('No game was played to its end.');
  });
});

describe('a bar', () => {
  it('is drawn on a terminal, not too often, and taken away', () => {
    let now = 0;
    const written: string[] = [];
    const bar = createProgress({ isTTY: true, columns: 60, write: (text) => written.push(text) }, 10, () => now);
    for (const done of [1, 2, 5, 10]) {
      now += done === 2 ? 1 : 1000;
      bar.at(done);
    }
    bar.end();
    expect(written).toHaveLength(4);
    expect(written[1]).toContain('███████████████░░░░░░░░░░░░░░░ 5/10 3 s left');
    expect(written[2]).toContain('██████████████████████████████ 10/10 0 s left');
    expect(written[3]).toBe('\r\u001b[K');
  });

  it('is a line every ten seconds without a terminal, and nothing of what is quick', () => {
    let now = 0;
    const written: string[] = [];
    const bar = createProgress({ write: (text) => written.push(text) }, 10, () => now);
    for (const [done, at] of [
      [5, 9_999],
      [6, 12_000],
      [7, 13_000],
      [8, 24_000],
      [10, 25_000],
    ] as const) {
      // prettier-ignore
      now = at;
      bar.at(done);
    }
    bar.end();
    expect(written).toEqual(['6 of 10, 8 s left\n', '8 of 10, 6 s left\n']);
  });
});
