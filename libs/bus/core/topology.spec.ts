import { describe, expect, it } from '@jest/globals';
import { type ContractName, contracts } from '@maw/contracts/contracts.ts';
import { usersFor } from '../rabbitmq/permissions.ts';
import {
  ANSWERS,
  BROADCAST_EVENTS,
  keyPatternOf,
  partOf,
  PARTS,
  queuesFor,
  routeFor,
  serviceQueues,
  SINGLE_CONSUMER,
  unusedReplyQueueOf,
} from './topology.ts';

describe('serviceQueues', () => {
  it('has one queue per receiving service, none for broadcast-only receivers', () => {
    expect(serviceQueues.map(({ queue }) => queue)).toEqual(['aiwolf', 'chatroom', 'contest', 'gamemaster', 'llm-gateway', 'player']);
  });

  it('binds every command and event to its receivers, except broadcast events', () => {
    const taken = serviceQueues.flatMap(({ queue, types }) => types.map((type) => `${queue} ${type}`));
    const addressed = contracts.all.flatMap(({ name, to }) => to.map((service) => `${service} ${name}`));
    expect(addressed.filter((one) => !taken.includes(one)).toSorted()).toEqual([
      'aiwolf room.line',
      'aiwolf table.moved',
      'contest contest.moved',
      'contest table.moved',
      'gamemaster llm.capacity',
      'gamemaster service.alive',
      'gamemaster tape.failed',
      'llm-gateway llm.pool',
      'player room.line',
      'player table.moved',
      'web llm.capacity',
      'web room.line',
      'web table.moved',
    ]);
    expect(taken.filter((one) => !addressed.includes(one))).toEqual([]);
    expect(taken).toEqual(expect.arrayContaining(['chatroom room.said', 'player seat.invited', 'gamemaster table.act']));
  });

  it('excludes exactly the events whose contract is a broadcast', () => {
    const broadcasts = contracts.all.filter(({ summary }) => summary.startsWith('Broadcast'));
    expect(broadcasts.map(({ name }) => name).toSorted()).toEqual([...BROADCAST_EVENTS].toSorted());
    expect(broadcasts.every(({ kind }) => kind === 'event')).toBe(true);
  });

  it('names existing services as single consumers', () => {
    expect(serviceQueues.filter(({ isSingle }) => isSingle).map(({ queue }) => queue)).toEqual(SINGLE_CONSUMER);
    expect(queuesFor([])).toEqual([]);
  });
});

describe('the parts of the gamemaster’s queue', () => {
  const { parts, types } = serviceQueues.find(({ queue }) => queue === 'gamemaster')!;
  const queueOf = (key: string) => [
    ...parts.filter(({ keys }) => keys.includes(key)),
    ...(types.includes(key) ? [{ queue: 'gamemaster' }] : []),
  ];
  const route = (type: ContractName, subject: string, isRepeat?: boolean) => queueOf(routeFor({ type, subject }, isRepeat).key);

  it('take each command to exactly one queue: those of a table to its part, reads apart', () => {
    for (const { name, kind, to, performative } of contracts.all.filter(({ to: receivers }) => receivers.includes('gamemaster' as never))) {
      if (kind !== 'command') continue;
      for (const isRepeat of [false, true]) {
        const queues = route(name as ContractName, 't1', isRepeat);
        expect([name, to, queues.length]).toEqual([name, to, 1]);
        expect(queues[0]!.queue.includes('reads')).toBe(performative === 'query-ref');
      }
    }
    expect(route('table.act', 't1')[0]!.queue).toBe(`gamemaster.part-${partOf('t1')}`);
    expect(route('table.view', 't1')[0]!.queue).toBe(`gamemaster.reads-${partOf('t1')}`);
    expect(route('table.open', 't1')[0]!.queue).toBe('gamemaster.openings');
  });

  it('give what is sent again to all replicas alike', () => {
    expect(route('table.act', 't1', true)[0]!.queue).toBe('gamemaster');
    expect(route('table.view', 't1', true)[0]!.queue).toBe('gamemaster.reads');
  });

  it('let only reads expire', () => {
    const canExpire = contracts.all
      .filter(({ name }) => routeFor({ type: name as ContractName, subject: 't1' }).canExpire)
      .map(({ name }) => name);
    expect(canExpire.toSorted()).toEqual(
      ['table.check', 'table.leaderboard', 'table.list', 'table.recipes', 'table.rules', 'table.view'].toSorted(),
    );
  });

  it('have about as many tables each', () => {
    const counts = Array<number>(PARTS).fill(0);
    for (let n = 0; n < 8_000; n++) counts[partOf(`cup-${n}`)]!++;
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
  });

  it('are covered by the keys that a sender may use, and by no others', () => {
    const keys = new RegExp(`^(${contracts.all.map(keyPatternOf).join('|')})$`);
    for (const key of parts.flatMap((part) => part.keys)) expect(key).toMatch(keys);
    for (const key of [`table.act.${PARTS}`, 'table.act.x', 'seat.decide.0', 'tableXact.1']) expect(key).not.toMatch(keys);
  });
});

describe('unusedReplyQueueOf', () => {
  it('is a reply queue that the broker lets the service write to', () => {
    const users = usersFor(contracts.all).filter(({ name }) => ['gamemaster', 'chatroom', 'llm-gateway'].includes(name));
    expect(users).toHaveLength(3);
    for (const { name, permission, topics } of users) {
      expect(ANSWERS).toMatch(new RegExp(permission.write));
      expect(unusedReplyQueueOf(name)).toMatch(new RegExp(topics.find(({ exchange }) => exchange === ANSWERS)!.write));
    }
  });
});
