import { afterEach, describe, expect, it } from '@jest/globals';
import { NOTHING_NAMED, runMaw } from '../command.suite.ts';
import { type GameTerms, startGameServer } from '@maw/aiwolf/client/game-server.suite.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** Plays with all seats by minds of ours. */
async function joinAll(terms: GameTerms, ...args: readonly string[]) {
  const { address, close, conduct } = await startGameServer(terms);
  closing.push(close);
  const games = terms.division === 'natural' ? ['--games', String(terms.games)] : [];
  const all = ['aiwolf', 'join', address, '--seats', String(terms.players), '--json', ...games, ...args];
  const { code, out, err } = await runMaw(all, { cwd: import.meta.dirname, env: NOTHING_NAMED });
  const reports = out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { readonly type: string; readonly by?: string; readonly request?: string });
  return { conduct, code, err, reports, ended: reports.filter(({ type }) => type === 'ended').length };
}

describe('a set of games against a server that plays by the pages', () => {
  it.each<readonly [string, GameTerms]>([
    ['5 players of the protocol division', { division: 'protocol', players: 5, games: 3, seed: 'a' }],
    ['15 players of the protocol division', { division: 'protocol', players: 15, games: 1, seed: 'b' }],
    ['5 players of the natural-language division', { division: 'natural', players: 5, games: 3, seed: 'c' }],
    ['13 players of the natural-language division', { division: 'natural', players: 13, games: 1, seed: 'd' }],
    [
      '5 players who talk at any time',
      { division: 'natural', players: 5, games: 1, seed: 'e', options: { preset: 'nlp-anytime' }, talkMs: 160 },
    ],
  ])('gets one legal answer to each request, and nothing else, from %s', async (_, terms) => {
    const { conduct, code, ended, err } = await joinAll(terms);
    expect({ faults: conduct.faults, code, err: code ? err : '' }).toEqual({ faults: [], code: 0, err: '' });
    expect({ games: conduct.games, ended }).toEqual({ games: terms.games, ended: terms.games * terms.players });
  });

  it.each<readonly [string, GameTerms]>([
    ['protocol division', { division: 'protocol', players: 5, games: 1, seed: 'f', options: { utterances: 2, turns: 3 } }],
    [
      'talk at any time',
      { division: 'natural', players: 5, games: 1, seed: 'h', options: { preset: 'nlp-anytime', utterances: 2 }, talkMs: 80 },
    ],
  ])('gets the answers of a model, or of rules in its stead, and says whose they are: %s', async (_, terms) => {
    const { conduct, code, reports, err } = await joinAll(terms, '--mind', 'algorithm-1', '--model', 'sim');
    expect({ faults: conduct.faults, code, err: code ? err : '' }).toEqual({ faults: [], code: 0, err: '' });
    const answered = reports.filter(({ type }) => type === 'answered');
    expect(answered.length).toBe(Object.values(conduct.answers).reduce((sum, count) => sum + count, 0));
    expect(answered.filter(({ by }) => by === 'model').length).toBeGreaterThan(answered.length / 2);
    expect(err).toContain('the simulator was asked for');
  });
});
