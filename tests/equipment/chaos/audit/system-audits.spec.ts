import { describe, expect, it } from '@jest/globals';
import {
  answeredOrLate,
  noneDiedAlone,
  onlyPlantedDead,
  queuesEmpty,
  RECOVERY_MS,
  type Slots,
  slotsWhole,
  type Trouble,
} from './system-audits.ts';
import type { RecordedRequest } from './request-recorder.ts';

const asked = (changed: Partial<RecordedRequest> = {}): RecordedRequest => ({
  id: 'x',
  type: 'table.act',
  table: 't',
  by: 'player',
  seat: 0,
  until: 110_000,
  sent: [{ at: 100_000, replyTo: 'reply.player.1' }],
  said: [],
  heard: [],
  ...changed,
});
const twice = [...asked().sent, { at: 105_000, replyTo: 'reply.player.1' }];
const trouble = (changed: Partial<Trouble> = {}): Trouble => ({ from: 90_000, to: 95_000, services: ['gamemaster'], ...changed });

describe('requests', () => {
  it.each<[string, Partial<RecordedRequest>, readonly Trouble[], number]>([
    ['that nobody answers though nothing went wrong', {}, [], 1],
    ['that were answered', { heard: [101_000] }, [], 0],
    ['that waited for less than it may take', { until: 107_999 }, [], 0],
    ['that waited just long enough', { until: 108_000 }, [], 1],
    ['that nobody answers in trouble, sent again', { sent: twice }, [trouble()], 0],
    ['that nobody answers in trouble, and that were not sent again', {}, [trouble()], 1],
    ['of somebody who was in trouble itself', {}, [trouble({ services: ['player'] })], 0],
    ['when everybody was in trouble', {}, [trouble({ services: undefined })], 0],
    ['after trouble that all have got over', { sent: twice }, [trouble({ from: 0, to: 100_000 - RECOVERY_MS })], 1],
    ['after trouble that all have just not got over', { sent: twice }, [trouble({ from: 0, to: 100_001 - RECOVERY_MS })], 0],
    ['before trouble', { sent: twice }, [trouble({ from: 110_000, to: 120_000 })], 1],
    ['in trouble that has not ended', { sent: twice }, [trouble({ to: Number.POSITIVE_INFINITY })], 0],
  ])('%s', (_, request, troubles, wrong) => {
    expect(answeredOrLate([asked(request)], troubles)).toHaveLength(wrong);
  });

  it('that nobody answers count for nothing while most answers take long', () => {
    const meanwhile = (...tookMs: readonly number[]) =>
      answeredOrLate(
        [asked()],
        [],
        [...tookMs.map((ms) => asked({ heard: [100_000 + ms] })), asked({ type: 'llm.complete', heard: [109_000] })],
      );
    expect(meanwhile(1_100, 1_100, 900)).toEqual([]);
    expect(meanwhile(1_100, 900)).toHaveLength(1);
    expect(meanwhile()).toHaveLength(1);
  });
});

describe('queues', () => {
  it('that have something are named', () => {
    expect(queuesEmpty([{ queue: 'player', messages: 0 }])).toEqual([]);
    expect(
      queuesEmpty([
        { queue: 'player', messages: 0 },
        { queue: 'chatroom', messages: 2 },
      ]),
    ).toEqual(['2 messages lie in chatroom']);
    const which = ['seat.decide t/1, delivered 3 times before'];
    expect(queuesEmpty([{ queue: 'player', messages: 1, which }])).toEqual([`1 messages lie in player; ${which[0]}`]);
  });
});

describe('dead letters', () => {
  it.each<[string, readonly string[], number]>([
    ['that were planted', ['a', 'b'], 0],
    ['that were not', ['a', 'b', 'c'], 1],
    ['that are missing', ['a'], 1],
    ['that were buried twice', ['a', 'b', 'b'], 0],
  ])('%s', (_, dead, wrong) => {
    expect(onlyPlantedDead(dead, ['b', 'a'])).toHaveLength(wrong);
  });
});

describe('slots', () => {
  const server = { server: 'a', state: 'up', slots: 4, busy: 0 };
  const idle: Slots = { servers: [server], waiting: { critical: 0, talk: 0, background: 0 } };
  it.each<[string, Slots, number]>([
    ['that are all there and idle', idle, 0],
    ['of which one is busy for nobody', { ...idle, servers: [{ ...server, busy: 1 }] }, 1],
    ['of which one is not used any more', { ...idle, servers: [{ ...server, slots: 3 }] }, 1],
    ['of a server that is given up', { ...idle, servers: [{ ...server, state: 'down' }] }, 1],
    ['of a server that is forgotten', { ...idle, servers: [] }, 1],
    ['for which somebody waits', { ...idle, waiting: { critical: 0, talk: 1, background: 0 } }, 1],
  ])('%s', (_, slots, wrong) => {
    expect(slotsWhole(slots, { servers: 1, slots: 4 })).toHaveLength(wrong);
  });
});

describe('processes', () => {
  it('that died unasked are named', () => {
    expect(noneDiedAlone([{ process: 'web-1', how: 'SIGKILL', wasExpected: true }])).toEqual([]);
    expect(noneDiedAlone([{ process: 'web-1', how: 'exit 1', wasExpected: false }])).toEqual(['web-1 died by itself: exit 1']);
  });
});
