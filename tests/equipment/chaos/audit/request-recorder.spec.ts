import { beforeEach, describe, expect, it } from '@jest/globals';
import { type RecordedRequest, type RequestRecorder, requestRecorder } from './request-recorder.ts';
import { delivered, published } from '../network/amqp-frames.suite.ts';

let clock: number;
let here: RequestRecorder;
beforeEach(() => {
  clock = 1_000;
  here = requestRecorder(() => clock++);
});

const replyTo = 'reply.player.1';
const act = { subject: 't1', replyby: '1970-01-01T00:00:10.000Z', data: { seat: 2 } };
const asks = (
  service: string,
  about: { readonly id?: string; readonly replyTo?: string; readonly type?: string } = {},
  content: object = act,
) => {
  const { id = 'm1', type = 'table.act' } = about;
  here.listen(service).up(published('commands', type, { id, type, correlationId: id, replyTo: about.replyTo ?? replyTo }, content));
};
const answers = (service: string, performative: string, data: unknown, exchange = '') =>
  here.listen(service).up(published(exchange, replyTo, { type: 'table.act.reply', correlationId: 'm1' }, { performative, data }));
const hears = (service: string) =>
  here.listen(service).down(delivered('', replyTo, { type: 'table.act.reply', correlationId: 'm1' }, { performative: 'agree', data: {} }));
const only = (): RecordedRequest => {
  expect(here.of('t1')).toHaveLength(1);
  return here.of('t1')[0]!;
};

describe('the recorder', () => {
  it('records a request, its reply and the receipt of the reply', () => {
    asks('player');
    answers('gamemaster', 'agree', { at: 5 });
    hears('player');
    expect(only()).toEqual({
      id: 'm1',
      type: 'table.act',
      table: 't1',
      by: 'player',
      seat: 2,
      until: 10_000,
      sent: [{ at: 1_000, replyTo }],
      said: [{ by: 'gamemaster', performative: 'agree', reason: undefined, digest: expect.any(String), at: 1_001 }],
      heard: [1_002],
    });
    expect(here.messages()).toBe(3);
  });

  it('treats the same id as the same request, on another connection too', () => {
    asks('player');
    asks('player', { replyTo: 'reply.player.2' });
    expect(only().sent.map((each) => each.replyTo)).toEqual([replyTo, 'reply.player.2']);
  });

  it('does not count a forwarded request as another one', () => {
    asks('player', { type: 'room.speak' });
    asks('chatroom', { type: 'table.act' });
    expect(only()).toMatchObject({ type: 'room.speak', by: 'player', sent: [{ replyTo }] });
  });

  it('compares replies by content', () => {
    asks('player');
    answers('gamemaster', 'agree', { at: 5 });
    answers('gamemaster', 'agree', { at: 5 }, 'answers'); // by whichever exchange
    answers('gamemaster', 'agree', { at: 6 });
    answers('chatroom', 'refuse', { reason: 'room-closed', detail: 'closed' });
    const { said } = only();
    expect(said.map(({ reason }) => reason)).toEqual([undefined, undefined, undefined, 'room-closed']);
    expect(new Set(said.map(({ digest }) => digest)).size).toBe(3);
    expect(said[0]!.digest).toBe(said[1]!.digest);
  });

  it('keeps tables apart, and forgets one', () => {
    asks('player');
    asks('player', { id: 'm2' }, { ...act, subject: 't2' });
    expect([here.of('t1'), here.of('t2')].map(({ length }) => length)).toEqual([1, 1]);
    here.forget('t1');
    answers('gamemaster', 'agree', {});
    expect([here.of('t1'), here.of('t2')].map(({ length }) => length)).toEqual([0, 1]);
  });

  it('ignores messages that are not requests', () => {
    here.listen('gamemaster').up(published('events', 'table.moved', { id: 'e', type: 'table.moved' }, act));
    here.listen('player').down(delivered('commands', 'seat.decide', { id: 'd', type: 'seat.decide' }, act));
    expect(here.of('t1')).toEqual([]);
    expect(here.messages()).toBe(2);
  });
});
