import { policyFile } from '@maw/learning/policy/policy-file.suite.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { Opening } from '@maw/games/match/state.ts';
import { applyEvents } from '../state/table-state.ts';
import { blank, summaryOf } from '../tables/table-cache.ts';
import { verifyTable } from '../verification/verify-table.ts';
import { reasonOf, rendezvous, type Rig, rig, until } from '../rig.suite.ts';

let here: Rig;
beforeEach(() => {
  here = rig();
});
afterEach(() => here.close());

const terms = { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'mind' }, { kind: 'mind', name: 'Bo' }] as const };
const open = { ...terms, seats: [...terms.seats] };

const withParameters = (parameters: { readonly [name: string]: string | number }) => ({
  seats: [0, 1, 2].map(() => ({ kind: 'mind' as const, recipe: 'react', parameters: { ...parameters } })),
});

describe('opening a table', () => {
  it('records chosen parameters with their types, and tells the minds', async () => {
    const at = await here.replica();
    await at.get('table.open', { ...open, ...withParameters({ temperature: '0.2', maxTokens: 300 }) });
    const chosen = { temperature: 0.2, maxTokens: 300 };
    const [{ event }] = (await here.tapeOf()) as unknown as [{ event: { opening: { seats: readonly object[] } } }];
    expect(event.opening.seats[0]).toEqual({ kind: 'mind', recipe: 'react', parameters: chosen });
    expect(at.of('seat.invited').map(({ data }) => data.parameters)).toEqual([chosen, chosen, chosen]);
  });

  it('draws the length of its nights at the pace of people, and not from the seed of the deal', async () => {
    const at = await here.replica();
    const lengths = async (options: object, count = 1) => {
      const drawn: unknown[] = [];
      for (let n = 0; n < count; n++) {
        const table = `${JSON.stringify(options).replaceAll(/\W/g, '')}${n}`;
        await at.get('table.open', { ...open, seed: 'one seed', options: options as { pace: string } }, { table });
        const { opening } = (await here.tapeOf(table))[0]!.event as unknown as { opening: Opening };
        drawn.push(opening.options['nightMs']);
      }
      return drawn as number[];
    };
    const drawn = await lengths({ pace: 'people' }, 12);
    for (const ms of drawn) expect([ms >= 30_000, ms <= 45_000, ms % 1_000]).toEqual([true, true, 0]);
    expect(new Set(drawn).size).toBeGreaterThan(1);
    expect(await lengths({ pace: 'people', nightMs: 90_000 })).toEqual([90_000]);
    expect(await lengths({ pace: 'machines' })).toEqual([60_000]);
  });

  it('records the versions of the strategies that its seats begin with', async () => {
    const at = await here.replica({ strategies: here.store.strategies });
    const lesson = { strategy: 'x' };
    const version = { recipe: 'lan', rules: 'maw', role: 'wolf', parent: 0, table: 't', round: 1, at: 1, lesson };
    for (const name of ['open', 'ice']) await here.store.strategies.add({ ...version, name, seat: 0 });
    await here.store.strategies.freeze('ice', 2);
    const sets = ['open', 'open@1', 'new', 'ice', 'ice@1'];
    const seatsOf = (wanted: readonly string[]) =>
      wanted.map((strategies) => ({ kind: 'mind' as const, recipe: 'lan', parameters: { strategies, plan: 'off' } }));
    await at.get('table.open', { ...open, seats: seatsOf(sets) });
    const [{ event }] = (await here.tapeOf()) as unknown as [{ event: { opening: { seats: readonly { parameters: object }[] } } }];
    expect(event.opening.seats.map(({ parameters }) => parameters)).toEqual(
      ['open@1+', 'open@1', 'new@0+', 'ice@1', 'ice@1'].map((strategies) => ({ strategies, plan: false })),
    );
    for (const [wanted, why] of [
      ['open@2', 'there is no version 2 of the strategies open; there are 1 to 1'],
      ['nobody@1', 'there is no version 1 of the strategies nobody; there is none yet'],
      ['open@0', 'there is no version 0'],
      ['a b', 'it is off, NAME, NAME@VERSION or'],
    ] as const) {
      const { data } = await at.ask('table.open', { ...open, seats: seatsOf(['off', wanted, 'off']) }, { table: 't2' });
      expect(data).toMatchObject({ reason: 'bad-option', detail: expect.stringContaining(`seats.1.parameters.strategies: ${why}`) });
    }
  });

  it('records the version of a pool of experience, and is refused without the pool', async () => {
    const at = await here.replica({ pools: here.store.experience });
    for (const version of [1, 2]) await here.store.experience.create({ name: 'village', version, at: 1, about: {} });
    const seatsOf = (wanted: readonly string[]) =>
      wanted.map((experience) => ({ kind: 'mind' as const, recipe: 'xu', parameters: { experience } }));
    await at.get('table.open', { ...open, seats: seatsOf(['village', 'village@1', 'village@2']) });
    const [{ event }] = (await here.tapeOf()) as unknown as [{ event: { opening: { seats: readonly { parameters: object }[] } } }];
    expect(event.opening.seats.map(({ parameters }) => parameters)).toEqual(
      ['village@2', 'village@1', 'village@2'].map((experience) => ({ experience })),
    );
    const { data } = await at.ask('table.open', { ...open, seats: seatsOf(['village', 'villages', 'village']) }, { table: 't2' });
    const detail = 'seats.1.parameters.experience: there is no pool of experience villages; there are village@1, village@2';
    expect(data).toMatchObject({ reason: 'bad-option', detail });
    const mind = (experience: string) => ({ recipe: 'xu', parameters: { experience } });
    const minds = [mind('village@1'), mind('villages'), { recipe: 'chess' }, { recipe: 'rules' }, mind('village@3')];
    expect((await at.get('table.check', { minds })).mistakes.map(({ mind: i, says }) => `${i} ${says}`)).toEqual([
      `1 ${detail.replace('seats.1.', '')}`,
      expect.stringMatching(/^2 recipe: there is no recipe chess/),
      expect.stringMatching(/^4 parameters\.experience: there is no pool of experience village@3/),
    ]);
  });

  it('records the version of a policy, and is refused without it and with one that cannot be used', async () => {
    const { policies } = here.store;
    const at = await here.replica({ policies });
    const add = (name: string, file: object) => policies.add({ name, at: 1, ...policyFile('honest_defense'), ...file });
    for (let n = 0; n < 2; n++) await add('good', {});
    await add('hash', { weights: policyFile('honest_evidence').weights });
    await add('encoder', policyFile('honest_defense', { encoder: 'one-hot:16' }));
    await add('size', policyFile('honest_defense', { encoder: 'hashed-ngrams-1:32:0' }));
    await add('foreign', policyFile('sing', {}, ['sing', 'dance']));
    const seatsOf = (wanted: readonly string[], recipe = 'tactician') =>
      wanted.map((policy) => ({ kind: 'mind' as const, recipe, parameters: { tactic: 'rl', ...(policy ? { policy } : {}) } }));
    const rules = { ...open, rules: 'onuw', options: {} };
    await at.get('table.open', { ...rules, seats: seatsOf(['good', 'good@1', 'good@2']) });
    const [{ event }] = (await here.tapeOf()) as unknown as [
      { event: { opening: { seats: readonly { parameters: { policy: string } }[] } } },
    ];
    expect(event.opening.seats.map(({ parameters }) => parameters.policy)).toEqual(['good@2', 'good@1', 'good@2']);
    for (const [wanted, why] of [
      ['good@3', 'there is no policy good@3; there are encoder@1, foreign@1, good@1, good@2, hash@1, size@1'],
      ['', 'tactic rl wants a policy: say policy=NAME@VERSION; there are encoder@1, '],
      ['hash', 'the file with the weights of hash@1 is not the file that policy.json describes'],
      ['encoder', '"one-hot:16" is no encoder'],
      ['size', 'the card of size@1: widths 16, 4, 6 do not fit the encoder hashed-ngrams-1:32:0'],
      ['foreign', 'the policy foreign@1 knows the tactics sing, dance, which no recipe speaks by'],
    ] as const) {
      const { data } = await at.ask('table.open', { ...rules, seats: seatsOf(['good', wanted, 'good'], 'onuw') }, { table: 't2' });
      expect(data).toMatchObject({ reason: 'bad-option', detail: expect.stringContaining(`seats.1.parameters.policy: ${why}`) });
    }
    const idle = [{ kind: 'mind' as const, recipe: 'tactician', parameters: { tactic: 'random', policy: 'nobody' } }];
    expect(await at.get('table.open', { ...rules, seats: [...idle, ...idle, ...idle] }, { table: 't3' })).toBeDefined(); // nobody asks it
  });

  it('is refused while only one of gamemaster and player knows a recipe, and says which', async () => {
    const at = await here.replica({ heartbeat: here.store.heartbeat, heartbeatMs: 3_600_000 });
    const alive = (replica: string, ...recipes: string[]) => at.tell('service.alive', { replica, recipes }, { source: 'player' });
    const seatsOf = (recipe: string) => ({ ...open, seats: ['random', recipe, 'random'].map((each) => ({ kind: 'mind' as const, recipe: each })) }); // prettier-ignore
    const detailOf = async (recipe: string, table?: string) =>
      ((await at.ask('table.open', seatsOf(recipe), table === undefined ? {} : { table })).data as { detail?: string }).detail ?? 'opened';
    expect(await detailOf('rules', 'before')).toBe('opened'); // nobody has said what it knows
    await alive('a', 'random', 'mine');
    await until('what a player knows', async () => (await detailOf('mine')).startsWith('seats.1.recipe: the player service knows mine'));
    const one = 'seats.1.recipe: the gamemaster knows rules, but';
    expect([await detailOf('mine'), await detailOf('rules')]).toEqual([
      'seats.1.recipe: the player service knows mine, but the gamemaster does not; start both with the same RECIPES_DIR',
      `${one} the player service does not; start both with the same RECIPES_DIR`,
    ]);
    await alive('b', 'random', 'rules');
    await until('another player', async () => (await detailOf('rules')).startsWith(`${one} a process of the player service does not`));
    expect(await here.tapeOf()).toEqual([]);
    here.clock.now += 6_000; // the first one has ended
    await alive('b', 'random', 'rules');
    await until('a table', async () => (await detailOf('rules')) === 'opened');
  });

  it('records its terms and the Lobby, and invites minds without the seed', async () => {
    const at = await here.replica();
    expect(await at.get('table.open', { ...open, seed: 'secret' })).toEqual({ table: 't1' });
    expect((await here.tapeOf()).map(({ event }) => event.type)).toEqual(['opened', 'asked']);
    expect(at.of('seat.invited').map(({ data }) => [data.seat, data.name])).toEqual([
      [1, undefined],
      [2, 'Bo'],
    ]);
    expect(at.of('room.open').map(({ data }) => data)).toMatchObject([{ room: 'lobby-0/Lobby', members: [0, 1, 2], opened: 2 }]);
    expect(JSON.stringify(at.said)).not.toContain('secret');
  });

  it('says who may see everything and read thoughts afterwards; an old tape lets nobody', async () => {
    const at = await here.replica();
    const termsOf = async (table: string) => {
      const { summary } = await at.get('table.view', { eye: 'audience' }, { table });
      return [summary.afterwards, summary.insight];
    };
    await at.get('table.open', open);
    await at.get('table.open', { ...open, afterwards: 'everybody', insight: 'live' }, { table: 't2' });
    const { event } = (await here.tapeOf())[0]!;
    const { afterwards: _, insight: __, ...opening } = event['opening'] as Opening;
    const { state } = blank('old', opening, catalogue);
    const events = [{ type: 'opened', opening }];
    const recorded = { table: 'old', sequence: 1, at: 1, cause: 'c', event: events[0]! };
    applyEvents(state, [recorded]);
    await here.store.tapes.append('old', 0, events, { at: 1, cause: 'c', wake: undefined, summary: summaryOf(state) });
    expect([await termsOf('t1'), await termsOf('t2'), await termsOf('old')]).toEqual([
      ['seats', 'after'],
      ['everybody', 'live'],
      ['nobody', 'never'],
    ]);
    expect(verifyTable((await here.store.maintenance.readTable('old'))!, { now: here.clock.now, lagMs: 0 })).toEqual([]);
  });

  it('is idempotent, with the same invitations', async () => {
    const at = await here.replica();
    await at.get('table.open', open, { id: 'o' });
    const [first, tape] = [[...at.said], await here.tapeOf()];
    expect(await at.get('table.open', open, { id: 'o' })).toEqual({ table: 't1' });
    expect(await here.tapeOf()).toEqual(tape);
    expect(at.said.slice(first.length)).toEqual(first);
  });

  it.each(['the replica that opened it', 'a replica that has it from its tape'])(
    'again by another message is refused by %s',
    async (who) => {
      const one = await here.replica();
      await one.get('table.open', open);
      const at = who.startsWith('a ') ? await here.replica() : one;
      const tape = await here.tapeOf();
      expect(reasonOf(await at.ask('table.open', { ...open, rounds: 7 }))).toBe('already-begun');
      expect(await here.tapeOf()).toEqual(tape);
    },
  );

  it('at two replicas opens one table, and refuses another message', async () => {
    for (const [table, ids] of [
      ['same', ['o', 'o']],
      ['other', ['o1', 'o2']],
    ] as const) {
      const meet = rendezvous(2);
      const tapes = {
        ...here.store.tapes,
        append: async (...given: Parameters<typeof here.store.tapes.append>) => meet().then(() => here.store.tapes.append(...given)),
      };
      const replicas = [await here.replica({ tapes }), await here.replica({ tapes })];
      const replies = await Promise.all(replicas.map((at, i) => at.ask('table.open', open, { table, id: ids[i]! })));
      expect(replies.map((reply) => reasonOf(reply) ?? 'agreed').toSorted()).toEqual(
        table === 'same' ? ['agreed', 'agreed'] : ['agreed', 'already-begun'],
      );
      expect(await here.count('opened', table)).toBe(1);
      expect((await here.tapeOf(table)).length).toBe(2);
    }
  });

  it.each([
    ['rules that are not here', { rules: 'chess' }, 'unknown-rules'],
    ['an option that is not there', { options: { colour: 'red' } }, 'bad-option'],
    ['too few players', { seats: [{ kind: 'mind' as const }] }, 'bad-option'],
    ['a recipe that nobody plays by', { seats: [0, 1, 2].map(() => ({ kind: 'mind' as const, recipe: 'chess' })) }, 'bad-option'],
    ['a parameter that the recipe does not have', withParameters({ moon: 1 }), 'bad-option'],
    ['a value that the parameter does not take', withParameters({ temperature: 9 }), 'bad-option'],
    ['parameters without a recipe', { seats: [0, 1, 2].map(() => ({ kind: 'mind' as const, parameters: { K: 1 } })) }, 'bad-option'],
    ['two minds of one name', { seats: [0, 1, 2].map(() => ({ kind: 'mind' as const, name: 'Bo' })) }, 'name-taken'],
    ['a name that is the system’s own', { seats: [0, 1, 2].map(() => ({ kind: 'mind' as const, name: 'Narrator' })) }, 'bad-name'],
  ])('is refused with %s, counted, and leaves nothing', async (_, changed, reason) => {
    const at = await here.replica();
    const before = await refusals(reason);
    expect(reasonOf(await at.ask('table.open', { ...open, ...changed }))).toBe(reason);
    expect(await refusals(reason)).toBe(before + 1);
    expect(await here.tapeOf()).toEqual([]);
    expect(at.said).toEqual([]);
  });

  it('rejects a bad id', async () => {
    const at = await here.replica();
    for (const table of ['a b', 'a/b', 'ä', 'x'.repeat(61)])
      expect(reasonOf(await at.ask('table.open', open, { table }))).toBe('bad-option');
  });
});

describe('joining', () => {
  it('gives each player a seat of their own at any replica', async () => {
    const hub = memoryHub();
    const [at] = [await here.replica({ hub }), await here.replica({ hub })];
    await at.get('table.open', { rules: 'maw', seats: Array.from({ length: 8 }, () => ({ kind: 'person' as const })) });
    const joined = await Promise.all([...'ABCDEFGH'].map((name) => at.get('table.join', { name })));
    expect(joined.map(({ seat }) => seat).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(joined.map(({ name }) => name)).toEqual([...'ABCDEFGH']);
    expect(await here.count('joined')).toBe(8);
    expect(await here.count('began')).toBe(1);
    expect(reasonOf(await at.ask('table.join', { name: 'I' }))).toBe('already-begun');
  });

  it('refuses bad and taken names, bad and taken seats, and a full table', async () => {
    const at = await here.replica();
    await at.get('table.open', open);
    const join = async (name: string, seat?: number) =>
      reasonOf(await at.ask('table.join', { name, ...(seat === undefined ? {} : { seat }) }));
    expect(await join('Ann')).toBeUndefined();
    const tape = await here.tapeOf();
    expect(await Promise.all([join('ann', 1), join('<b>', 1), join('Cy', 0), join('Cy', 9), join('Cy')])).toEqual([
      'name-taken',
      'bad-name',
      'already-seated',
      'not-an-option',
      'table-full',
    ]);
    expect(await here.tapeOf()).toEqual(tape);
  });

  it('refuses a name that only the options of the table make a word of the game, as the opening does', async () => {
    const at = await here.replica();
    const person = { kind: 'person' as const };
    const elected = { rules: 'werewolf-7', options: { sheriff: 'elected' }, seats: Array.from({ length: 7 }, () => person) };
    const named = { ...elected, seats: [{ kind: 'mind' as const, name: 'Sheriff' }, ...elected.seats.slice(1)] };
    expect(reasonOf(await at.ask('table.open', named))).toBe('bad-name');
    await at.get('table.open', elected);
    expect(reasonOf(await at.ask('table.join', { name: 'Sheriff' }))).toBe('bad-name');
    await at.get('table.open', { ...named, options: {} }, { table: 't2' });
    expect(reasonOf(await at.ask('table.join', { name: 'Lady' }, { table: 't2' }))).toBeUndefined();
  });

  it('is idempotent', async () => {
    const at = await here.replica();
    await at.get('table.open', { rules: 'maw', seats: [0, 1, 2].map(() => ({ kind: 'person' as const })) });
    const [one, two] = [await at.get('table.join', { name: 'Ann' }, { id: 'j' }), await at.get('table.join', { name: 'Ann' }, { id: 'j' })];
    expect([one, two]).toEqual([
      { seat: 0, name: 'Ann' },
      { seat: 0, name: 'Ann' },
    ]);
    expect(await here.count('joined')).toBe(1);
  });

  it('fills the seats of missing players when the Lobby ends', async () => {
    const at = await here.replica();
    await at.get('table.open', { ...open, lobbyMs: 1000 });
    await here.wait(at);
    expect((await here.standing()).game).toMatchObject({
      stage: 'round',
      names: ['Player 1', 'Player 2', 'Player 3'],
      holders: ['mind', 'mind', 'mind'],
    });
    expect(new Set(at.of('seat.decide').map(({ data }) => data.seat))).toEqual(new Set([0, 1, 2]));
  });
});

const refusals = (reason: string) => metricValue(metrics.refusals, { service: 'gamemaster', reason });

it('keeps the seats of outside agents for their servers, and the others from these', async () => {
  const at = await here.replica();
  const seats = [{ kind: 'person' as const, isOutside: true as const }, { kind: 'person' as const }, { kind: 'mind' as const }];
  await at.get('table.open', { rules: 'maw', seats });
  expect((await at.get('table.view', { eye: 'audience' })).summary.free).toBe(1);
  const join = (seat: number | undefined, source: string, name: string) =>
    at.ask('table.join', { name, ...(seat === undefined ? {} : { seat }) }, { source });
  expect(reasonOf(await join(0, 'web', 'Ann'))).toBe('already-seated');
  expect(await join(undefined, 'web', 'Ann')).toMatchObject({ data: { seat: 1 } });
  expect(reasonOf(await join(undefined, 'web', 'Bob'))).toBe('table-full');
  for (const seat of [1, 2, undefined]) expect(reasonOf(await join(seat, 'aiwolf', 'fox'))).toBe('forbidden');
  expect(await join(0, 'aiwolf', 'fox')).toMatchObject({ data: { seat: 0 } });
  await at.get('table.open', { rules: 'maw', seats: seats.slice(1).concat({ kind: 'mind' }) }, { table: 't2' });
  const end = (table: string) => at.ask('table.abort', { why: 'fox was away' }, { table, source: 'aiwolf' });
  expect([reasonOf(await end('t2')), reasonOf(await end('t1'))]).toEqual(['forbidden', undefined]);
});
