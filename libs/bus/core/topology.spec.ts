import { describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { usersFor } from '../rabbitmq/permissions.ts';
import { ANSWERS, BROADCAST_EVENTS, queuesFor, serviceQueues, SINGLE_CONSUMER, unusedReplyQueueOf } from './topology.ts';

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
