import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import type { Contest } from '@maw/lab/contests/definition.ts';
import { readContest } from '@maw/lab/contests/read-contest.ts';
import { escape } from '@maw/http/markup.ts';
import { htmlOf } from '@maw/lab/contests/report/html/page.ts';
import { readPublished } from '@maw/lab/contests/report/published.ts';
import { type Report, reportOf } from '@maw/lab/contests/report/report.ts';
import { resultsOf } from '@maw/lab/contests/report/synthetic-results.suite.ts';
import { root } from '@maw/tests/equipment/source/repository.ts';
import { joinAs } from '../../../tests/aiwolf/agents.suite.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { NOTHING_NAMED, runMaw } from '../command.suite.ts';
import { type ContestView, createLiveTable } from './live-table.ts';

const cwd = temporaryFolder();

const maw = (args: readonly string[], signal?: AbortSignal) =>
  runMaw(args, { cwd, env: { ...NOTHING_NAMED, OLLAMA_HOST: '127.0.0.1:9' }, ...(signal ? { signal } : {}) });

const written = (name: string, about: { readonly deals?: number; readonly recipe?: string } = {}): string => {
  const { deals = 3, recipe = 'random' } = about;
  const agents = [
    { name: 'rules', recipe: 'rules' },
    { name: 'other', recipe },
  ];
  const contest = { name, agents, games: [{ rules: 'onuw' }], schedule: { kind: 'sides', deals }, measures: true };
  const file = `${name}-${recipe}-${deals}.yaml`;
  writeFileSync(join(cwd, file), JSON.stringify(contest));
  return file;
};

const reported = (out: string): Report => JSON.parse(out) as Report;

describe('maw contest', () => {
  it('runs a contest, prints its report and writes the page, the games and the numbers', async () => {
    const { code, out, err } = await maw(['contest', 'run', written('whole'), '--out', 'report', '--data', 'whole']);
    expect(err).toMatch(/whole finished: 6 of 6 tables/);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^whole: 6 games count, of 6 of 6 tables\n[^]*\n  of \d deals: with fewer than 20, intervals/),
    });
    expect(readdirSync(join(cwd, 'report')).toSorted()).toEqual(['report.html', 'report.json', 'results.csv']);
    expect(readFileSync(join(cwd, 'report/report.html'), 'utf8')).toContain('whole: contest report');
    expect(readFileSync(join(cwd, 'report/results.csv'), 'utf8').trim().split('\n')).toHaveLength(1 + 6 * 5);
    const again = await maw(['contest', 'report', 'whole', '--json', '--data', 'whole']);
    const file = reported(readFileSync(join(cwd, 'report/report.json'), 'utf8'));
    expect(JSON.stringify(reported(again.out).results)).toBe(JSON.stringify(file.results));
    expect((await maw(['contest', 'status', '--data', 'whole'])).out).toMatch(/^ *whole +finished +6 of 6 +arena/m);
  });

  it('plays as many deals as a power needs, and says before what it assumes; the same command goes on with the same', async () => {
    const file = written('power');
    const args = ['contest', 'run', file, '--power', '.6', '--difference', '.9', '--data', 'power', '--json'];
    const { code, out, err } = await maw(args);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringMatching(/^Power 0\.6, two-sided at 0\.05: 7 deals; 14 games\.\nIt assumes rules 0\.950, other 0\.050 \(win rate, all; --difference\), and a variance of 0\.095: as if the games of a deal were independent\.\npower running/) }); // prettier-ignore
    expect(reported(out).results).toMatchObject({ games: 14 });
    const again = await maw(args);
    expect(again).toMatchObject({ code: 0, err: expect.stringMatching(/: 7 deals; 14 games\./) });
    // Ten deals and more of a contest that is over tell the variance.
    await maw(['contest', 'run', file, '--deals', '12', '--data', 'power', '--json']);
    const known = await maw(['contest', 'run', file, '--power', '.6', '--difference', '.9', '--data', 'power', '--json']);
    expect(known.err).toMatch(/ deals?; it has 12 already; 24 games\.\nIt assumes .*: that of 12 deals played so far\.\n/);
  });

  it('is played by outside agents that connect where it says', async () => {
    const [port] = await freePorts(1);
    const minds = ['a', 'b', 'c', 'd'].map((name) => ({ name, recipe: 'random' }));
    const contest = {
      name: 'mixed',
      agents: [{ name: 'the-fox', outside: 'fox' }, ...minds],
      games: [{ rules: 'aiwolf', options: { maxDays: 1, turns: 1 } }],
      schedule: { kind: 'set', sets: 1, games: 1 },
    };
    writeFileSync(join(cwd, 'mixed.yaml'), JSON.stringify(contest));
    const run = (...more: string[]) => maw(['contest', 'run', 'mixed.yaml', '--data', 'mixed', '--json', ...more]);
    const playing = run('--port', String(port));
    const fox = await pollUntil('the server', () => joinAs(`tcp://127.0.0.1:${port}`, 'fox1').catch(() => undefined));
    const { code, out, err } = await playing;
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringMatching(`Outside agents connect to tcp://127.0.0.1:${port}: fox\n`),
    });
    expect(reported(out).results.games).toBe(1);
    expect(fox.requests().filter((request) => request === 'FINISH')).toHaveLength(1);
    writeFileSync(join(cwd, 'mixed.yaml'), JSON.stringify({ ...contest, agents: [...minds, { name: 'e', recipe: 'rules' }] }));
    expect((await run('--port', '0')).err).toMatch(/--port is for outside agents, and the contest has none; leave it out/);
  });

  it('goes on after an interruption with the same command', async () => {
    const file = written('cut', { deals: 10 });
    const interrupted = new AbortController();
    const first = maw(['contest', 'run', file, '--data', 'cut', '--json'], interrupted.signal);
    setImmediate(() => interrupted.abort());
    expect(await first).toMatchObject({ code: 130, out: '', err: expect.stringMatching(/the same command goes on/) });
    const { out: status } = await maw(['contest', 'status', '--data', 'cut']);
    const [, finished] = /^cut +interrupted +(\d+) of 20 +arena/m.exec(status)!;
    expect((await maw(['contest', 'stop', 'cut', '--why', 'enough', '--data', 'cut'])).out).toBe('The contest cut is stopped.\n');
    // Whoever only looks plays nothing.
    expect((await maw(['contest', 'report', 'cut', '--data', 'cut'])).out).toContain(
      `This contest was stopped: enough. ${finished} of 20 tables`,
    );
    const second = await maw(['contest', 'run', file, '--data', 'cut', '--json']);
    expect(reported(second.out).results).toMatchObject({ games: 20 });
    const changed = await maw(['contest', 'run', written('cut', { deals: 10, recipe: 'rules' }), '--data', 'cut']);
    expect(changed).toMatchObject({ code: 1, err: expect.stringMatching(/the agent other has changed .*recipe was random and is rules/) });
  });

  it.each([
    [['run', 'nothing.yaml'], /^maw: nothing\.yaml: there is no such file\n$/],
    [['run', 'wrong.yaml'], /wrong\.yaml:\d+: agents\.0\.recipe: .*nobody/],
    [['run', 'wrong.yaml', '--deals', '0'], /expected a whole number from 1/],
    ...['0', '1', '1.5', 'abc', ''].map((power) => [['run', 'model.yaml', '--power', power], /expected a probability from 0\.5 to 0\.999/] as const), // prettier-ignore
    [['run', 'model.yaml', '--power', '.8', '--deals', '2'], /^maw: --power says how many deals are played; leave --deals out\n$/],
    [
      ['run', 'model.yaml', '--power', '.8'],
      /^maw: --power: nothing is published of m; say which one to find, such as --difference \.1\n$/,
    ],
    [['run', join(root, 'experiments/001-figure-3.yaml'), '--power', '.8', '--model', 'sim'], /^maw: --power: no difference between two shares of its cells or agents is published of 001-figure-3; say/], // prettier-ignore
    [['run', 'model.yaml', '--difference', '.1'], /^maw: --difference is what --power shall find; add --power \.8\n$/],
    [['run', 'model.yaml', '--power', '.8', '--difference', '1'], /expected a number from 0\.001 to 0\.999/],
    [['run', 'one.yaml', '--power', '.8', '--difference', '.1'], /^maw: --power: o has one cell, and a difference is between two; leave it out\n$/], // prettier-ignore
    [['run', 'sets.yaml', '--power', '.8'], /^maw: --power: the schedule set has no deals that compare agents; leave it out\n$/],
    [['run', 'model.yaml', '--prices', 'nothing.yaml'], /^maw: nothing\.yaml: there is no such file\n$/],
    [['run', 'wrong.yaml', '--max-cost', '-1'], /expected an amount above 0/],
    [['run', 'model.yaml', '--max-cost', '1', '--model', 'sim'], /--max-cost: the simulator costs nothing; leave it out/],
    [['run', 'model.yaml', '--max-cost', '1', '--model', 'm'], /--max-cost: model\.yaml has no price of m, so nobody can say/],
    [['run', 'model.yaml', '--agent-model', 'c=m'], /^maw: --agent-model c=\.\.\.: there is no such agent; those that ask one are a, b\n$/],
    [
      ['run', 'whole-random-3.yaml', '--agent-model', 'rules=m'],
      /^maw: --agent-model rules=\.\.\.: it asks no model; those that ask one are none\n$/,
    ],
    [['run', 'model.yaml', '--agent-model', 'm'], /expected NAME=VALUE/],
    [['run', '.'], /^maw: \.: is a folder; name the files in it\n$/],
    [
      ['run', 'whole-random-3.yaml', '--published', 'nothing.yaml', '--data', 'unplayed'],
      /^maw: --published: there is no file nothing\.yaml\n$/,
    ],
    [
      ['run', 'whole-random-3.yaml', '--judgements', 'nothing.jsonl', '--data', 'unplayed'],
      /^maw: nothing\.jsonl: there is no such file\n$/,
    ],
    [['report', 'nobody', '--data', 'whole'], /there is no contest nobody/],
    [['stop', 'nobody', '--data', 'empty'], /it has no tables/],
  ])('%j says what is wrong', async (args, says) => {
    writeFileSync(join(cwd, 'model.yaml'), 'name: m\nagents: [{ name: a, recipe: react }, { name: b, recipe: react }]\ngames: [{ rules: onuw }]\nschedule: { kind: sides, deals: 1 }\n'); // prettier-ignore
    writeFileSync(join(cwd, 'sets.yaml'), 'name: s\nagents: [{ name: a, recipe: random }, { name: b, recipe: random }, { name: c, recipe: random }]\ngames: [{ rules: onuw, players: 3 }]\nschedule: { kind: set, sets: 1 }\n'); // prettier-ignore
    writeFileSync(join(cwd, 'one.yaml'), 'name: o\nagents: [{ name: a, recipe: random }, { name: b, recipe: rules }]\ngames: [{ rules: onuw }]\nschedule: { kind: cells, deals: 1, cells: [{ name: c, sides: { village: a }, others: b }] }\n'); // prettier-ignore
    writeFileSync(join(cwd, 'wrong.yaml'), 'name: w\nagents: [{ name: a, recipe: nobody }]\ngames: [{ rules: onuw }]\nschedule: { kind: balanced, deals: 1 }\n'); // prettier-ignore
    const { code, err } = await maw(['contest', ...args]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(says) });
  });

  it('draws a live table over the last one on a terminal, and tells every tenth elsewhere', () => {
    const view = (finished: number): ContestView => ({
      summary: { contest: 'c', name: 'c', state: 'running', play: 'tables', pairings: 40, finished, opened: 0, since: 0 },
      contest: {},
      tables: [],
      games: finished,
      void: 1,
      ranking: [{ agent: 'a', games: finished, wins: 1, share: 0.5 }],
      faults: [{ agent: 'a', kind: 'late', times: 3 }],
      lost: ['5 decisions by m: 5 by default: it answers without JSON.'],
      cost: 1.5,
      leftMs: 90_000,
    });
    const drawn = (isTTY: boolean, views: readonly ContestView[], away: readonly string[] = []): string => {
      let text = '';
      const live = createLiveTable({ isTTY, columns: 120, write: (more) => (text += more) });
      for (const each of views) live.show(each, away);
      return text;
    };
    expect(drawn(true, [view(4), view(8)])).toMatch(/c running: 4 of 40 tables, 1 void, 2 min left, cost 1\.50\n.*\n +a +\d+ +50\.0 %  late 3\n5 decisions by m: .*\n\u001b\[4A\u001b\[J█/); // prettier-ignore
    const used = { ...view(4), usage: [{ agent: 'a', prompt: 1_000, completion: 234, cost: 0.5 }, { agent: 'b', prompt: 7, completion: 0 }] }; // prettier-ignore
    const two = { ...used, ranking: ['a', 'b', 'c'].map((agent) => ({ agent, games: 4, wins: 1, share: 0.25 })) };
    expect(drawn(true, [two])).toMatch(/agent +seats +won +tokens +cost +faults\n +a +4 +25\.0 % +1,234 +0\.50 +late 3\n +b +4 +25\.0 % +7 *\n +c +4 +25\.0 % +0 *\n/); // prettier-ignore
    expect(drawn(false, [0, 1, 2, 4, 5].map(view)).match(/tables/g)).toHaveLength(2);
    expect((['phases', 'rules'] as const).map((leftBy) => drawn(false, [{ ...view(0), leftBy }]).split('\n')[0])).toEqual(
      ['by the phases so far', 'by the times of the rules'].map((by) => `c running: 0 of 40 tables, 1 void, 2 min left ${by}, cost 1.50`),
    );
    expect(drawn(false, [view(0)], ['fox', 'owl'])).toMatch(/cost 1\.50, waits for fox, owl to connect\n5 decisions by m: [^\n]+\n$/);
    expect(drawn(true, [view(0)], ['fox'])).toMatch(/\nwaits for fox to connect\n$/);
  });
});

describe('the experiments of the documents', () => {
  const files = readdirSync(join(root, 'experiments')).filter((name) => name.endsWith('.yaml'));
  const textOf = (...path: readonly string[]): string => readFileSync(join(root, 'experiments', ...path), 'utf8');

  it('are contests that can be read, and what is published names their cells or agents', () => {
    expect(files.length).toBeGreaterThanOrEqual(8);
    for (const file of files) expect(`${readContest(textOf(file), undefined, { file }).name}.yaml`).toBe(file);
    for (const file of readdirSync(join(root, 'experiments/published'))) {
      const { schedule, agents } = readContest(textOf(file), undefined, { file });
      const cells = schedule.kind === 'cells' ? schedule.cells.map(({ name }) => name) : [];
      const { figures, claims } = readPublished(file, textOf('published', file));
      const named = [...figures.map(({ cell }) => cell), ...claims.flatMap(({ higher, lower }) => [higher, lower])];
      const known = new Set([...cells, ...agents.map(({ name }) => name)]);
      expect(named.filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it('are planned, and reported beside what is published, with games that nobody played', () => {
    for (const file of readdirSync(join(root, 'experiments/published'))) {
      const whole = readContest(textOf(file), undefined, { file });
      const contest = { ...whole, schedule: { ...whole.schedule, deals: 6 } } as Contest;
      const published = readPublished(file, textOf('published', file));
      const { rules } = contest.games[0]!;
      const [first = '', second = ''] = Object.keys(ruleSetNamed(rules).sides!);
      const usage = contest.agents.map(({ name }) => ({ agent: name, model: 'm', calls: 3, prompt: 1, completion: 1, seconds: 1 }));
      const results = resultsOf(contest, (number) => ({ winner: number % 3 ? first : second, days: 1 + (number % 4), cards: [], lastTeams: [[0, 1]] })); // prettier-ignore
      const report = reportOf(contest, results.map((result) => ({ ...result, usage })), { bootstrap: 100, published }); // prettier-ignore
      const { figures, claims } = report.results.published!;
      const isMeasured = ({ measure }: { readonly measure: string }) => ['win rate', 'duration', 'engagement', 'valid responses', 'NashConv'].includes(measure); // prettier-ignore
      const missing = [...figures.filter(({ ours }) => !ours), ...claims.filter(({ finding }) => finding === 'not measured')];
      expect(missing.filter(isMeasured)).toEqual([]);
      const page = htmlOf(report);
      for (const { where } of [...published.figures, ...published.claims]) expect(page).toContain(escape(where));
    }
  });
});

describe('maw contest at a system', () => {
  let server: Server;
  /** What it answers to each request for the contest; undefined: it hangs up. */
  let answers: (readonly [status: number, body: object] | undefined)[];
  let opening: readonly [status: number, body: object];
  /** The contest that was opened last. */
  let opened: Contest | undefined;
  beforeAll(async () => {
    server = createServer((req, res) => {
      if (req.method === 'POST') void json(req).then((body) => (opened = (body as { contest: Contest }).contest));
      const next =
        req.method === 'POST'
          ? opening
          : req.url!.includes('results')
            ? ([200, { results: broken, more: false }] as const)
            : answers.shift();
      req.resume();
      if (!next) return void res.destroy();
      res.writeHead(next[0], { 'content-type': 'application/json' }).end(JSON.stringify(next[1]));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => void server.close(resolve)));

  const at = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const contest = { name: 'far', agents: [{ name: 'a', recipe: 'rules' }, { name: 'b', recipe: 'rules' }], games: [{ rules: 'onuw' }], schedule: { kind: 'sides', deals: 6 }, seed: 'maw' }; // prettier-ignore
  const broken = Array.from({ length: 12 }, (_, number) => ({
    number,
    attempt: 3,
    games: [],
    faults: [],
    usage: [],
    void: { why: 'it was aborted', culprit: 'b' },
  }));
  const view = (state: string) =>
    [200, { summary: { contest: 'far', name: 'far', state, play: 'arena', pairings: 12, finished: 12 }, contest, games: 0, void: 0, ranking: [], faults: [] }] as const; // prettier-ignore

  it('is waited for while it does not answer', async () => {
    opening = [201, { contest: 'far', state: 'running' }];
    const away = [503, { type: 'about:blank', title: 't', status: 503, reason: 'unavailable' }] as const;
    answers = [view('running'), undefined, undefined, away, view('stopped'), view('stopped')];
    const { code, out, err } = await maw(['contest', 'run', written('far'), '--at', at(), '--data', 'far']);
    expect([code, answers]).toEqual([0, []]);
    expect(out).toMatch(/^b forfeited 12 games.*\nTables 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more are void: it was aborted$/m);
    expect(out).not.toContain('rank');
    expect(err.match(/does not answer just now; the contest goes on there/g)).toHaveLength(1);
  });

  it('keeps the deals that it began with while it runs, whatever power is wanted', async () => {
    const [status, { contest: { seed: _, ...secret }, ...running }] = view('running'); // prettier-ignore
    opening = [201, { contest: 'far', state: 'running' }];
    answers = [[status, { ...running, contest: secret }], view('stopped'), view('stopped')];
    const { code, err } = await maw(['contest', 'run', written('far'), '--power', '.8', '--difference', '.1', '--at', at(), '--data', 'far']); // prettier-ignore
    expect([code, answers, opened?.schedule]).toEqual([0, [], { kind: 'sides', deals: 6 }]);
    expect(err).toMatch(/^--power: far is not over; it goes on with its 6 deals\. Once they are played, /);
  });

  it('plays of several games as many deals as find a difference over all of them', async () => {
    opening = [201, { contest: 'far', state: 'running' }];
    answers = [[404, { type: 'about:blank', title: 't', status: 404, reason: 'no-contest' }], view('stopped'), view('stopped')];
    writeFileSync(join(cwd, 'two.yaml'), JSON.stringify({ ...contest, games: [{ rules: 'onuw' }, { rules: 'werewolf-7' }] }));
    const { code, err } = await maw(['contest', 'run', 'two.yaml', '--power', '.8', '--difference', '.25', '--at', at(), '--data', 'far']);
    expect([code, opened?.schedule]).toEqual([0, { kind: 'sides', deals: 36 }]);
    expect(err).toMatch(/: 36 deals of each game; 144 games\.\n/);
  });

  it.each([
    ['rules', '.8', '.25', /^Power .*\nIt assumes .*\nAt tables a game/],
    ['react', '.8', '.25', /\nTokens and cost of models are told once tables were played/],
    ['rules', '.999', '.001', /^maw: --power: it takes [\d,]+ deals, and a contest has 1,000,000 at most; take less power, or a larger difference\n$/], // prettier-ignore
  ])('of agents of %s with power %s for %s says at tables what it takes', async (recipe, power, difference, says) => {
    answers = [[404, { type: 'about:blank', title: 't', status: 404, reason: 'no-contest' }], view('stopped'), view('stopped')];
    const agents = ['a', 'b'].map((name) => ({ name, recipe, learns: false }));
    writeFileSync(join(cwd, 'tables.yaml'), JSON.stringify({ ...contest, agents, play: 'tables' }));
    const args = ['contest', 'run', 'tables.yaml', '--power', power, '--difference', difference, '--at', at(), '--data', 'far'];
    expect((await maw(args)).err).toMatch(says);
  });

  it('is reported by its service while its seed is secret', async () => {
    const { seed: _, ...secret } = contest;
    const [status, running] = view('running');
    const seedless = [status, { ...running, contest: secret }] as const;
    const made = reportOf(readContest(JSON.stringify(contest)), broken);
    const told = { ...made, contest: { ...made.contest, seed: undefined } };
    answers = [seedless, [200, told], [200, { csv: true }]];
    const { code, out } = await maw(['contest', 'report', 'far', '--at', at(), '--data', 'far']);
    expect([code, answers]).toEqual([0, []]);
    expect(out).toMatch(/^b forfeited 12 games/m);
    expect(out).not.toContain('seed');
    answers = [seedless];
    const { err } = await maw(['contest', 'report', 'far', '--judgements', 'j.jsonl', '--at', at(), '--data', 'far']);
    expect(err).toMatch(/--judgements: the contest is not over, and until then its service makes the report; leave it out/);
  });

  it('is told from another server', async () => {
    answers = [[404, { error: 'no such page' }]];
    const { code, err } = await maw(['contest', 'status', 'far', '--at', at(), '--data', 'far']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^maw: http:\/\/127.0.0.1:\d+ answers GET \/contests\/far with 404, and not as .*--at URL\n$/),
    ]);
  });
});
