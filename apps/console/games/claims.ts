import { type Content, readContent } from '@maw/games/aiwolf/language/content-reader.ts';
import type { Spoken } from './round.ts';

/** What a player has claimed at AIWolf: the last role, and every result told, in order. */
export interface Claims {
  readonly seat: number;
  readonly role: string | undefined;
  readonly results: readonly { readonly target: number; readonly isWolf: boolean; readonly by: 'DIVINED' | 'IDENTIFIED' }[];
}

/** The claims that were made in talk, by seat. Speech that is not of the language claims nothing. */
export function claimsOf(spoken: readonly Spoken[], seats: number): readonly Claims[] {
  const claims: Claims[] = Array.from({ length: seats }, (_, seat) => ({ seat, role: undefined, results: [] }));
  for (const { question, answer } of spoken) {
    if (question.verb !== 'say' || question.among !== 'table') continue;
    const content = readContent(answer.says[0] ?? '');
    for (const part of content ? partsOf(content) : []) claims[answer.by] = withClaim(claims[answer.by]!, part, answer.by);
  }
  return claims;
}

/** The sentences that are said to be so: the whole, or the parts of a conjunction, a consequence or a day. */
function partsOf(content: Content): readonly Content[] {
  if (content.kind === 'AND' || content.kind === 'DAY') return content.parts.flatMap(partsOf);
  return content.kind === 'BECAUSE' ? partsOf(content.parts[1]) : [content];
}

function withClaim(claims: Claims, content: Content, by: number): Claims {
  const isOwn = content.subject === undefined || content.subject === by + 1;
  if (!isOwn) return claims;
  if (content.kind === 'COMINGOUT' && content.target === by + 1) return { ...claims, role: content.role.toLowerCase() };
  if (content.kind !== 'DIVINED' && content.kind !== 'IDENTIFIED') return claims;
  const result = { target: content.target - 1, isWolf: content.result === 'WEREWOLF', by: content.kind };
  const isKnown = claims.results.some(({ target, isWolf }) => target === result.target && isWolf === result.isWolf);
  return isKnown || result.target < 0 ? claims : { ...claims, results: [...claims.results, result] };
}
