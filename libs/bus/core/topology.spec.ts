import { describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { BROADCAST_EVENTS, queuesFor, serviceQueues, SINGLE_CONSUMER } from './topology.ts';

describe('the queues of the services', () => {
  it('are one for each that takes work, and none for who hears doorbells only', () => {
    expect(serviceQueues.map(({ queue }) => queue)).toEqual(['chatroom', 'gamemaster', 'llm-gateway', 'player']);
  });

  it('take every command and event from the queue of each receiver, doorbells excepted', () => {
    const taken = serviceQueues.flatMap(({ queue, types }) => types.map((type) => `${queue} ${type}`));
    const addressed = contracts.all.flatMap(({ name, to }) => to.map((service) => `${service} ${name}`));
    expect(addressed.filter((one) => !taken.includes(one)).toSorted()).toEqual([
      'gamemaster llm.capacity',
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

  it('leave out as doorbells just those events whose contract says so', () => {
    const doorbells = contracts.all.filter(({ summary }) => summary.startsWith('A doorbell'));
    expect(doorbells.map(({ name }) => name).toSorted()).toEqual([...BROADCAST_EVENTS].toSorted());
    expect(doorbells.every(({ kind }) => kind === 'event')).toBe(true);
  });

  it('are single for services that exist', () => {
    expect(serviceQueues.filter(({ isSingle }) => isSingle).map(({ queue }) => queue)).toEqual(SINGLE_CONSUMER);
    expect(queuesFor([])).toEqual([]);
  });
});
