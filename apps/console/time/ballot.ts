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
const VOTES: ReadonlySet<string> = new Set(['vote', 'elect', 'hunt', 'attack', 'approve', 'team', 'assassinate']);
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

/** Who chose each option, and what that counts, most first. @param halves what a vote of a seat counts, in half votes */
export function tally(
  { answers }: Pick<Ballot, 'answers'>,
  halves: (seat: number) => number = () => 2,
): readonly (readonly [option: string, by: readonly number[], count: number])[] {
  const voters = new Map<string, number[]>();
  for (const { by, says } of answers) for (const option of says) voters.set(option, [...(voters.get(option) ?? []), by]);
  const counted = [...voters].map(([option, by]) => [option, by, by.reduce((sum, seat) => sum + halves(seat), 0) / 2] as const);
  return counted.sort(([, , a], [, , b]) => b - a);
}

/** A number of votes in which one may count one and a half: `2½`. */
export const countText = (votes: number): string => `${Math.floor(votes) || ''}${votes % 1 ? '½' : ''}`;
