import { catalogue } from '@maw/games/catalogue.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import type { DecisionKind } from '@maw/games/kernel/rule-set.ts';
import type { Asking, Moment } from './mind.ts';

/**
 * What a seat is asked for. Talk and a vote that are open together are talk, until a choice must be made. Without questions it is after the
 * game, and the kind is `name` only when a name is wanted.
 */
export function kindOfDecision({ rules, questions, mustChoose }: Pick<Moment, 'rules' | 'questions' | 'mustChoose'>): DecisionKind {
  const kinds = questions.map((asking) => kindOf(asking, rules.name));
  if (!mustChoose && kinds.includes('talk')) return 'talk';
  return kinds.find((kind) => kind !== 'talk') ?? kinds[0] ?? 'name';
}

/** The kind that the rule set declares for the step; else by verb and secrecy. */
function kindOf({ id, verb, secret }: Asking, rules: string): DecisionKind {
  const declared = catalogue.find((set) => set.name === rules)?.decisions?.[stepOf(id)];
  if (declared) return declared;
  if (verb !== 'choose') return 'talk';
  return secret ? 'secret-choice' : 'vote';
}
