import { describe, expect, it } from '@jest/globals';
import type { Eye } from '@maw/games/question.ts';
import { difference, doubled } from './double.ts';
import type { Tamper } from './ears.ts';
import { tampering } from './plants.ts';

// The projection law over the services: worlds that differ only in what an eye may not know give its services the same.

const minute = 60_000;
const eyeOf = (n: number): Eye => (n === 6 ? 'audience' : n);

describe('what the services of a seat get', () => {
  it.each([{}, { whisper: true, seer: true, votes: 'silent' }])(
    'is the same in worlds that differ in what it may not know: %j',
    async (options) => {
      for (let n = 0; n < 8; n += 2) {
        const both = await doubled(n, eyeOf(n), options);
        expect([n, difference(both)]).toEqual([n, undefined]);
        expect([n, both.differs]).toEqual([n, true]);
        expect(both.got[0].length).toBeGreaterThan(1);
      }
    },
    2 * minute,
  );

  it(
    'would be found to differ if a question told who is who',
    async () => {
      const leaky = (): Tamper => {
        let pack = '';
        const whisper = tampering('seat.decide', (data) => ({ brief: `${String(data['brief'])} The Hideout is open to ${pack}.` }));
        return (message) => {
          const { type, body } = message.parcel;
          if (type === 'room.open' && body.includes('Hideout'))
            pack = JSON.stringify((JSON.parse(body.toString()) as { data: { members: number[] } }).data.members);
          return whisper(message);
        };
      };
      const found: (string | undefined)[] = [];
      for (let n = 0; n < 6 && !found.some(Boolean); n++) found.push(difference(await doubled(n, n, {}, leaky)));
      expect(found.at(-1)).toMatch(/The Hideout is open to \[/);
    },
    minute,
  );
});
