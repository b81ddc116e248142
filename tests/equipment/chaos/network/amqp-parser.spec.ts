import { describe, expect, it } from '@jest/globals';
import { bare, body, deliver, frame, header, method, publish } from './amqp-frames.suite.ts';
import { type AmqpMessage, amqpParser } from './amqp-parser.ts';

function read(pieces: readonly Buffer[]): readonly (Omit<AmqpMessage, 'body'> & { readonly body: string })[] {
  const all: AmqpMessage[] = [];
  const hear = amqpParser((letter) => all.push(letter));
  for (const piece of pieces) hear(piece);
  return all.map((letter) => ({ ...letter, body: letter.body.toString() }));
}

const outside = { type: 'table.act', id: 'id', correlationId: 'asked', replyTo: 'reply.web.1' };
const none = { type: undefined, id: undefined, correlationId: undefined, replyTo: undefined };

describe('parsed messages', () => {
  const client = Buffer.concat([
    Buffer.from('AMQP\0\0\x09\x01', 'latin1'),
    method(0, 10, 11, Buffer.from('whatever')),
    frame(8, 0, Buffer.alloc(0)),
    publish(1, 'commands', 'table.act'),
    header(1, 10, outside),
    publish(2, '', 'reply.web.1'), // channels do not wait for each other
    bare(2, 0),
    body(1, 'hello '),
    body(1, 'this'),
  ]);
  const expected = [
    { how: 'publish', exchange: '', key: 'reply.web.1', ...none, body: '' },
    { how: 'publish', exchange: 'commands', key: 'table.act', ...outside, body: 'hello this' },
  ];

  it('are read from client frames', () => {
    expect(read([client])).toEqual(expected);
  });

  it('are read from any split of the bytes', () => {
    for (let size = 1; size <= client.length; size++)
      expect(read(Array.from({ length: Math.ceil(client.length / size) }, (_, i) => client.subarray(i * size, (i + 1) * size)))).toEqual(
        expected,
      );
  });

  it('are read from server frames', () => {
    const server = Buffer.concat([
      method(0, 10, 10),
      deliver(3, 'events', 'room.said'),
      header(3, 2, outside),
      body(3, 'ab'),
      method(3, 60, 80),
    ]);
    expect(read([server])).toEqual([{ how: 'deliver', exchange: 'events', key: 'room.said', ...outside, body: 'ab' }]);
  });

  it('omit incomplete messages', () => {
    expect(read([Buffer.concat([deliver(1, 'e', 'k'), header(1, 3, outside), body(1, 'ab')])])).toEqual([]);
    expect(read([Buffer.concat([deliver(1, 'e', 'k'), header(1, 3, outside), method(1, 20, 40), body(1, 'abc')])])).toEqual([]);
  });
});
