import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { onuw } from '@maw/games/onuw/onuw.ts';
import type { OnuwEvent } from '@maw/games/onuw/state.ts';
import { play } from '@maw/games/kernel/play.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { replay } from '@maw/games/records/replay.ts';

const record = readRecord(JSON.parse(readFileSync(join(import.meta.dirname, 'onuw-5.json'), 'utf8')));

describe('the recorded game of ONUW', () => {
  it("shows the Troublemaker's swap only to the Insomniac", () => {
    const tape = replay(record).events as unknown as readonly OnuwEvent[];
    const game = play(onuw.rules(5, record.options));
    const looks = (eye: number) => game.view(tape, eye).flatMap((e) => (e.type === 'looked' ? [`${e.at} ${e.card}`] : []));
    expect([0, 1, 2, 3, 4].map(looks)).toEqual([[], ['seat:0 werewolf'], ['seat:2 troublemaker'], [], ['seat:4 werewolf']]);
  });

  it('would end differently if the Troublemaker had slept', () => {
    const asleep = { ...record, acts: record.acts.filter(({ step }) => step !== 'night/troublemaker') };
    expect(replay(asleep).result.winner).toBe('village');
    expect(replay(record).result.winner).not.toBe('village');
  });
});
