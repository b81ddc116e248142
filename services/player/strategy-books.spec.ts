import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { playerFixture, type PlayerFixture, promptOf, until } from '@maw/tests/equipment/fakes/player-fixture.ts';
import { strategyBooks } from './strategy-books.ts';

let here: PlayerFixture;
beforeEach(async () => {
  here = await playerFixture();
});
afterEach(() => here.close());

const players = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve'].map((name, seat) => ({ seat, name, alive: true }));
const roles = ['merlin', 'assassin', 'morgana', 'servant', 'servant'];
const sets = () => here.store.strategies;
const finished = (seat: number, round: number, strategies = 's@0+', id = `t1/${seat}/${round}`) =>
  here.master.publish(
    contracts.write(
      'seat.finished',
      {
        seat,
        round,
        rules: { name: 'avalon', text: 'Rules.' },
        players,
        recipe: 'lan',
        parameters: { strategies },
        seed: 's',
        outcome: { winner: 'evil', winners: [1, 2], roles, points: [0, 1, 1, 0, 0] },
      },
      { id, source: 'gamemaster', subject: 't1', at: Date.now() },
    ),
  );
/** Suggests by the labels of players, and merges by adding a word to the strategy. */
const learnFrom = (prompt: string): string => {
  if (prompt.includes('Give 3 suggestions')) return '{"suggestions":["Speak less than Player B."]}';
  const [, strategy] = /A strategy for the role [^:]*: (.*)/.exec(prompt) ?? [];
  return strategy === undefined ? 'Player C fails quests.' : `${strategy} More, Player D.`;
};
const revisedOf = async (id: string) =>
  until('a thought', async () => (await here.store.thoughts.list('t1', { decision: id })).at(-1)?.content['revised']) as Promise<{
    readonly [field: string]: unknown;
  }>;

describe('a set of strategies', () => {
  it('gets a version of each seat of a role, one after the other, without names of players', async () => {
    here.script.model = (message) => learnFrom(promptOf(message));
    await here.player();
    await Promise.all([finished(3, 1), finished(4, 1)]);
    await until('two versions', async () => (await sets().list('s'))[0]?.newest === 2);
    const [first] = await sets().newest('s', { version: 1 });
    const [second] = await sets().newest('s');
    expect([first!.parent, second!.parent, new Set([first!.seat, second!.seat])]).toEqual([0, 1, new Set([3, 4])]);
    expect(first).toMatchObject({ recipe: 'lan', rules: 'avalon', role: 'servant', table: 't1', round: 1 });
    expect(second!.lesson).toEqual({
      strategy: `${String(first!.lesson['strategy'])} More, the Loyal Servant.`,
      suggestions: ['Speak less than the Assassin.'],
      others: 'the Morgana fails quests.',
    });
    expect(await revisedOf(`t1/${second!.seat}/1`)).toMatchObject({ set: 's@0+', used: 0, parent: 1, version: 2 });
  });

  it('learns once from a seat and round, and nothing once it is frozen or of a fixed version', async () => {
    here.script.model = (message) => learnFrom(promptOf(message));
    await here.player();
    await finished(3, 1);
    await revisedOf('t1/3/1');
    const { length } = here.heard['llm.complete'];
    await here.store.thoughts.remember('t1', 103, 5, {}); // as after a crash: only the version was written
    await finished(3, 1, 's@0+', 'again');
    expect(await revisedOf('again')).toMatchObject({ notWritten: 'this seat has learned from this round before' });
    await finished(3, 2, 's@1');
    expect(await revisedOf('t1/3/2')).toMatchObject({ notWritten: 's@1 is a fixed version' });
    await sets().freeze('s', 5);
    await finished(4, 2);
    expect(await revisedOf('t1/4/2')).toMatchObject({ notWritten: 'the set is frozen' });
    expect([(await sets().list())[0]!.newest, here.heard['llm.complete'].length]).toEqual([1, length]);
  });

  it('is used as its name says, by rounds', async () => {
    const lesson = { strategy: 'x', suggestions: [], others: '' };
    const about = { name: 's', recipe: 'lan', rules: 'avalon', role: 'servant', table: 't', at: 1, lesson };
    for (const seat of [0, 1, 2]) await sets().add({ ...about, parent: seat, round: 1, seat });
    const used = async (set: string, round: number) =>
      (await strategyBooks(sets(), { ...about, round, seat: 9, now: () => 1 })(set).used('servant'))?.version;
    expect(await Promise.all(['s', 's@2', 's@2+', 's@0+', 'none'].map((set) => used(set, 1)))).toEqual([3, 2, 2, undefined, undefined]);
    expect(await Promise.all(['s@2', 's@2+', 's@0+'].map((set) => used(set, 2)))).toEqual([2, 3, 3]);
  });
});
