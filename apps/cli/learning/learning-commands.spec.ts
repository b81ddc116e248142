import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { policyFile } from '@maw/learning/policy/policy-file.suite.ts';
import { runMaw } from '../command.suite.ts';
import { lineChart } from '@maw/lab/charts/line-chart.ts';
import { writeDataset } from '@maw/lab/training/dataset/dataset.ts';
import { recordTalk3 } from '@maw/bench/learning/talk-3-games.ts';
import type { Listener } from '@maw/bench/learning/talk-3.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';

const folder = temporaryFolder();
const maw = (...args: readonly string[]) => runMaw(args, { cwd: folder });
const text = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');
const QUICK = ['--steps', '40', '--hidden', '8', '--batch', '8'];

const recordGames = (file: string, listeners?: readonly Listener[]): void =>
  writeDataset(join(folder, file), recordTalk3({ games: 60, behaviour: 'expert-mix', seed: '1', ...(listeners && { listeners }) }));
beforeAll(() => recordGames('games.jsonl'));

describe('maw dataset', () => {
  it('shows what is in a file, as a table and as JSON', async () => {
    const { code, out } = await maw('dataset', 'show', 'games.jsonl');
    expect(code).toBe(0);
    expect(out).toContain('180 choices in 60 games of 60 deals');
    const shown = JSON.parse((await maw('dataset', 'show', 'games.jsonl', '--json')).out) as {
      choices: number;
      roles: { shares: number[] }[];
    };
    expect(shown.choices).toBe(180);
    expect(shown.roles[0]!.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  it('refuses a wrong file with its line, and one that is not there', async () => {
    writeFileSync(join(folder, 'half.jsonl'), text('games.jsonl').slice(0, -30));
    expect(await maw('dataset', 'show', 'half.jsonl')).toMatchObject({
      code: 1,
      err: 'maw: half.jsonl: the last line is incomplete; the file was cut off\n',
    });
    expect((await maw('policy', 'train', 'none.jsonl', '--out', 'x')).err).toContain('none.jsonl: there is no such file');
  });

  it('imports published games from a folder, and says which file is wrong', async () => {
    const host = (content: string) => ({ agent_name: 'Moderator', belief: '', strategy: '', content, visible_to: 'all' });
    const says = (by: string, strategy: string) => ({ ...host('Well.'), agent_name: by, strategy });
    const speeches = [says('player1', 'honest_evidence'), says('player2', 'deceptive_defense')];
    const roles = { player1: 'Seer', player2: 'Werewolf' };
    const evaluation = { roles_assigned: roles, roles_ground_truth: roles, voting_result: { player2: 1 }, winner: 'Team Village' };
    const game = JSON.stringify({ messages: [host('Night phase ends.'), ...speeches, host('Day phase ends.')], evaluation });
    mkdirSync(join(folder, 'published'));
    for (const name of ['episode_001.json', 'episode_002.json']) writeFileSync(join(folder, 'published', name), game);
    writeFileSync(join(folder, 'published', 'notes.txt'), 'not a game');
    const imported = await maw('dataset', 'import', 'imported.jsonl', 'published', '--reward', 'minus-votes');
    expect([imported.code, imported.out]).toEqual([
      0,
      'imported.jsonl: 2 games published with document 004, reward minus-votes; 4 choices. Its card is imported.jsonl.card.json\n',
    ]);
    expect(JSON.parse((await maw('dataset', 'show', 'imported.jsonl', '--json')).out)).toMatchObject({
      games: 2,
      deals: 1,
      meanReturn: expect.closeTo((1 - 1.5) / 2, 9),
    });
    writeFileSync(join(folder, 'published', 'episode_003.json'), game.slice(0, 100));
    const refused = await maw('dataset', 'import', 'refused.jsonl', 'published');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('episode_003.json: no JSON value')]);
    expect(existsSync(join(folder, 'refused.jsonl'))).toBe(false);
  });
});

describe('maw dataset record and build', () => {
  it('records the same games for the same seed, a choice for each speech', async () => {
    const recorded = await maw('dataset', 'record', 'recorded.jsonl', '--games', '4', '--seed', 'a');
    expect([recorded.code, recorded.out]).toEqual([
      0,
      'recorded.jsonl: 4 games of tactician:tactic=random in onuw, seed a, reward end; 60 choices. Its card is recorded.jsonl.card.json\n',
    ]);
    expect(await maw('dataset', 'record', 'again.jsonl', '--games', '4', '--seed', 'a', '--licence', 'CC0')).toMatchObject({ code: 0 });
    const cards = ['recorded', 'again'].map((name) => JSON.parse(text(`${name}.jsonl.card.json`)) as object);
    const same = { minds: ['tactician:tactic=random'], models: [], recorded: 'played in one process, without a model', games: 4, deals: 4, reward: 'end' }; // prettier-ignore
    expect(cards).toMatchObject([
      { ...same, licence: 'not stated' },
      { ...same, licence: 'CC0' },
    ]);
    expect(text('again.jsonl')).toBe(text('recorded.jsonl'));
    const shown = await maw('dataset', 'show', 'recorded.jsonl', '--json');
    expect(JSON.parse(shown.out)).toMatchObject({ games: 4, choices: 60 });
  });

  it('builds a dataset of recorded tables', async () => {
    const short = ['--option', 'setup=analysis', '--option', 'analysisTalk=true', '--option', 'talkRounds=1', '--option', 'hurry=true'];
    const played = await maw(
      'play',
      '--rules',
      'onuw',
      '--players',
      '3',
      '--minds',
      'tactician',
      '--seconds',
      '120',
      ...short,
      '--data',
      'tables',
    );
    expect(played.code).toBe(0);
    const built = await maw('dataset', 'build', 'built.jsonl', '--data', 'tables', '--reward', 'every-step');
    expect([built.code, built.out]).toEqual([
      0,
      'built.jsonl: 1 games of recorded tables, reward every-step; 3 choices. Its card is built.jsonl.card.json\n',
    ]);
    expect(JSON.parse(text('built.jsonl.card.json'))).toMatchObject({
      minds: ['tactician'],
      models: [],
      recorded: expect.stringContaining('built'),
    });
    const choices = text('built.jsonl').trim().split('\n').slice(1).map((line) => JSON.parse(line) as { role: string; turn: number; isLast: boolean }); // prettier-ignore
    expect(choices.map(({ role, turn, isLast }) => [role, turn, isLast])).toEqual([
      ['werewolf', 0, true],
      ['werewolf', 0, true],
      ['robber', 0, true],
    ]);
    expect(await maw('dataset', 'build', 'none.jsonl', 'no-table', '--data', 'tables')).toMatchObject({ code: 1 });
  });

  it.each([
    ['rules', 'no finished game has a chosen tactic: let minds of the recipes onuw or tactician play'],
    ['onuw', 'onuw needs a model: let it play at tables'],
    ['tactician:tactic=loud', 'tactic'],
    ['tactician:tactic=rl;policy=talk@1', 'asks a policy, which always chooses the same in the same place'],
  ])('refuses the mind %s', async (mind, why) => {
    const { code, err } = await maw('dataset', 'record', 'refused.jsonl', '--games', '1', '--mind', mind);
    expect([code, err]).toEqual([1, expect.stringContaining(why)]);
    expect(existsSync(join(folder, 'refused.jsonl'))).toBe(false);
  });
});

describe('maw policy', () => {
  it('trains and shows a policy, with its learning curve', async () => {
    const trained = await maw('policy', 'train', 'games.jsonl', '--out', 'run', '--rho', '1', '--quantiles', '2', ...QUICK);
    expect(trained.code).toBe(0);
    expect(trained.out).toContain('rho 1, critics 2, quantiles 2');
    expect(text('run', 'learning-curve.svg')).toContain('conservative term');
    const shown = JSON.parse((await maw('policy', 'show', 'run', '--json')).out) as { widths: number[] };
    expect(shown.widths).toEqual([256, 8, 12]);
  });

  it('resumes a training that was interrupted', async () => {
    const args = ['policy', 'train', 'games.jsonl', '--out', 'stopped', ...QUICK];
    const stopped = await runMaw(args, { cwd: folder, signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ code: 130, err: 'interrupted; continue with: maw policy resume stopped\n' });
    expect(await maw('policy', 'show', 'stopped')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no policy in stopped'),
    });
    expect(await maw('policy', 'resume', 'stopped')).toMatchObject({ code: 0 });
    expect(await maw('policy', 'resume', '.')).toMatchObject({ code: 1, err: expect.stringContaining('there is no training in .') });
  });

  it('resumes a sweep that was interrupted, and leaves what was trained as it is', async () => {
    const args = ['policy', 'sweep', 'games.jsonl', '--rhos', '0,2', '--json', ...QUICK];
    const whole = await maw(...args, '--out', 'whole');
    const stopped = await runMaw([...args, '--out', 'halted'], { cwd: folder, signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ code: 130, err: expect.stringContaining('interrupted; continue with: maw policy resume halted\n') });
    cpSync(join(folder, 'whole', 'rho-0'), join(folder, 'halted', 'rho-0'), { recursive: true });
    const resumed = await maw('policy', 'resume', 'halted', '--json');
    expect([resumed.code, resumed.out]).toEqual([0, whole.out.replaceAll('whole', 'halted')]);
    expect(resumed.err).toContain('training halted/rho-2');
    expect(resumed.err).not.toContain('training halted/rho-0');
    expect(text('halted', 'policy.json')).toBe(text('whole', 'policy.json'));
    writeFileSync(join(folder, 'halted', 'sweep.json'), text('halted', 'sweep.json').replace(/"sha256": "./, '"sha256": "-'));
    expect((await maw('policy', 'resume', 'halted')).err).toContain('has changed since the sweep in halted began');
    writeFileSync(join(folder, 'halted', 'sweep.json'), text('halted', 'sweep.json').slice(0, 50));
    expect((await maw('policy', 'resume', 'halted')).err).toBe('maw: halted/sweep.json is damaged: begin the training again\n');
  });

  it('sweeps rho and takes the policy that does best on held-out deals', async () => {
    const { code, out } = await maw('policy', 'sweep', 'games.jsonl', '--out', 'swept', '--rhos', '0,2', '--json', ...QUICK);
    expect(code).toBe(0);
    const lines = out.trim().split('\n').map((line) => JSON.parse(line) as { rho?: unknown; value: number; agreement: number; isChosen: boolean; folder: string }); // prettier-ignore
    const rows = lines.filter(({ rho }) => rho !== undefined);
    expect(rows.map(({ rho }) => rho)).toEqual(['cloning', 0, 2]);
    expect(rows[0]!.agreement).toBe(1);
    const [chosen] = rows.filter(({ isChosen }) => isChosen);
    expect(chosen!.value).toBe(Math.max(...rows.map(({ value }) => value)));
    expect(text('swept', 'policy.json')).toBe(text(chosen!.folder, 'policy.json'));
    expect(text('swept', 'value-by-rho.svg')).toContain('>cloning<');
  });

  it('says when nothing was to be learnt: before listeners who do not listen', async () => {
    recordGames('babble.jsonl', ['babbling']);
    const { code, out } = await maw('policy', 'sweep', 'babble.jsonl', '--out', 'babble', '--rhos', '4', ...QUICK);
    expect(code).toBe(0);
    expect(out).toContain('Chosen: the clone; no other does better.');
  });

  it.each([
    [['--rho', 'much'], 'expected a number from 0 to 1000.'],
    [['--hidden', '8,'], 'expected a number from 1 to 4096.'],
    [['--encoder', 'embed:x'], '"embed:x" is no encoder'],
    [['--preset', 'other'], 'Allowed choices are usual, paper.'],
  ])('refuses %j', async (args, why) => {
    const { code, err } = await maw('policy', 'train', 'games.jsonl', '--out', 'wrong', ...args);
    expect([code, err]).toEqual([1, expect.stringContaining(why)]);
  });
});

describe('embeddings', () => {
  const encoder = ['--encoder', 'embed:simulated-embed:256'];

  it('are fetched beside a dataset, trained on, and asked for at a table', async () => {
    await maw('dataset', 'record', 'onuw.jsonl', '--games', '8');
    const early = await maw('policy', 'train', 'onuw.jsonl', '--out', 'early', ...encoder, ...QUICK);
    expect(early.err).toMatch(/120 of 120 choices in \S+ have no embedding by simulated-embed yet; fetch them with: maw dataset embed/);
    const embed = ['dataset', 'embed', 'onuw.jsonl', '--model', 'sim'];
    const stopped = await runMaw(embed, { cwd: folder, signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ code: 130, err: 'interrupted; run the same command again to go on\n' });
    expect((await maw(...embed)).out).toMatch(/^onuw.jsonl: \d+ texts .*, 0 had .*Train with --encoder embed:simulated-embed:256\n$/);

    const swept = await maw('policy', 'sweep', 'onuw.jsonl', '--out', 'embedded', '--rhos', '1', ...encoder, ...QUICK);
    expect([swept.code, swept.out]).toEqual([0, expect.stringContaining('as the clone')]);
    const wrong = await maw('policy', 'sweep', 'onuw.jsonl', '--out', 'wrong', '--encoder', 'embed:simulated-embed:768', ...QUICK);
    expect(wrong.err).toContain('by simulated-embed have 256 numbers, and embed:simulated-embed:768 wants 768');

    expect((await maw('policy', 'import', 'embedded', '--as', 'embedded', '--data', 'seated')).code).toBe(0);
    const mind = ['--rules', 'onuw', '--data', 'seated', '--minds', 'tactician:tactic=rl;policy=embedded@1'];
    expect((await maw('simulate', '--games', '1', ...mind)).err).toContain(
      'the policy embedded@1 asks the model simulated-embed for embeddings, and these games are played without a model',
    );
    const short = ['setup=analysis', 'analysisTalk=true', 'talkRounds=1', 'hurry=true'].flatMap((option) => ['--option', option]);
    expect((await maw('play', ...mind, '--players', '3', '--model', 'sim', '--seconds', '4', ...short)).code).toBe(0);
    const built = await maw('dataset', 'build', 'asked.jsonl', '--data', 'seated');
    expect(`${built.out}${built.err}`).toMatch(/3 choices|every choice is/); // each was made: without its embedding there is none
  });

  it('come from the server that is named, with the key for it, and of no other', async () => {
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      asked.push([request.url, request.headers.authorization]);
      if (asked.length === 2) response.writeHead(429, { 'Retry-After-Ms': '1' }).end();
      else response.writeHead(404).end('no such model');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const embed = ['dataset', 'embed', 'games.jsonl', '--model', 'nomic'];
    const refused = await maw(...embed, '--at', `http://127.0.0.1:${port}/`, '--key', 'k');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('answers 404: no such model') });
    const env = { OLLAMA_HOST: `127.0.0.1:${port}`, MAW_GATEWAY_KEY: 'secret', MAW_GATEWAY_AT: '' };
    expect(await runMaw(embed, { cwd: folder, env })).toMatchObject({ code: 1 });
    expect(asked).toEqual([
      ['/api/show', 'Bearer k'], // no Ollama
      ['/v1/embeddings', 'Bearer k'],
      ['/v1/embeddings', 'Bearer k'], // it was told to ask again
      ['/api/show', undefined],
      ['/v1/embeddings', undefined],
    ]);
    server.close();
    expect((await maw(...embed, '--at', 'nowhere')).err).toBe('maw: --at: nowhere is no URL, such as http://127.0.0.1:11434\n');
  });
});

describe('a line chart', () => {
  const points = (chart: string): readonly string[] => [...chart.matchAll(/points="([^"]*)"/g)].map(([, all]) => all!);

  it('draws each line over common axes', () => {
    const chart = lineChart({ title: 'T', x: 'step', lines: [{ name: 'a', points: [[0, 0], [10, 1]] }, { name: 'b', points: [[5, 0.5]] }] }); // prettier-ignore
    const [start, end, middle] = points(chart).flatMap((all) => all.split(' ').map((pair) => pair.split(',').map(Number)));
    expect(start![0]).toBeLessThan(end![0]!);
    expect(start![1]).toBeGreaterThan(end![1]!); // more is higher up
    expect(middle![0]).toBeCloseTo((start![0]! + end![0]!) / 2, 1);
    expect(middle![1]).toBeCloseTo((start![1]! + end![1]!) / 2, 1);
  });

  it('can be drawn of a single value', () => {
    expect(points(lineChart({ title: 'T', x: 'step', lines: [{ name: 'a', points: [[3, 0]] }] }))[0]).not.toContain('NaN');
  });
});

describe('a policy in the database', () => {
  const tactician = (policy: string, tactic = 'rl'): string => `tactician:tactic=${tactic};policy=${policy}`;

  it('is stored in versions, asked in simulations and contests, and refused where there is none', async () => {
    const { card, weights } = policyFile('honest_accusation');
    mkdirSync(join(folder, 'always'));
    writeFileSync(join(folder, 'always', 'policy.json'), JSON.stringify(card));
    writeFileSync(join(folder, 'always', 'policy.safetensors'), Buffer.from(weights, 'base64'));
    expect((await maw('policy', 'import', 'always', '--as', 'a b')).err).toContain('a policy has a name of letters, digits, _ and -');
    expect((await maw('policy', 'import', 'nowhere', '--as', 'talk')).err).toContain('there is no policy in nowhere');
    expect((await maw('policy', 'import', 'always', '--as', 'talk')).out).toBe('It is talk@1. Seat it with tactic=rl and policy=talk@1.\n');
    expect((await maw('policy', 'list')).out).toMatch(/talk@1 +\S+ +hashed-ngrams-1:16:0 +rho 0.1 +by hand/);

    const missing = 'there is no policy walk@1; there are talk@1';
    const simulate = ['simulate', '--rules', 'onuw', '--games', '4', '--seed', '1', '--json', '--minds'];
    expect(await maw(...simulate, tactician('walk@1'))).toMatchObject({ code: 1, err: expect.stringContaining(missing) });
    const [asked, random] = await Promise.all(['rl', 'random'].map((tactic) => maw(...simulate, tactician('talk', tactic))));
    expect([asked!.code, random!.code]).toEqual([0, 0]);
    expect(asked!.out.split('\n')[0]).not.toBe(random!.out.split('\n')[0]);

    const contest = (policy: string) => `name: c
agents:
  - { name: rl, recipe: tactician, parameters: { tactic: rl, policy: ${policy} } }
  - { name: random, recipe: tactician }
games: [{ rules: onuw }]
schedule: { kind: sides, deals: 2 }
play: arena
seed: a
`;
    for (const [name, policy] of [['walk', 'walk@1'], ['open', 'talk'], ['good', 'talk@1']] as const) writeFileSync(join(folder, `${name}.yaml`), contest(policy)); // prettier-ignore
    expect((await maw('contest', 'run', 'walk.yaml')).err).toContain(`agents.0: rl: parameters.policy: ${missing}`);
    expect((await maw('contest', 'run', 'open.yaml')).err).toContain(
      'talk may get a newer version while the contest runs; say its version',
    );
    const { code, err } = await maw('contest', 'run', 'good.yaml');
    expect([code, err]).toEqual([0, expect.not.stringContaining('void')]);
  });
});
