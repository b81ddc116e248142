import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { catalogue } from '@maw/games/catalogue.ts';
import { hastyMajorities, longestLagMs, missedIn, playDriven } from '@maw/tests/equipment/person/driven-game.ts';
import { type TalkFigures, talkFigures } from '@maw/tests/equipment/person/talk-figures.ts';
import { type PublicPhase, phasesOf } from '@maw/tests/equipment/person/silence.ts';
import { playInTerminal } from '@maw/tests/equipment/person/terminal-person.ts';
import { type BenchmarkContext, benchmark } from './benchmark.ts';
import { flag, integer, names, text } from './options.ts';

const ROOT = resolve(import.meta.dirname, '..');

interface Row {
  readonly rules: string;
  readonly games: number;
  readonly minutes: number;
  readonly missed: number;
  readonly hasty: number;
  readonly lagSeconds: number;
  readonly talk: TalkFigures;
  readonly phases: readonly PublicPhase[];
}

export const person = benchmark({
  name: 'person',
  description: 'plays as a person who reads 250 words and types 200 characters a minute, on a driven clock and in a terminal',
  options: {
    seeds: integer('games of each rule set on a driven clock', { fallback: 10, min: 0 }),
    pace: text('the pace of those tables: people or machines', 'people'),
    terminal: flag('play one game of each rule set in a real terminal too, which takes as long as it takes a person'),
    transcripts: text('the folder that receives what the terminal showed', '.maw/person', 'FOLDER'),
    rules: names(
      'rule sets',
      catalogue.map(({ name }) => name),
    ),
  },
  async measure({ seeds, pace, terminal, transcripts, rules }, context) {
    const sets = catalogue.map(({ name }) => name).filter((name) => rules?.includes(name) ?? true);
    const rows: Row[] = [];
    for (const name of seeds ? sets : []) rows.push(await driven(name, seeds, pace, context));
    const played = terminal ? await Promise.all(sets.map((name) => inTerminal(name, transcripts, context))) : [];
    const hasFailed =
      rows.some(({ missed, hasty }) => missed + hasty > 0) ||
      played.some(({ exitCode, asked, answered }) => exitCode !== 0 || !asked || answered < asked);
    return {
      text: [tableOf(rows), silenceOf(rows), talkTableOf(rows), ...played.map(({ line }) => line)].join('\n'),
      json: [...rows, ...played],
      hasFailed,
    };
  },
});

async function driven(rules: string, seeds: number, pace: string, { signal, say }: BenchmarkContext): Promise<Row> {
  let [minutes, missed, hasty, lag] = [0, 0, 0, 0];
  const tapes: Awaited<ReturnType<typeof playDriven>>[] = [];
  const phases: PublicPhase[] = [];
  for (let n = 0; n < seeds && !signal.aborted; n++) {
    const tape = await playDriven({ rules, seed: `person ${n}`, table: `person-${n}`, options: { pace } });
    tapes.push(tape);
    minutes += (tape.at(-1)!.at - tape[0]!.at) / 60_000;
    missed += missedIn(tape).length;
    hasty += hastyMajorities(tape).length;
    lag = Math.max(lag, longestLagMs(tape));
    phases.push(...phasesOf(tape));
  }
  const games = tapes.length;
  say(`${rules}: ${games} games`);
  const lagSeconds = lag / 1000;
  return { rules, games, minutes: minutes / Math.max(1, games), missed, hasty, lagSeconds, talk: talkFigures(tapes), phases };
}

/** Plays one game in a terminal, and keeps what it showed. */
async function inTerminal(rules: string, transcripts: string, { signal, say }: BenchmarkContext) {
  const data = await mkdtemp(join(tmpdir(), 'maw-person-'));
  const command = [join(ROOT, 'maw'), 'play', '--human', 'Ann', '--rules', rules, '--minds', 'rules', '--model', 'sim', '--data', data];
  try {
    const { lines, exitCode, asked, answered } = await playInTerminal(command, ROOT, signal);
    await mkdir(transcripts, { recursive: true });
    const file = join(transcripts, `${rules}.txt`);
    await writeFile(file, `${lines.join('\n')}\n`);
    say(`${rules}: played in a terminal`);
    return {
      rules,
      exitCode,
      asked,
      answered,
      line: `${rules} in a terminal: ${answered} of ${asked} questions answered, exit code ${exitCode}, ${file}`,
    };
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

const tableOf = (rows: readonly Row[]): string =>
  [
    '| game | games | minutes each | phases missed | majorities of minds before all had spoken | longest lag of a reader, s |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ rules, games, minutes, missed, hasty, lagSeconds }) =>
        `| ${rules} | ${games} | ${minutes.toFixed(1)} | ${missed} | ${hasty} | ${lagSeconds.toFixed(1)} |`,
    ),
  ].join('\n');

/** What the talk was like; people say 5.4 to 10.6 lines a minute where talk is free. */
const talkTableOf = (rows: readonly Row[]): string =>
  [
    '',
    '| game | lines a minute | median silence, s | longest silence of a talk (median), s | words of a line (median) | longest time without a public event, by phase (median; most), s |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ rules, talk }) => {
      const { linesPerMinute, medianSilence, longestSilence, medianWords, quiet, longestQuiet } = talk;
      const [rate, silence, longest] = [linesPerMinute, medianSilence, longestSilence].map((figure) => figure.toFixed(1));
      return `| ${rules} | ${rate} | ${silence} | ${longest} | ${medianWords.toFixed(0)} | ${quiet.toFixed(0)}; ${longestQuiet.toFixed(0)} |`;
    }),
  ].join('\n');
/** How long nothing happens that everybody sees, by kind of phase, and how long who has no secret part can do nothing. */
function silenceOf(rows: readonly Row[]): string {
  const seconds = (ms: number): string => (ms / 1000).toFixed(0);
  const lines = rows.flatMap(({ rules, games, phases }) =>
    [...Map.groupBy(phases, ({ kind }) => kind)].map(([kind, each]) => {
      const sum = (of: 'ms' | 'silentMs' | 'idleMs'): number => each.reduce((all, phase) => all + phase[of], 0);
      const longest = Math.max(...each.map(({ silentMs }) => silentMs));
      const times = [sum('ms') / each.length, sum('silentMs') / each.length, longest, sum('idleMs') / games];
      return `| ${[rules, kind, each.length, ...times.map(seconds)].join(' | ')} |`;
    }),
  );
  return [
    '',
    '| game | phase | phases | seconds each | longest without a public event, mean | at most | seconds a game without a public question |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}
