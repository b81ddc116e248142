import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import type { Store } from '@maw/store/store.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { buildExperience, type BuildOptions, type Embed } from './build.ts';
import { exportPool, importPool } from './pool-file.ts';

let store: Store;
const options: BuildOptions = {
  name: 'p',
  rules: 'werewolf-7',
  tables: undefined,
  isNew: false,
  maxDays: 12,
  now: 5,
  signal: new AbortController().signal,
  embed: undefined,
};
const embed: Embed = Object.assign(async (texts: readonly string[]) => texts.map(({ length }) => [length, 1]), { model: 'm' });

/** A finished game in which Bob, a villager, won after some days, and Ann, a werewolf, lost. */
async function play(
  table: string,
  {
    days = 2,
    reflection = 'I think that Ann is dangerous.',
    speech = 'Ann lies.',
  }: { days?: number; reflection?: string; speech?: string } = {},
): Promise<void> {
  const asked = Array.from({ length: days }, (_, day) => ({ type: 'asked', question: { id: `round-1/day-${day + 1}/talk` } }));
  const events = [
    { type: 'opened', opening: { rules: 'werewolf-7' } },
    { type: 'joined', seat: 0, name: 'Ann' },
    { type: 'joined', seat: 1, name: 'Bob' },
    { type: 'began', round: 1 },
    ...asked,
    {
      type: 'scored',
      round: 1,
      outcome: { winner: 'village', winners: [1], roles: ['werewolf', 'villager'], points: [0, 1] },
      totals: [0, 1],
    },
  ];
  await store.tapes.append(table, 0, events, { at: 1, cause: 'c', wake: undefined, summary: { stage: 'over' } });
  const think = (seat: number, phase: string, step: number, name: string, content: object) =>
    store.thoughts.record({
      table,
      seat,
      decision: `${table}/${seat}/${phase}`,
      step,
      kind: 'act',
      name,
      at: step,
      content: { phase, iteration: 0, ...content },
    });
  for (const [seat, phase, question, says] of [
    [0, 'round-1/night-1', 'round-1/night-1/hunt', ['seat:1']],
    [1, 'round-1/day-1', 'round-1/day-1/talk', [speech]],
    [1, 'round-1/day-1/ballot', 'round-1/day-1/ballot/vote', ['pass']],
  ] as const) {
    await think(seat, phase, 1, 'reflect', { reflections: [reflection] });
    await think(seat, phase, 2, 'act', { answers: [{ question, says }] });
  }
  await think(1, 'round-1/day-2', 1, 'act', { answers: [{ question: 'round-1/day-2/talk', says: ['I did not reflect.'] }] });
}
const items = async (version = 1) => (await store.experience.entries('p', version, { limit: 100 })).map(({ item }) => item);

beforeEach(() => {
  store = memoryStore();
});

describe('maw experience build', () => {
  it('keeps each decision made on a reflection, scored by the end, with letters for names', async () => {
    await play('t');
    expect(await buildExperience(store, options)).toEqual({ pool: 'p@1', games: 1, entries: 3, known: 0 });
    const reflection = 'I think that Player A is dangerous.';
    expect(await items()).toEqual([
      { reflection, response: 'hunt Player B', score: 2, branch: 'hunt', role: 'werewolf' },
      { reflection, response: 'Player A lies.', score: 998, branch: 'talk', role: 'villager' },
      { reflection, response: 'vote pass', score: 998, branch: 'vote', role: 'villager' },
    ]);
    expect(JSON.stringify(await items())).not.toMatch(/Ann|Bob/);
  });

  it('keeps no name of a player, however it is written', async () => {
    const hidden = 'B\u200bobs, ＢＯＢ, TeamBob, Bobby’s and Annie';
    await play('t', { reflection: `I fear ${hidden}.`, speech: `${hidden} lie; anti-Ann.` });
    await buildExperience(store, options);
    const masked = 'Player B, Player B, Player B, Player B’s and Player A';
    expect((await items())[1]).toMatchObject({ reflection: `I fear ${masked}.`, response: `${masked} lie; anti-Player A.` });
  });

  it('goes on where it stopped, and leaves out long games and other rules', async () => {
    await play('t');
    await buildExperience(store, options);
    await play('u');
    await play('long', { days: 13 });
    expect(await buildExperience(store, options)).toEqual({ pool: 'p@1', games: 1, entries: 3, known: 1 });
    expect(await buildExperience(store, { ...options, rules: 'maw', isNew: true })).toEqual({
      pool: 'p@2',
      games: 0,
      entries: 0,
      known: 0,
    });
  });

  it.each<[Partial<BuildOptions>, string]>([
    [{ rules: 'werewolf7' }, 'werewolf7'],
    [{ tables: ['t', 'u'] }, 'there is no table u'],
    [{ name: 'a b@1' }, 'the name of a pool is 1 to 60 letters, digits, _ and -; a b@1 is none'],
    [{ embed: Object.assign(() => Promise.reject(new Error('no server')), { model: 'm' }) }, 'no server'],
  ])('makes no pool with %j, and says why', async (wrong, why) => {
    await play('t');
    await expect(buildExperience(store, { ...options, ...wrong })).rejects.toThrow(why);
    expect(await store.experience.list()).toEqual([]);
  });

  it('embeds the reflections, and does not mix models in one version', async () => {
    await play('t');
    await buildExperience(store, { ...options, embed });
    const [entry] = await store.experience.entries('p', 1, { limit: 1 });
    const bytes = Buffer.from(entry!.vector!, 'base64');
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual(['I think that Player A is dangerous.'.length, 1]);
    await expect(buildExperience(store, options)).rejects.toThrow('p@1 is of model m, not undefined; begin another version with --new');
  });
});

describe('an exported pool', () => {
  const folder = temporaryFolder();

  it('is the same when imported as another version', async () => {
    await play('t');
    await buildExperience(store, { ...options, embed });
    expect(await exportPool(store.experience, 'p', join(folder, 'p.jsonl'))).toBe(3);
    expect(await importPool(store.experience, join(folder, 'p.jsonl'), 6)).toBe('p@2');
    expect(await store.experience.entries('p', 2, { limit: 9 })).toEqual(await store.experience.entries('p', 1, { limit: 9 }));
    await expect(exportPool(store.experience, 'q', join(folder, 'q.jsonl'))).rejects.toThrow(
      'there is no pool of experience q; there are p@1, p@2',
    );
  });

  it('is refused as a whole with the number of its wrong line', async () => {
    await play('t');
    await buildExperience(store, options);
    await exportPool(store.experience, 'p', join(folder, 'bad.jsonl'));
    const text = await readFile(join(folder, 'bad.jsonl'), 'utf8');
    await writeFile(join(folder, 'bad.jsonl'), `${text}{"game":"g"}\n`);
    await expect(importPool(store.experience, join(folder, 'bad.jsonl'), 6)).rejects.toThrow(
      /bad\.jsonl:5: it is not part of exported experience/,
    );
    const entryOf = (...floats: number[]) => {
      const vector = Buffer.from(Float32Array.from(floats).buffer).toString('base64');
      return JSON.stringify({ game: 'g', n: 1, item: { reflection: '', response: '', score: 0, branch: 'vote' }, vector });
    };
    const header = text.split('\n')[0];
    for (const [lines, why] of [
      [[entryOf(1, NaN)], 'bad.jsonl:2: it is not part of'],
      [[entryOf(1, 2), entryOf(1, 2, 3)], 'bad.jsonl:3: its vector has another length than those before'],
    ] as const) {
      await writeFile(join(folder, 'bad.jsonl'), [header, ...lines].join('\n'));
      await expect(importPool(store.experience, join(folder, 'bad.jsonl'), 6)).rejects.toThrow(why);
    }
    expect(await store.experience.list()).toHaveLength(1);
  });

  it('is not read from a file that is not there, nor written over another', async () => {
    await play('t');
    await buildExperience(store, options);
    const [none, there] = [join(folder, 'none.jsonl'), join(folder, 'there.jsonl')];
    await expect(importPool(store.experience, none, 6)).rejects.toThrow(`${none}: there is nothing of that name`);
    await writeFile(there, '');
    await expect(exportPool(store.experience, 'p', there)).rejects.toThrow(`${there}: there is a file of that name already`);
  });
});
