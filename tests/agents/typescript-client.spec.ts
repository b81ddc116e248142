import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InProcessSystem, startInProcessSystem } from '@maw/cli/in-process-system.ts';
import type { NarratedEvent } from '@maw/lab/measures/game-record.ts';
import { tapeFaults } from '@maw/lab/contests/tape-faults.ts';
import { type Agent, type Observation, play } from '../../clients/typescript/agent.ts';

const MINUTES = 600_000;
const MODELS = { servers: [], model: undefined, says: '', why: 'no model is needed' };
const MIND = { kind: 'mind' as const, recipe: 'random' };

let system: InProcessSystem;
beforeAll(async () => {
  system = await startInProcessSystem({ port: 0, models: MODELS, maxWaitMs: 100, logLevel: 'error' });
}, MINUTES);
afterAll(() => system.close(), MINUTES);

const keyFor = async (name: string): Promise<string> => (await system.web.makeToken({ role: 'agent', name })).token;

const openFor = (name: string) =>
  system.web.open({
    rules: 'onuw',
    seats: [{ kind: 'agent', agent: name }, MIND, MIND],
    options: { hurry: true, stepMs: 20_000, turnMs: 20_000, talkMs: 20_000, voteMs: 20_000, talkRounds: 1 },
  });

const legal: Agent = ({ question: { verb, options, pick } }) => {
  if (verb === 'say') return 'Good morning.';
  return pick === 1 ? options[0]!.is : options.slice(0, pick).map(({ is }) => is);
};

describe('the client in TypeScript', () => {
  it(
    'asks once more with the reason after an illegal answer, and hears of what the agent throws',
    async () => {
      const { table } = await openFor('fox');
      const seen: Observation[] = [];
      const problems: [unknown, string][] = [];
      const agent: Agent = (each) => {
        seen.push(each);
        if (each.question.verb === 'say') throw new Error('it forgot to speak');
        return each.refused === undefined ? 'seat:99' : legal(each);
      };
      const terms = { at: system.web.at, key: await keyFor('fox'), games: 1 };
      const results = await play(agent, { ...terms, onProblem: (...problem) => problems.push(problem) });
      expect(results).toEqual([{ table, seat: 0, winners: (await system.web.table(table)).winners }]);
      const asked = seen.filter(({ question, refused }) => question.verb === 'choose' && refused === undefined);
      expect(asked.length).toBeGreaterThan(0);
      for (const { question } of asked) {
        const again = seen.filter((each) => each.question.id === question.id && each.refused !== undefined);
        expect(again.map(({ refused, news }) => [refused, news])).toEqual([
          [expect.stringMatching(/seat:99|^choose 2, each once$/), expect.anything()],
        ]); // by its role
      }
      expect(problems).toEqual([[new Error('it forgot to speak'), table]]);
      const tape: NarratedEvent[] = [];
      for await (const { event } of system.web.tape(table, 'narrator')) tape.push(event as NarratedEvent);
      const faults = tapeFaults('onuw', tape).filter(({ seat }) => seat === 0);
      expect(faults.map(({ kind }) => kind).toSorted()).toEqual([...asked.map(() => 'invalid'), 'late']);
      expect(new Set(seen.flatMap(({ players }) => players))).toContain('fox');
    },
    MINUTES,
  );

  it(
    'plays at several tables at once, and tells each what happened there alone',
    async () => {
      const tables = [await openFor('crow'), await openFor('crow')].map(({ table }) => table);
      const news = new Map<string, Set<number>>();
      const agent: Agent = (seen) => {
        const numbers = news.get(seen.table) ?? new Set();
        for (const { n } of seen.news) {
          expect(numbers.has(n)).toBe(false);
          numbers.add(n);
        }
        news.set(seen.table, numbers);
        return legal(seen);
      };
      const problems: unknown[] = [];
      const onProblem = (error: unknown) => problems.push(error);
      const results = await play(agent, { at: system.web.at, key: await keyFor('crow'), games: 2, onProblem });
      expect(problems).toEqual([]);
      expect(new Set(results.map(({ table }) => table))).toEqual(new Set(tables));
      expect(new Set(news.keys())).toEqual(new Set(tables));
    },
    MINUTES,
  );

  it('refuses a key that is none, and ends when it is told to', async () => {
    await expect(play(legal, { at: system.web.at, key: 'none' })).rejects.toMatchObject({ status: 401 });
    const end = new AbortController();
    const ended = play(legal, { at: system.web.at, key: await keyFor('owl'), signal: end.signal });
    end.abort();
    expect(await ended).toEqual([]);
  });
});
