import type { OpenQuestions } from '../clients/web-shapes.ts';

/** What a typed line asks for. */
export type TypedCommand =
  | { readonly does: 'say'; readonly text: string }
  | { readonly does: 'choose'; readonly step: string; readonly whom: string }
  | { readonly does: 'whisper'; readonly whom: string; readonly text: string }
  | { readonly does: 'votes' | 'who' | 'quit' | 'back' | 'rules' | 'help' }
  | { readonly does: 'unknown'; readonly why: string };

export const HELP = [
  'Plain text speaks in the room you are in.',
  '/vote NAME           vote; vote again to change it',
  '/votes               who has voted for whom',
  '/who                 who is alive, who you are, what you may do now',
  '/whisper NAME text   a private line to one player, where the rules allow it',
  '/inspect NAME        any other choice you are asked for, by its name',
  '/rules               the rules of this table',
  '/quit                leave: a mind plays your seat from then on',
  '/back                take your seat back',
].join('\n');

/** Reads a typed line; `names` are the players', longest match first, so that names with spaces need no quotes. */
export function parseTypedCommand(line: string, names: readonly string[]): TypedCommand | undefined {
  const typed = line.trim();
  if (!typed) return undefined;
  if (!typed.startsWith('/')) return { does: 'say', text: typed };
  const [, command = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(typed) ?? [];
  switch (command.toLowerCase()) {
    case 'votes':
    case 'who':
    case 'quit':
    case 'back':
    case 'rules':
    case 'help':
      return { does: command.toLowerCase() as 'votes' };
    case 'whisper': {
      const found = nameAtStart(rest, names);
      if (!found)
        return { does: 'unknown', why: rest ? `nobody here is called ${rest.split(/\s/)[0]}` : 'whisper to whom? /whisper NAME text' };
      if (!found.after) return { does: 'unknown', why: 'whisper what? /whisper NAME text' };
      return { does: 'whisper', whom: found.name, text: found.after };
    }
    case '':
      return { does: 'unknown', why: 'a command is missing' };
    default:
      if (!rest) return { does: 'unknown', why: `there is no command /${command}, or it lacks a name` };
      return { does: 'choose', step: command.toLowerCase(), whom: rest };
  }
}

function nameAtStart(text: string, names: readonly string[]): { name: string; after: string } | undefined {
  const lower = text.toLowerCase();
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    if (lower === name.toLowerCase() || lower.startsWith(`${name.toLowerCase()} `)) return { name, after: text.slice(name.length).trim() };
  }
  return undefined;
}

export type Question = OpenQuestions['asked'][number];
export const stepOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/**
 * The question a choice answers: the one of that name; `/vote` also answers the only choice there is, such as the hunt.
 * @returns the question and the options chosen, or why there are none
 */
export function resolveChoice(
  step: string,
  whom: string,
  asked: readonly Question[],
): { question: Question; says: readonly string[] } | { why: string } {
  const choices = asked.filter(({ verb }) => verb === 'choose');
  const question =
    choices.find(({ id }) => stepOf(id) === step) ?? (step === 'vote' ? (choices.find(({ final }) => !final) ?? choices[0]) : undefined);
  if (!question) {
    const others = choices.map(({ id }) => `/${stepOf(id)}`).join(', ');
    return { why: choices.length ? `you are not asked to ${step} now; you may ${others}` : `you are not asked to ${step} now` };
  }
  const picked = question.pick === 1 ? [whom] : whom.split(',');
  const says: string[] = [];
  for (const part of picked.map((each) => each.trim().toLowerCase())) {
    const option = question.options.find(({ is, named }) => named.toLowerCase() === part || is.toLowerCase() === part);
    if (!option) return { why: `${part} cannot be chosen; choose from ${question.options.map(({ named }) => named).join(', ')}` };
    says.push(option.is);
  }
  return { question, says };
}
