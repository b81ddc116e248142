import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { readMinds } from '@maw/minds/own-recipes.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { figuresOf, type GameResult } from '@maw/tests/engine/figures.ts';
import { findModelServer, SMALL_MODEL } from '@maw/tests/engine/model-server.ts';
import { playGame } from '@maw/tests/engine/played-game.ts';
import { benchmark } from '../benchmark.ts';
import { flag, integer, text, UsageError } from '../options.ts';

/** Each recipe in its own rule set, and that of the product in all five. */
const USUAL = 'maw/algorithm-1,maw/react,werewolf-7/xu,werewolf-7/werewolf-arena,avalon/lan,avalon/recon,onuw/onuw,werewolf-7/algorithm-1,avalon/algorithm-1,onuw/algorithm-1,aiwolf/algorithm-1'; // prettier-ignore

export const engine = benchmark({
  name: 'engine',
  description: 'plays games with a real model and counts what came of its replies (an Ollama server, or that of tests/engine/get.sh)',
  options: {
    'model': text('the model', SMALL_MODEL),
    'games': text('what is played: RULES/MIND, a mind as for `maw play --minds`', USUAL, 'RULES/MIND,...'),
    'seconds': integer('length of every phase and turn in seconds', { fallback: 600 }),
    'days': integer('days at most, where a rule set has days', { fallback: 3 }),
    'limit': integer('a game is ended after that many seconds', { fallback: 900 }),
    'seed': text('the same seed deals the same roles', 'engine'),
    'without-format': flag('take the schema out of every request: the prompt alone asks'),
    'out': text('a file of JSON lines that results are added to; games that are in it already are not played again', undefined, 'FILE'),
  },
  async measure({ model, games, seconds, days, limit, seed, 'without-format': withoutFormat, out }, { signal, say }) {
    const wanted = readGames(games);
    const results = out === undefined ? [] : readResults(out);
    const server = await findModelServer(model);
    if (typeof server === 'string') throw new UsageError(server);
    try {
      for (const { rules, mind } of wanted) {
        const game = { rules, mind, model, seed, withoutFormat };
        if (signal.aborted) break;
        if (results.some((one) => keyOf(one) === keyOf(game))) continue;
        say(`${rules}/${mind}`);
        const times = { phaseSeconds: seconds, maxDays: days, limitSeconds: limit };
        const played = await playGame({ ...game, ...times, url: server.url }, signal);
        if (signal.aborted) break; // a game that was interrupted is played again
        const result: GameResult = { ...game, ...figuresOf(played) };
        results.push(result);
        if (out !== undefined) appendFileSync(out, `${JSON.stringify(result)}\n`);
        say(`${result.decisions} decisions, ${result.defaulted} by default, ${result.calls} calls in ${result.seconds} s`);
      }
    } finally {
      await server.close();
    }
    return results.length ? { text: tableOf(results), json: results } : undefined;
  },
});

/** @throws UsageError */
function readGames(given: string): readonly { readonly rules: string; readonly mind: string }[] {
  return given.split(',').map((one) => {
    const [rules = '', mind = ''] = [one.slice(0, one.indexOf('/')), one.slice(one.indexOf('/') + 1)].map((part) => part.trim());
    if (!catalogue.some(({ name }) => name === rules))
      throw new UsageError(
        `--games: "${one}" does not begin with a rule set and /; there are ${catalogue.map(({ name }) => name).join(', ')}`,
      );
    try {
      readMinds([mind]);
    } catch (error) {
      throw new UsageError(`--games: ${(error as Error).message}`, { cause: error });
    }
    return { rules, mind };
  });
}

const readResults = (file: string): GameResult[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line) => (line ? [JSON.parse(line) as GameResult] : []))
    : [];

const keyOf = ({ rules, mind, model, seed, withoutFormat }: Omit<GameResult, keyof ReturnType<typeof figuresOf>>): string =>
  JSON.stringify([rules, mind, model, seed, withoutFormat]);

const HEAD = [
  'recipe', 'rules', 'model', 'decisions', 'valid', 'repaired', 'fallback', 'by default', 'speeches a day', 'mute days', 'calls a decision',
  'calls, failed, that changed nothing', 'slot checks', 'tokens read, written', 'kept of prompts (times, text)', 'seconds', 'ended', 'names of rules',
]; // prettier-ignore

function tableOf(results: readonly GameResult[]): string {
  const share = (part: number, of: number): string => (of ? (part / of).toFixed(2) : '-');
  const rows = results.map((one) => [
    one.mind, one.rules, `${one.model}${one.withoutFormat ? ', no schema' : ''}`, one.decisions,
    ...[one.valid, one.repaired, one.fallback, one.defaulted].map((part) => share(part, one.decisions)),
    one.speechesPerDay, `${one.mute} of ${one.talks}`, one.callsPerDecision, `${one.calls}, ${one.failedCalls}, ${one.idleCalls}`, one.slotChecks,
    `${one.promptTokens}, ${one.tokens}`, `${one.reusedByTimes}, ${one.reusedByText}`, one.seconds, one.hasEnded ? 'yes' : 'no',
    one.namesOfRules.join(' ') || 'none',
  ]); // prettier-ignore
  return [HEAD, HEAD.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
