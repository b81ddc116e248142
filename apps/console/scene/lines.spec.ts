import { expect, it } from '@jest/globals';
import { hush, run, vote } from '@maw/games/werewolf-7/election.suite.ts';
import { sevenAt } from '@maw/games/werewolf-7/werewolf-7.suite.ts';
import { createTape } from '../time/tape.ts';
import { lineOf } from './lines.ts';

it('an answer that nobody else hears is a secret line, such as who would run for sheriff, and an open vote is none', () => {
  const g = sevenAt({ sheriff: 'elected', lastWords: false });
  g.night();
  run(g, 2, 4);
  hush(g);
  vote(g, { 0: 2, 1: 2 });
  const tape = createTape();
  for (const [i, event] of g.table.tape.entries()) tape.append({ n: i + 1, at: i, event: event as never });
  const secretOf = (step: string) =>
    tape.moments
      .filter(({ seen: { event } }) => event.type === 'answered' && String(event['question']).endsWith(step))
      .map((moment) => lineOf(tape.rules!, moment)!.isSecret);
  expect(secretOf('/candidacy/run')).toEqual(Array.from({ length: 7 }, () => true));
  expect([...new Set(secretOf('/elect'))]).toEqual([false]);
});
