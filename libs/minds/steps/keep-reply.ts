import { z } from 'zod';
import type { Answer, Asking, Mind, Moment } from '../mind.ts';
import { wordsFor } from '../prompts/reply.ts';
import { stepKind } from '../recipe/step-kind.ts';
import { quote, sanitize } from '../sanitize.ts';

/** Keeps what the mind has just decided, with its reason: in the log, as `context` of document 000 does, or in a note. */
export const keepReplyKind = stepKind({
  step: 'keep-reply',
  description: 'Keeps the own decision and its reason, silence too, in the log or in a note.',
  parameters: z.strictObject({
    into: z.string().regex(/^(?:log|note\.[A-Za-z][\w-]*)$/, 'it is log or note.NAME').default('log').describe('log or note.NAME'), // prettier-ignore
  }),
  create: ({ into }) => ({
    kind: 'remember',
    chain: 0,
    async run(mind, moment) {
      const kept = decided(mind, moment);
      if (into !== 'log') return { notes: { ...mind.notes, [into.slice('note.'.length)]: kept } };
      return { unread: [...mind.unread, kept] };
    },
    shows: () => ({}),
  }),
});

function decided({ answers, notes }: Mind, { questions }: Moment): string {
  const reason = typeof notes['reason'] === 'string' && notes['reason'] ? ` You thought: ${sanitize(notes['reason'])}` : '';
  const done = answers.flatMap((answer) => {
    const asking = questions.find(({ id }) => id === answer.question);
    return asking ? [inWords(asking, answer)] : [];
  });
  return `(You ${done.join(', and ') || 'only listened'}.${reason})`;
}

function inWords(asking: Asking, { says }: Answer): string {
  const words = wordsFor(asking);
  const wordOf = (is: string): string => words[asking.options.findIndex((option) => option.is === is)] ?? sanitize(is);
  const [first = '', second = ''] = says;
  switch (asking.verb) {
    case 'say':
      return `said ${quote(first)}`;
    case 'tell':
      return `whispered to ${wordOf(first)} ${quote(second)}`;
    case 'choose':
      return `chose ${says.map(wordOf).join(', ')}`;
  }
}
