import { type Answer, type Open, stepOf } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';

/** Choices that a view shows: of an open question so far, or of one that has settled. */
export interface Ballot {
  readonly id: string;
  /** `vote`, `hunt`, `team`, … */
  readonly step: string;
  readonly of: readonly number[];
  readonly answers: readonly Answer[];
  readonly isOpen: boolean;
}

/** Steps in which everybody, or everybody of a side, decides together. */
const VOTES: ReadonlySet<string> = new Set(['vote', 'hunt', 'attack', 'approve', 'team', 'assassinate']);
export const isVote = ({ step }: Pick<Ballot, 'step'>): boolean => VOTES.has(step);

const ballotOf = (q: Open, answers: readonly Answer[], isOpen: boolean): Ballot => ({
  id: q.id,
  step: stepOf(q.id),
  of: q.of,
  answers,
  isOpen,
});

/** The choices of the questions that are open. */
export const openBallots = (open: readonly Open[]): readonly Ballot[] =>
  open.flatMap((q) => (q.verb === 'choose' ? [ballotOf(q, q.answers, true)] : []));

/** The result of a question of choice, when `event` settles it. */
export function settledBallot(before: readonly Open[], event: { readonly type: string }): Ballot | undefined {
  if (event.type !== 'settled') return undefined;
  const { question, answers, defaulted = [] } = event as Extract<TableEvent, { type: 'settled' }>;
  const q = before.find(({ id }) => id === question);
  if (q?.verb !== 'choose') return undefined;
  const heard = [...q.answers.filter(({ by }) => !answers.some((answer) => answer.by === by)), ...answers];
  const all = [...heard, ...defaulted.filter(({ by }) => !heard.some((answer) => answer.by === by))];
  return all.length ? ballotOf(q, all, false) : undefined;
}

/** How often each option was chosen, most first. */
export function tally({ answers }: Pick<Ballot, 'answers'>): readonly (readonly [option: string, by: readonly number[]])[] {
  const voters = new Map<string, number[]>();
  for (const { by, says } of answers) for (const option of says) voters.set(option, [...(voters.get(option) ?? []), by]);
  return [...voters].sort(([, a], [, b]) => b.length - a.length);
}
