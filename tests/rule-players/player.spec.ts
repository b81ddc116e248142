import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { dayTwo, scripted } from '@maw/minds/fixtures.suite.ts';
import { type Mind, type Moment, newMind, type Thought } from '@maw/minds/mind.ts';
import { think } from '@maw/minds/think.ts';
import { newsFromEvent } from '@maw/minds/news.ts';
import { findRecipe } from '@maw/minds/recipes.ts';

const rules = findRecipe('rules');
type Event = { readonly type: string; readonly [field: string]: unknown };

/** A seat that is asked at a table of `players`: its memory afterwards, and its failed thoughts. */
async function thinks(game: string, players: number, events: readonly Event[] = []) {
  const names = Array.from({ length: players }, (_, seat) => `P${seat}`);
  const moment: Moment = {
    ...dayTwo,
    recipe: 'rules',
    name: 'P0',
    rules: { name: game, text: '' },
    players: names.map((name, seat) => ({ seat, name, alive: true })),
    news: events.map((event, i) => newsFromEvent({ n: i + 1, at: 0, event }, { names, verbs: {}, isRead: false })),
  };
  const thoughts: Thought[] = [];
  const { tools } = scripted();
  const mind: Mind = await think(rules, newMind, moment, { ...tools, record: async (thought) => void thoughts.push(thought) });
  return { mind, failures: thoughts.flatMap(({ name, content: { error } }) => (error === undefined ? [] : [[name, error]])) };
}

const opened = (options: object): Event => ({ type: 'opened', opening: { options } });
const dealt = (roles: number): Event => ({ type: 'dealt', roles: ['villager', ...Array.from({ length: roles - 1 }, () => 'hidden')] });
const wolves = ({ beliefs }: Mind, as: string): readonly number[] | undefined => (beliefs as { [role: string]: number[] })[as];

describe('the player without a model', () => {
  it.each(catalogue.map(({ name, players: { most } }): [string, number] => [name, most]))(
    'plays %s with up to %i players, and refuses more',
    async (game, most) => {
      const tooMany = (players: number) => `${game} is played by at most ${most}, and ${players} are said to be at the table`;
      expect((await thinks(game, most)).failures.filter(([, error]) => error === tooMany(most))).toEqual([]);
      for (const players of [most + 1, 200]) {
        const { mind, failures } = await thinks(game, players);
        expect(failures).toEqual(['record', 'bayes', 'by rules'].map((step) => [step, tooMany(players)]));
        expect(mind).toEqual(newMind);
      }
    },
  );

  it('visits all sets of wolves at the largest table of maw', async () => {
    const { mind, failures } = await thinks('maw', 20, [opened({}), { type: 'began', round: 1 }, dealt(20), { type: 'dawned', day: 1 }]);
    expect(failures).toEqual([]);
    expect(wolves(mind, 'wolf')![0]).toBe(0);
    for (const p of wolves(mind, 'wolf')!.slice(1)) expect(p).toBeCloseTo(6 / 19);
  });

  it.each([
    [17, '17 roles are dealt, and there are 18 players'],
    [18, undefined],
    [19, '19 roles are dealt, and there are 18 players'],
    [24, '24 roles are dealt, and there are 18 players'],
  ])('handles a deal of %i roles to 18 players of aiwolf: %s', async (roles, error) => {
    // options may deal as many as 90, with more sets of wolves than anybody ever gets through
    const cast = roles === 24 ? { roles: { villager: 15, seer: 1, medium: 1, bodyguard: 1, possessed: 1, werewolf: 5 } } : {};
    const { mind, failures } = await thinks('aiwolf', 18, [
      opened(cast),
      { type: 'began', round: 1 },
      dealt(roles),
      { type: 'dawned', day: 1 },
    ]);
    expect(failures.filter(([step]) => error === undefined || step === 'record')).toEqual(error === undefined ? [] : [['record', error]]);
    expect(wolves(mind, 'werewolf')?.length).toBe(error === undefined ? 18 : undefined);
  });
});
