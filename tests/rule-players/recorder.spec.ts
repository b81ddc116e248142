import { expect, it } from '@jest/globals';
import { toggle } from '@maw/games/kernel/options.ts';
import { dayTwo } from '@maw/minds/fixtures.suite.ts';
import { type News, newsFromLine } from '@maw/minds/news.ts';
import { recorder } from '@maw/rule-players/shared/recorder.ts';

/** A record of what a game is told of. */
interface Known {
  readonly round: number;
  readonly told: readonly string[];
}
const add = (known: Known, what: string): Known => ({ ...known, told: [...known.told, what] });
const record = recorder(
  { seer: toggle('Seer', false, '') },
  {
    open: ({ seer }, players) => ({ round: 0, told: [`opened ${seer} ${players}`] }),
    begin: (known: Known, round) => ({ ...known, round }),
    event: (known, { type }: { readonly type: string }) => add(known, type),
    line: (known, { place, speech, reader }) => add(known, `${place} ${speech} ${reader}`),
  },
);
const after = (...news: readonly News[]) => news.reduce((known, one) => record(known, one, dayTwo), { round: 0, told: [] } as Known).told;
const event = (type: string, more: object = {}): News => ({ at: 0, event: { type, ...more } });
const line = (room: string) => newsFromLine(room, { line: 1, at: 0, by: 1, text: 'hm' }, ['Ann', 'Bob']);

const begun = [event('opened', { opening: { options: { seer: 'true', pace: 'people' } } }), event('began', { round: 2 })];

it('hands lines of the round to the game, and leaves out those of other rounds', () => {
  const rooms = ['round-2/day-1/Village', 'round-1/day-1/Village', 'round-22/day-1/Village', 'lobby-1/lobby'];
  expect(after(...begun, ...rooms.map(line))).toEqual(['opened true 4', 'day-1/Village hm 0']);
});

it('hands only events of the game itself to the game', () => {
  expect(after(...begun, event('joined'), event('scored'), event('asked'), event('dawned'))).toEqual(['opened true 4', 'dawned']);
});
