import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { eventDecoder } from './event-decoder.ts';
import { backpressureWriter, formatComment, formatEvent } from './sse.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const never = new AbortController().signal;

describe('formatEvent and eventDecoder', () => {
  const stream = `${formatComment('hi')}${formatEvent('seen', { text: 'é\n' }, 7)}data: two\r\ndata: lines\r\n\r\n${formatEvent('over', 1)}`;
  const events = [
    { event: 'seen', id: '7', data: '{"text":"é\\n"}' },
    { event: undefined, id: undefined, data: 'two\nlines' },
    { event: 'over', id: undefined, data: '1' },
  ];

  it('agree wherever the stream is cut', () => {
    const all = bytes(stream);
    for (let cut = 0; cut <= all.length; cut++) {
      const decode = eventDecoder();
      expect([...decode(all.slice(0, cut)), ...decode(all.slice(cut))]).toEqual(events);
    }
  });

  it('drop an event that does not end', () => {
    const decode = eventDecoder();
    expect([...decode(bytes(stream)), ...decode(bytes('data: half\n'))]).toEqual(events);
  });

  it('refuse an event that is too long', () => {
    const decode = eventDecoder(100);
    decode(bytes(`data: ${'x'.repeat(60)}`));
    expect(() => decode(bytes('x'.repeat(60)))).toThrow(expect.objectContaining({ type: 'max-buffer-size-exceeded' }));
  });
});

describe('backpressureWriter', () => {
  it('waits for a reader that falls behind', async () => {
    let release = () => {};
    const sink = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void (release = done) });
    let isWritten = false;
    const writing = backpressureWriter(sink, 600_000, never)('long').then(() => (isWritten = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isWritten).toBe(false);
    release();
    await writing;
  });

  it('gives up on a reader that reads nothing, and on an aborted signal', async () => {
    const sink = () => new Writable({ highWaterMark: 1, write: () => undefined });
    await expect(backpressureWriter(sink(), 1, never)('long')).rejects.toMatchObject({ name: 'SlowReader' });
    const reason = new Error('closing');
    const controller = new AbortController();
    const writing = backpressureWriter(sink(), 600_000, controller.signal)('long');
    controller.abort(reason);
    await expect(writing).rejects.toBe(reason);
    await expect(backpressureWriter(sink(), 1, controller.signal)('more')).rejects.toBe(reason);
  });
});
