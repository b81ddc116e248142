import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { figuresOf, type GameFigures } from './figures.ts';
import { findModelServer, type ModelServer, SMALL_MODEL } from './model-server.ts';
import { playGame } from './played-game.ts';

const MINUTE_MS = 60_000;
/** A game that is not over then is ended: both and what is around them take eight minutes at most. */
const LIMIT_SECONDS = 210;
jest.setTimeout(5 * MINUTE_MS);

let server: ModelServer;
beforeAll(async () => {
  const found = await findModelServer();
  if (typeof found === 'string') throw new Error(found);
  server = found;
}, MINUTE_MS);
afterAll(() => server?.close());

it('answers at least four of the five questions of maw doctor', async () => {
  const maw = join(import.meta.dirname, '../../maw');
  const args = ['doctor', '--model', SMALL_MODEL, '--json'];
  const lines = await new Promise<string>((resolve) => {
    execFile(maw, args, { env: { ...process.env, OLLAMA_HOST: server.url } }, (_, out) => resolve(out)); // exit code 1: something was lost
  });
  const outcomes = lines.split('\n').flatMap((line) => (line.startsWith('{') ? [(JSON.parse(line) as { outcome: string }).outcome] : []));
  expect(outcomes).toHaveLength(5);
  expect(outcomes.filter((outcome) => outcome !== 'defaulted').length).toBeGreaterThanOrEqual(4);
});

// A model this small keeps a form and writes a vote. How well it plays, and what it says, is not looked at.
describe.each(['maw', 'onuw'])('a game of %s with a real model on every seat', (rules) => {
  let game: GameFigures;
  beforeAll(async () => {
    const times = { phaseSeconds: 90, maxDays: 2, limitSeconds: LIMIT_SECONDS };
    const played = await playGame(
      { url: server.url, model: SMALL_MODEL, rules, mind: 'algorithm-1', seed: 'engine', ...times },
      AbortSignal.timeout(4 * MINUTE_MS),
    );
    game = figuresOf(played);
    process.stderr.write(`${rules}: ${JSON.stringify(game)}\n`);
  });

  it('ends with a winner or a draw', () => {
    expect(game.hasEnded).toBe(true);
  });

  it('decides nineteen of twenty questions by itself', () => {
    expect(game.decisions).toBeGreaterThan(5);
    expect(game.defaulted / game.decisions).toBeLessThanOrEqual(0.05 + 1 / game.decisions); // one may meet the end of its phase
  });

  it('asks the engine for nothing but decisions while it runs', () => {
    expect(game.slotChecks).toBe(0);
    expect(game.idleCalls).toBe(0);
  });

  it('seats nobody whose name is a word of the game', () => {
    expect(game.names.length).toBeGreaterThan(2);
    expect(game.namesOfRules).toEqual([]);
  });

  it('hears somebody before anybody votes', () => {
    expect(game.talks).toBeGreaterThan(0);
    expect(game.mute).toBe(0);
  });

  it('reads at least half of its prompts from what the engine has kept', () => {
    expect(game.reusedByText).toBeGreaterThanOrEqual(0.5);
  });
});
