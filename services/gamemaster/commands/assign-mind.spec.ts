import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Replica } from '../replica.suite.ts';
import { reasonOf, type Rig, rig } from '../rig.suite.ts';

let here: Rig;
let at: Replica;
beforeEach(async () => {
  here = rig();
  at = await here.replica();
});
afterEach(() => here.close());

describe('another mind for a seat', () => {
  it('plays from the next decision on; what is not given stays, and only the narrator is told', async () => {
    await here.seated(at, { players: 3, minds: [0, 1, 2], options: { dayMs: 60_000 } });
    const mindOf = (seat: number) => {
      const { recipe, parameters, model } = at.of('seat.decide').findLast(({ data }) => data.seat === seat)!.data;
      return { recipe, parameters, model };
    };
    const before = at.of('seat.decide').length;
    await at.get('table.assign', { seat: 0, recipe: 'react', parameters: { temperature: '0.2' }, model: 'small' });
    await at.get('table.assign', { seat: 0, model: 'large' });
    expect(at.of('seat.decide')).toHaveLength(before);
    await here.wait(at);
    const wolf = (await here.who('wolf'))[0]!;
    await at.get('table.assign', { seat: wolf, recipe: 'rules' });
    const { game } = (await here.standing()).game;
    expect((game.roles as string[])[wolf]).toBe('wolf');
    if (wolf === 0) expect(mindOf(0)).toEqual({ recipe: 'react', parameters: { temperature: 0.2 }, model: 'large' });
    await here.wait(at); // the next day
    expect(mindOf(wolf)).toEqual({ recipe: 'rules', parameters: undefined, model: wolf === 0 ? 'large' : undefined });
    if (wolf !== 0) expect(mindOf(0)).toEqual({ recipe: 'react', parameters: { temperature: 0.2 }, model: 'large' });
    for (const eye of [0, 1, 'audience', 'narrator'] as const) {
      const { seen } = await at.get('table.view', { eye });
      expect([eye, seen.some(({ event }) => event.type === 'assigned')]).toEqual([eye, eye === 'narrator']);
    }
  });

  it.each([
    ['no such recipe', { seat: 0, recipe: 'nobody' }, 'bad-option', /^recipe: /],
    ['a parameter that the recipe does not have', { seat: 0, recipe: 'react', parameters: { x: 1 } }, 'bad-option', /x/],
    ['parameters of no recipe', { seat: 0, parameters: { x: 1 } }, 'bad-option', /^parameters: name the recipe/],
    ['nothing', { seat: 0 }, 'bad-option', /give a recipe/],
    ['no such seat', { seat: 9, model: 'm' }, 'not-an-option', /there is no seat 9/],
  ])('is refused for %s, in words', async (_, data, reason, detail) => {
    await here.seated(at, { players: 3 });
    const reply = await at.ask('table.assign', data);
    expect([reasonOf(reply), (reply.data as { detail: string }).detail]).toEqual([reason, expect.stringMatching(detail)]);
    expect(await here.count('assigned')).toBe(0);
  });
});
