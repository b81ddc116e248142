import type { Language, Said, Translation } from '@maw/games/kernel/language.ts';
import type { Seen } from '../api/shapes.ts';

/** What was said in turns so far; plain English such as "I agree with Bo" refers to it. */
export const saidIn = (seen: readonly Seen[]): readonly Said[] =>
  seen.flatMap(({ event }): readonly Said[] => {
    const question = String(event['question']);
    if (!/\/turn-\d+\//.test(question)) return [];
    if (event.type === 'passed') return [{ question, by: event['seat'] as number, text: undefined }];
    if (event.type !== 'answered') return [];
    const { by, says } = event['answer'] as { readonly by: number; readonly says: readonly string[] };
    return [{ question, by, text: says[0] }];
  });

/** Who types, and at which table. */
export interface PlainSpeaker {
  readonly language: Language;
  readonly seat: number;
  readonly names: readonly string[];
  readonly alive: readonly boolean[];
  readonly said: readonly Said[];
}

/** What is said for what was typed, in a game with a language of its own, or why it cannot be said. */
export const translate = ({ language, ...speaker }: PlainSpeaker, question: string, typed: string): Translation =>
  language.translate(typed, { ...speaker, question });
