import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { QUESTIONS } from '@maw/lab/judging/questions.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { runMaw } from '../../command.suite.ts';

const cwd = temporaryFolder();
let table: string;
const maw = (...args: readonly string[]) => runMaw(args, { cwd });
const read = (file: string) => readFile(join(cwd, file), 'utf8');

beforeAll(async () => {
  const { out } = await maw(
    'play',
    '--rules',
    'avalon',
    '--players',
    '5',
    '--seed',
    'judge',
    '--minds',
    'rules',
    '--model',
    'sim',
    '--json',
  );
  table = (JSON.parse(out.trim().split('\n').at(-1)!) as { table: string }).table;
});

it.each(Object.keys(QUESTIONS))('makes sheets of %s', async (question) => {
  const { code, err } = await maw('judge', 'sheets', table, '--question', question, '--out', `s-${question}`);
  expect([code, err]).toEqual([0, expect.stringMatching(/^maw: \d+ items in s-/)]);
  expect(await read(`s-${question}/sheet.html`)).toContain(`"item":"${question}-1"`);
});

it('leads from a table to values of measures, judged by a model and a person', async () => {
  await maw('judge', 'sheets', table, '--question', 'sharing', '--out', 'one');
  const asked = await maw('judge', 'ask', 'one', '--model', 'sim');
  expect([asked.code, asked.err]).toEqual([0, expect.stringMatching(/items judged by the simulator, judge\.md@[0-9a-f]{8}/)]);
  const before = await read('one/judgements.jsonl');
  expect((await maw('judge', 'ask', 'one', '--model', 'sim')).err).toContain('0 items judged');
  expect(await read('one/judgements.jsonl')).toBe(before);

  expect((await maw('judge', 'agree', 'one')).lines).toEqual([
    expect.stringMatching(/^maw: one was judged by the simulator .*: agreement is of two/),
  ]);
  await writeFile(join(cwd, 'eva.csv'), (await read('one/sheet.csv')).replaceAll(/,$/gm, ',yes'));
  expect((await maw('judge', 'enter', 'one', 'eva.csv', '--judge', 'Eva')).code).toBe(0);
  const agreed = JSON.parse((await maw('judge', 'agree', 'one', '--json')).out) as { measure: string; kappa: number };
  expect(agreed).toMatchObject({ measure: 'Cohen', kappa: 0, drawn: 'items' }); // Eva says yes to all: no more than chance

  await writeFile(join(cwd, 'totals.jsonl'), (await maw('judge', 'totals', 'one')).out);
  const { out } = await maw('measure', table, '--judgements', 'totals.jsonl', '--format', 'csv');
  expect(out).toMatch(/^avalon,sharing,merlin,1,\d+,,,"document 003, section 5; judged by Eva, sheet"$/m);
});

it('goes on after an interruption with what is not judged', async () => {
  await maw('judge', 'sheets', table, '--question', 'attitude', '--out', 'two');
  const linesOf = async () => (await read('two/judgements.jsonl').catch(() => '')).split('\n').filter(Boolean);
  const stop = new AbortController();
  const asking = runMaw(['judge', 'ask', 'two', '--model', 'sim'], { cwd, signal: stop.signal });
  await pollUntil('a judgement', async () => (await linesOf()).length > 0, { everyMs: 1, timeoutMs: 60_000 });
  stop.abort();
  const { code, lines } = await asking;
  expect([code, lines]).toEqual([130, [expect.stringMatching(/^maw: interrupted after \d+ judgements?, which are kept/)]]);
  const kept = (await linesOf()).length;
  const all = (await read('two/key.jsonl')).trim().split('\n').length;
  expect((await maw('judge', 'ask', 'two', '--model', 'sim')).err).toContain(`${all - kept} items judged`);
  expect(new Set((await linesOf()).map((line) => (JSON.parse(line) as { item: string }).item)).size).toBe(all);
});

it.each<readonly [readonly string[], RegExp]>([
  [['sheets', '--question', 'claim', '--out', 'x'], /name either tables or, with --contest, a contest/],
  [['sheets', 't', '--question', 'claim', '--sample', '5', '--out', 'x'], /--sample is for --question reasonable/],
  [['sheets', 't', '--question', 'mood', '--out', 'x'], /Allowed choices are claim, reasonable/],
  [['ask', 'nothing', '--model', 'sim'], /nothing has no sheets; make some with maw judge sheets/],
  [['enter', 's-claim', 'none.csv', '--judge', 'Eva'], /none\.csv: there is no such file/],
  [['enter', 's-claim', 's-claim/sheet.csv', '--judge', 'Eva'], /has no answers: its column label is empty/],
  [['agree', 's-claim'], /s-claim was judged by nobody/],
  [['totals', 's-claim'], /nobody has judged all items of a game yet/],
  [['ask', 's-claim', '--model', 'sim', '--prompt', 'none.md'], /none\.md: there is no such file/],
])('says in one line what is wrong: judge %j', async (args, message) => {
  const { code, lines } = await maw('judge', ...args);
  expect([code, lines.length]).toEqual([1, args.includes('mood') ? 2 : 1]);
  expect(lines[0]).toMatch(message);
});

it('does not write over sheets that may have been judged', async () => {
  const { lines } = await maw('judge', 'sheets', table, '--question', 'claim', '--out', 's-claim');
  expect(lines).toEqual([expect.stringMatching(/s-claim has sheets, which may have been judged; name another folder/)]);
});
