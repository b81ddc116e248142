import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { whenAborted } from '@maw/async/abort.ts';
import type { WebClient } from '../clients/web-client.ts';
import { createPrompt } from './line-editor.ts';
import { playSeat } from './play-seat.ts';

/** A table that goes on until the person leaves. */
function endlessTable(): { web: WebClient; left: string[] } {
  const left: string[] = [];
  const web = {
    leave: async (table: string) => void left.push(table),
    async *follow(_table: string, { signal }: { signal: AbortSignal }) {
      yield { kind: 'asked', asked: { asked: [], brief: '', alive: [] } };
      await whenAborted(signal);
    },
  };
  return { web: web as unknown as WebClient, left };
}

const play = (typed: PassThrough, web: WebClient, canLeave: boolean) =>
  playSeat({
    web,
    table: 'table-1',
    seat: 0,
    prompt: createPrompt(typed, new PassThrough(), false),
    paint: (_, text) => text,
    canLeave,
    signal: new AbortController().signal,
  });

describe('playSeat', () => {
  it('ends at /quit without waiting for another line', async () => {
    const typed = new PassThrough();
    const { web, left } = endlessTable();
    const playing = play(typed, web, true);
    typed.write('/quit\n');
    expect(await playing).toBe('left');
    expect(left).toEqual(['table-1']);
  });
});
