import type { OpenQuestions } from '../clients/web-shapes.ts';
import { stepOf } from './typed-command.ts';

/** What the person can type to answer a question. */
export function describeQuestion({ id, verb, options, room }: OpenQuestions['asked'][number]): string {
  const where = room ? ` in the ${room.slice(room.lastIndexOf('/') + 1)}` : '';
  switch (verb) {
    case 'say':
      return `You may speak${where}.`;
    case 'tell':
      return 'You may whisper: /whisper NAME text';
    case 'choose':
      return `/${stepOf(id)} one of: ${options.map(({ named }) => named).join(', ')}`;
  }
}
