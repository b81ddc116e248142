import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { command, type Contract, event, strict } from './contract.ts';
import { type ContractName, contracts, type Data } from './contracts.ts';
import { checkBeforeSending, type MessageHead, createRegistry, UnreadableMessage } from './registry.ts';

const about: MessageHead = {
  id: 'm1',
  source: 'web',
  subject: 't1',
  at: Date.UTC(2026, 0, 1),
  causeid: 'm0',
  replyBy: Date.UTC(2026, 0, 2),
  sequence: 7,
};
const all = contracts.all.map((contract) => [contract.name, contract] as const);
const answered = all.filter(([, { reply }]) => reply);
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const written = (name: ContractName, data: unknown) => contracts.write(name, data as never, about);

describe('every contract', () => {
  it.each(all)('%s: its example survives writing and reading', (name, { example }) => {
    const message = written(name as ContractName, example);
    expect(contracts.read(wire(message))).toEqual(message);
    expect(message.data).toEqual(example);
  });

  it.each(all)('%s: an unknown field cannot be written', (name, { example }) => {
    expect(() => written(name as ContractName, { ...example, colour: 'red' })).toThrow('colour');
  });

  it.each(all)('%s: an unknown field is dropped by the reader', (name, { example }) => {
    const message = wire(written(name as ContractName, example)) as { data: object };
    expect(contracts.read({ ...message, data: { ...message.data, colour: 'red' }, shade: 'dark' })).toEqual(message);
  });

  it.each(all)('%s: has senders, receivers and a description', (name, { from, to, summary }) => {
    expect(from.length).toBeGreaterThan(0);
    expect(to.length).toBeGreaterThan(0);
    expect(summary).toMatch(/^[A-Z].*\.$/);
    expect(name).toMatch(/^[a-z]+\.[a-z]+$/);
  });

  it.each(answered)('%s: its example reply survives writing and reading', (name, { replyExample, reply, performative }) => {
    expect(reply!.parse(replyExample)).toEqual(replyExample);
    const answer = { performative: performative === 'query-ref' ? ('inform' as const) : ('agree' as const), data: replyExample };
    const message = contracts.writeReply(name as ContractName, answer, about);
    expect(contracts.readReply(name as ContractName, wire(message))).toEqual(answer);
  });

  it.each(answered)('%s: a reply with an unknown field cannot be written', (name, { replyExample }) => {
    const data = { ...(replyExample as object), colour: 'red' };
    expect(() => contracts.writeReply(name as ContractName, { performative: 'agree', data }, about)).toThrow('colour');
  });

  it('is checked before it is sent: the envelope always, the data unless they were written', () => {
    const { data, ...head } = written('table.tick', { alarm: 1 });
    expect(() => checkBeforeSending(contracts, written('table.tick', { alarm: 1 }))).not.toThrow();
    expect(() => checkBeforeSending(contracts, { ...head, data: { alarm: 'soon' } })).toThrow(UnreadableMessage);
    expect(() => checkBeforeSending(contracts, { ...head, data })).not.toThrow();
    const long = contracts.write('table.tick', { alarm: 1 }, { ...about, id: 'x'.repeat(201) });
    expect(() => checkBeforeSending(contracts, long)).toThrow(UnreadableMessage);
  });

  it('has a reply, unless it is one of the commands without', () => {
    expect(answered.length).toBeGreaterThan(5);
    for (const [, { reply, replyExample }] of all) expect(reply === undefined).toBe(replyExample === undefined);
    expect(all.filter(([, { kind, reply }]) => kind === 'event' && reply)).toEqual([]);
  });

  it('of a command has one receiving service', () => {
    const commands = contracts.all.filter(({ kind }) => kind === 'command');
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.filter(({ to }) => to.length !== 1).map(({ name }) => name)).toEqual([]);
  });

  it('of a query has the performative query-ref, of an event inform', () => {
    const act = ({ name, kind, performative }: Contract) => ({ name, kind, performative });
    const wrong = contracts.all.map(act).filter(({ kind, performative }) => (kind === 'event') !== (performative === 'inform'));
    expect(wrong).toEqual([]);
    for (const name of ['table.view', 'table.list', 'room.read', 'room.who', 'llm.models'] as const)
      expect(contracts.get(name).performative).toBe('query-ref');
  });
});

describe('the envelope', () => {
  it('has all fields that the sender provides', () => {
    expect(written('table.tick', { alarm: 1 })).toEqual({
      specversion: '1.0',
      id: 'm1',
      source: 'web',
      type: 'table.tick',
      subject: 't1',
      time: '2026-01-01T00:00:00.000Z',
      datacontenttype: 'application/json',
      dataversion: 1,
      performative: 'request',
      causeid: 'm0',
      replyby: '2026-01-02T00:00:00.000Z',
      sequence: 7,
      data: { alarm: 1 },
    });
  });

  it('omits fields that the sender does not provide', () => {
    const { id, source, subject, at } = about;
    expect(Object.keys(contracts.write('table.tick', { alarm: 1 }, { id, source, subject, at }))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/causeid|replyby|sequence/)]),
    );
  });

  it.each(['specversion', 'id', 'source', 'type', 'subject', 'time', 'dataversion', 'performative'])(
    'without %s cannot be read',
    (field) => {
      const { [field]: _, ...rest } = wire(written('table.tick', { alarm: 1 })) as { [field: string]: unknown };
      expect(() => contracts.read(rest)).toThrow(UnreadableMessage);
    },
  );

  it.each([[undefined], [null], ['text'], [7], [[]], [{}]])('is not %j', (raw) => {
    expect(() => contracts.read(raw)).toThrow(UnreadableMessage);
  });
});

describe('reading', () => {
  it('fills in defaults', () => {
    expect(written('table.view', { eye: 'audience' }).data).toEqual({ eye: 'audience', after: 0, limit: 1000 });
  });

  it('rejects a message without a contract', () => {
    const message = wire(written('table.tick', { alarm: 1 })) as object;
    expect(() => contracts.read({ ...message, type: 'table.burn' })).toThrow(new UnreadableMessage('no contract is named table.burn'));
    expect(() => contracts.get('toString' as never)).toThrow(UnreadableMessage);
  });

  it.each<[ContractName, object, (odd: string) => object]>([
    ['table.list', {}, (odd) => ({ rules: odd })],
    ['table.list', {}, (odd) => ({ beforeTable: odd })],
    ['table.list', {}, (odd) => ({ search: odd })],
    ['table.leaderboard', {}, (odd) => ({ rules: odd })],
    ['mind.thoughts', {}, (odd) => ({ decision: odd })],
    ['mind.load', { seat: 0 }, (odd) => ({ context: { deep: [{ text: odd }] } })],
    ['mind.load', { seat: 0 }, (odd) => ({ context: { deep: [{ [odd]: 1 }] } })],
    ['room.speak', { room: 'day', seat: 0 }, (odd) => ({ text: odd })],
  ])('of %s with %j rejects text that no database can store', (name, data, odd) => {
    for (const bad of ['a\0', '\ud800b', '\\\\\0']) expect(() => written(name, { ...data, ...odd(bad) })).toThrow('invalid');
    for (const good of ['狼 🐺', String.raw`six letters: \u0000`]) expect(() => written(name, { ...data, ...odd(good) })).not.toThrow();
  });

  it('rejects data that breaks its contract, and names the field', () => {
    const message = wire(written('table.tick', { alarm: 1 })) as object;
    expect(() => contracts.read({ ...message, data: { alarm: 'noon' } })).toThrow(/table\.tick.*alarm/s);
    expect(() => contracts.read({ ...message, data: undefined })).toThrow(UnreadableMessage);
  });
});

describe('versions', () => {
  const seated = (version: 1 | 3) =>
    event('test.seated', {
      version,
      summary: 'Somebody sits down.',
      from: ['gamemaster'],
      to: ['web'],
      data: version === 1 ? z.object({ who: z.string() }) : z.object({ seat: z.int(), name: z.string() }),
      example: version === 1 ? { who: '3 Ann' } : { seat: 3, name: 'Ann' },
      was: {
        1: ({ who }: { who: string }) => ({ at: Number(who.split(' ')[0]), name: who.split(' ')[1] }),
        2: ({ at, name }: { at: number; name: string }) => ({ seat: at, name }),
      },
    });
  const old = createRegistry(seated(1));
  const now = createRegistry(seated(3));

  it('that are older are upgraded step by step', () => {
    const message = wire(old.write('test.seated', { who: '3 Ann' }, about));
    expect(now.read(message).data).toEqual({ seat: 3, name: 'Ann' });
    expect(now.read({ ...(message as object), dataversion: 2, data: { at: 4, name: 'Bob' } }).data).toEqual({ seat: 4, name: 'Bob' });
  });

  it('that are newer are rejected', () => {
    const message = wire(now.write('test.seated', { seat: 3, name: 'Ann' }, about));
    expect(() => old.read(message)).toThrow(new UnreadableMessage('test.seated: version 3 is newer than 1'));
  });

  it('without an upgrade are rejected', () => {
    const { was: _, ...rest } = seated(3);
    const forgetful = createRegistry({ ...rest, was: {} });
    const message = wire(old.write('test.seated', { who: '3 Ann' }, about));
    expect(() => forgetful.read(message)).toThrow(new UnreadableMessage('test.seated: version 1 is no longer supported'));
  });

  it('are written in the envelope', () => {
    expect(now.write('test.seated', { seat: 3, name: 'Ann' }, about).dataversion).toBe(3);
  });
});

describe('a registry', () => {
  it('rejects two contracts with one name', () => {
    const one = command('test.do', { summary: 'Do it.', from: ['web'], to: ['player'], data: z.object({}), example: {} });
    expect(() => createRegistry(one, one)).toThrow('two contracts have the same name');
  });
});

describe('replies', () => {
  const refused = contracts.writeReply(
    'table.join',
    { performative: 'refuse', data: { reason: 'name-taken', detail: 'Ann sits there' } },
    about,
  );

  it('may be refusals', () => {
    expect(contracts.readReply('table.join', wire(refused))).toEqual({
      performative: 'refuse',
      data: { reason: 'name-taken', detail: 'Ann sits there' },
    });
  });

  it('that are refusals need a reason', () => {
    expect(() => contracts.writeReply('table.join', { performative: 'refuse', data: { reason: '' } }, about)).toThrow('reason');
  });

  it('are rejected for another request', () => {
    expect(() => contracts.readReply('table.act', wire(refused))).toThrow(/expected the reply to table.act, not table.join.reply/);
  });

  it('to a command without reply can only be refusals', () => {
    expect(() => contracts.writeReply('table.tick', { performative: 'agree', data: {} }, about)).toThrow('table.tick has no reply');
    const refusal = contracts.writeReply('table.tick', { performative: 'refuse', data: { reason: 'late' } }, about);
    expect(contracts.readReply('table.tick', wire(refusal)).performative).toBe('refuse');
    expect(() => contracts.readReply('table.tick', { ...(wire(refusal) as object), performative: 'agree' })).toThrow(UnreadableMessage);
  });

  it('that break the contract are rejected', () => {
    const good = wire(contracts.writeReply('table.join', { performative: 'agree', data: { seat: 1, name: 'Ann' } }, about)) as object;
    expect(() => contracts.readReply('table.join', { ...good, data: { seat: 'one', name: 'Ann' } })).toThrow(/table\.join\.reply.*seat/s);
  });
});

describe('the types', () => {
  it('tell the data of a message by its name', () => {
    const { data } = contracts.read(wire(written('table.act', { seat: 2, question: 'q', says: ['x'] }))) as ReturnType<typeof act>;
    const seat: number = data.seat;
    const says: readonly string[] = data.says;
    // @ts-expect-error a seat is a number
    const text: string = data.seat;
    // @ts-expect-error an act has no colour
    expect([seat, says, text, data.colour]).toEqual([2, ['x'], 2, undefined]);
    const join: Data<'table.join'> = { name: 'Ann' };
    // @ts-expect-error a name is needed
    const nobody: Data<'table.join'> = {};
    expect([join, nobody]).toHaveLength(2);
  });

  it('check names, written data and replies', () => {
    // @ts-expect-error there is no such contract
    expect(() => contracts.get('table.burn')).toThrow(UnreadableMessage);
    // @ts-expect-error the seat is missing
    expect(() => contracts.write('table.hand', { to: 'mind' }, about)).toThrow('seat');
    const reply = contracts.readReply(
      'table.open',
      contracts.writeReply('table.open', { performative: 'agree', data: { table: 't1' } }, about),
    );
    if (reply.performative !== 'agree' && reply.performative !== 'inform') throw new Error('refused');
    const table: string = reply.data.table;
    // @ts-expect-error the answer has no seat
    expect([table, reply.data.seat]).toEqual(['t1', undefined]);
  });

  const act = () => contracts.write('table.act', { seat: 2, question: 'q', says: ['x'] }, about);
});

describe('the id of a question or a room', () => {
  const head = { id: 'm1', source: 'player', subject: 't1', at: 0, replyBy: 1 };
  const asked = (question: string) => contracts.write('table.act', { seat: 2, question, says: ['x'] }, head);

  it('is no property name of every object', () => {
    const names = Object.getOwnPropertyNames(Object.prototype);
    expect(names).toContain('__proto__');
    for (const name of names) expect(() => asked(name)).toThrow(/question/);
    for (const name of names) expect(asked(`round-1/${name}`)).toMatchObject({ data: { question: `round-1/${name}` } });
  });

  it('is at most 200 letters, digits and _ / . -', () => {
    for (const good of ['q', 'r'.repeat(200), 'a/b.c-d_e', 'constructors', '__'])
      expect(asked(good)).toMatchObject({ data: { question: good } });
    for (const bad of ['', 'r'.repeat(201), 'a b', 'ä', 'a\n']) expect(() => asked(bad)).toThrow(/question/);
  });
});

describe('strict', () => {
  it('applies to the object itself, not to nested ones', () => {
    const data = strict(z.object({ event: z.looseObject({ type: z.string() }) }));
    expect(data.parse({ event: { type: 'dawned', day: 2 } })).toEqual({ event: { type: 'dawned', day: 2 } });
    expect(() => data.parse({ event: { type: 'dawned' }, day: 2 })).toThrow('day');
  });
});
