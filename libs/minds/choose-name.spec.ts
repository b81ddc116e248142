import { describe, expect, it } from '@jest/globals';
import { readName } from '@maw/games/match/player-name.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { scripted } from './fixtures.suite.ts';
import { chooseName } from './choose-name.ts';

const naming = { rules: 'avalon', taken: ['Ann'], seed: 't1/3' };

describe('choosing a name', () => {
  it('uses the model’s name', async () => {
    const model = scripted('{"name":"Felix"}');
    expect(await chooseName(model.tools, naming)).toBe('Felix');
    expect(model.asked[0]!.messages[0]!.content).toMatch(/^You join a game of avalon: Quests and secret roles/);
    expect(model.asked[0]).toMatchObject({ format: { properties: { name: { type: 'string', maxLength: 24 } } } });
  });

  it('asks again with the reason of the refusal', async () => {
    const model = scripted('{"name":"Felix"}');
    expect(await chooseName(model.tools, { ...naming, refused: [{ name: 'Wolf', why: 'name-taken: somebody has that name' }] })).toBe(
      'Felix',
    );
    expect(model.asked[0]!.messages.at(-1)!.content).toContain('"Wolf" was refused: name-taken: somebody has that name.');
  });

  it('rejects taken and invalid names itself', async () => {
    const model = scripted('{"name":"ANN"}', '{"name":"Bea"}');
    expect(await chooseName(model.tools, naming)).toBe('Bea');
    expect(model.asked[1]!.messages.at(-1)!.content).toContain('"ANN" was refused: name-taken');
  });

  it.each(['Werewolf-15', 'Merlin', 'Village', 'maw', 'VillageGame', 'GameOfOnuw', 'YourNameHere', 'PlayerX', 'Seer', 'Quest', 'Assassin'])(
    'takes no name of a game for that of a person: %s',
    async (name) => {
      const model = scripted(JSON.stringify({ name }), '{"name":"Bea"}');
      expect(await chooseName(model.tools, naming)).toBe('Bea');
    },
  );

  it('uses the list after two tries, without a model, or without an answer', async () => {
    const stubborn = scripted('{"name":"gamemaster"}');
    const listed = await chooseName(stubborn.tools, naming);
    expect(stubborn.asked).toHaveLength(2);
    expect(readName(listed, naming.taken)).toBe(listed);
    expect(await chooseName(undefined, naming)).toBe(listed);
    expect(await chooseName(scripted(new Refusal('no-server')).tools, naming)).toBe(listed);
    expect(await chooseName(scripted('not json').tools, naming)).toBe(listed);
  });

  it('asks each seat for another first letter', async () => {
    const letters = Array.from({ length: 6 }, async (_, seat) => {
      const model = scripted('{"name":"Bea"}');
      await chooseName(model.tools, { ...naming, seed: `t1/${seat}` });
      return /begins with (\p{Lu})/u.exec(model.asked[0]!.messages.at(-1)!.content)![1];
    });
    expect(new Set(await Promise.all(letters)).size).toBeGreaterThan(3);
  });

  it('gives each seat its own deterministic name', async () => {
    const names = await Promise.all(
      Array.from({ length: 8 }, (_, seat) => chooseName(undefined, { ...naming, taken: [], seed: `t1/${seat}` })),
    );
    expect(new Set(names).size).toBeGreaterThan(5);
    expect(await chooseName(undefined, { ...naming, taken: [], seed: 't1/0' })).toBe(names[0]);
  });

  it('never runs out of names', async () => {
    const taken: string[] = [];
    for (let i = 0; i < 100; i++) taken.push(readName(await chooseName(undefined, { ...naming, taken, seed: 's' }), taken));
    expect(taken).toHaveLength(100);
  });

  it('stops on abort', async () => {
    const model = scripted(new Error('cut off'));
    model.over.abort(new Error('closing'));
    await expect(chooseName(model.tools, naming)).rejects.toThrow('closing');
  });
});
