import { joinList } from '@maw/games/kernel/format-text.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import type { Moment } from '../mind.ts';
import { waysOf, wordsFor } from '../prompts/reply.ts';
import { sanitize } from '../sanitize.ts';

/** What the host asks for now, in words that do not say how to reply: `vote: choose one of Bob and Cid; or speak in the Village`. */
export function requestText(moment: Moment): string {
  const parts = waysOf(moment).flatMap(({ do: word, asking }) => {
    if (!asking) return [];
    const { verb, pick, room } = asking;
    if (verb === 'say') return [`speak${room === undefined ? '' : ` in the ${sanitize(stepOf(room))}`}`];
    const words = joinList(wordsFor(asking));
    return [verb === 'tell' ? `whisper to one of ${words}` : `${word}: choose ${pick === 1 ? 'one' : pick} of ${words}`];
  });
  return parts.join('; or ') || 'listen';
}
