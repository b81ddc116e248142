import { expect, it } from '@jest/globals';
import { waitForLearners } from './play.ts';

async function notesFor(counts: readonly number[], mostMs = 60_000): Promise<readonly string[]> {
  const [notes, left] = [[] as string[], [...counts]];
  const learners = () => (left.length > 1 ? left.shift()! : left[0]!);
  await waitForLearners(learners, { note: (text) => void notes.push(text), signal: AbortSignal.timeout(300_000) }, { everyMs: 1, mostMs });
  return notes;
}

it('waits until no mind learns, and says how many are left each time the number changes', async () => {
  expect(await notesFor([2, 2, 1, 1, 0])).toEqual(['2 minds learn from the game. Ctrl+C ends that.', '1 mind learns still.']);
  expect(await notesFor([0])).toEqual([]);
});

it('waits no longer than it may', async () => {
  expect((await notesFor([1], 20)).at(-1)).toBe(
    '1 mind learns still; that is not awaited any longer, and what is not learned yet is lost.',
  );
});
