import type { Data } from '@maw/contracts/contracts.ts';
import type { Takes } from './families.ts';

type ChatMessage = Pick<Data<'llm.complete'>['messages'][number], 'role' | 'content'>;

const joined = (messages: readonly ChatMessage[]): string => messages.map(({ content }) => content).join('\n\n');

/** The messages in a form that a template takes: nothing is left out, and the order of the texts stays. */
export function inRoles(messages: readonly ChatMessage[], roles: Takes['roles']): readonly ChatMessage[] {
  if (roles === 'any') return messages;
  const first = messages.findIndex(({ role }) => role !== 'system');
  const head = first < 0 ? messages : messages.slice(0, first);
  const rest = messages.slice(head.length).map(({ role, content }): ChatMessage => ({ role: role === 'system' ? 'user' : role, content }));
  // A template that takes only one system message wants somebody to answer, too.
  const isUser = roles === 'no-system' || rest.length === 0;
  const opening: readonly ChatMessage[] = head.length === 0 ? [] : [{ role: isUser ? 'user' : 'system', content: joined(head) }];
  return roles === 'system-first' ? [...opening, ...rest] : alternating([...opening, ...rest]);
}

/** Joins neighbours of one role; the first that is not the system is a user. */
function alternating(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const { role, content } of messages) {
    const last = turns.at(-1);
    const own = role === 'assistant' && (last?.role ?? 'system') === 'system' ? 'user' : role;
    if (last?.role === own) turns[turns.length - 1] = { role: own, content: joined([last, { role, content }]) };
    else turns.push({ role: own, content });
  }
  return turns;
}
