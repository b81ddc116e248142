import { expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { playthrough } from '@maw/tests/equipment/laws/playthrough.ts';
import type { ApiClient } from '@maw/api-client/client.ts';
import { ApiProblem } from '@maw/api-client/problem.ts';
import { openSession } from './session.ts';

it('goes on after the last event that it read when it is opened again after a refusal', async () => {
  const [set] = catalogue;
  const { tape } = playthrough(set!, { players: set!.players.usual, seed: 'console session', options: {} }, 1).table;
  const afters: unknown[] = [];
  const client: Pick<ApiClient, 'get'> = {
    async get<T>(_: string, { after }: { readonly after?: number } = {}) {
      afters.push(after);
      if (afters.length === 2) throw new ApiProblem(404, 'http-404');
      const to = after ? tape.length : 3;
      const seen = tape.slice(after, to).map((event, i) => ({ n: after! + i + 1, at: 0, event }));
      return { seen, more: to < tape.length, summary: { stage: 'over' } } as T;
    },
  };
  const channel = () => {
    throw new Error('a table that is over is not followed');
  };
  const tabs = { lock: undefined, channel };
  const session = openSession({ client: client as ApiClient, table: 't1', source: 'narrator', tabs });
  const until = (isSo: () => boolean) => new Promise<void>((resolve) => session.subscribe(() => isSo() && resolve()));
  await until(() => session.get().problem?.status === 404);
  session.reopen();
  session.reopen(); // a second click
  await until(() => session.get().isOver);
  expect(session.get().problem).toBeUndefined();
  expect(session.tapeOf('narrator').moments.map(({ seen }) => seen.n)).toEqual(tape.map((_, i) => i + 1));
  expect(afters).toEqual([0, 3, 3]);
  session.close();
});
