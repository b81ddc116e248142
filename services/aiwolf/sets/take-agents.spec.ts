import { expect, it } from '@jest/globals';
import type { AgentConnection } from '../connections/agent-connection.ts';
import type { ServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import { takeAgents } from './agent-queue.ts';

const gathered = (...names: readonly string[]) => {
  const all = new Set(names.map((name) => ({ name, team: name.replace(/\d+$/, '') }) as AgentConnection));
  return {
    take: (match: ServerTerms['match'], agents: number) =>
      takeAgents({ waiting: all, terms: { match, agents } as ServerTerms })?.map(({ name }) => name),
    waiting: () => [...all].map(({ name }) => name),
  };
};

it.each([
  ['any', ['a1', 'a2', 'b1'], ['a3']],
  ['teams', ['a1', 'b1', 'c1'], ['a2', 'a3']],
  ['self', ['a1', 'a2', 'a3'], ['b1', 'c1']],
] as const)('with match %s takes those that came first and fit', (match, taken, left) => {
  const { take, waiting } = gathered('a1', 'a2', 'b1', 'a3', ...(match === 'any' ? [] : ['c1']));
  expect(take(match, 3)).toEqual(taken);
  expect(waiting()).toEqual(left);
});

it('takes nobody while there are not enough', () => {
  const { take, waiting } = gathered('a1', 'a2');
  for (const match of ['any', 'self'] as const) expect(take(match, 3)).toBeUndefined();
  expect(take('teams', 2)).toBeUndefined();
  expect(waiting()).toEqual(['a1', 'a2']);
});
