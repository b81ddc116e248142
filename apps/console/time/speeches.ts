import { type Agent, agentOf, ANY, type Content, readContent } from '@maw/games/aiwolf/language/content-reader.ts';
import { type Line, read } from '@maw/games/english/reader.ts';
import type { Act } from '@maw/games/english/sentence.ts';
import { isAmong } from '@maw/games/kernel/question.ts';
import { spokenRoles } from '@maw/games/roles.ts';
import type { Moment, TableRules } from './tape.ts';

/** What somebody said to everybody, and what it means. */
export interface Speech {
  /** The number of its event in the view. */
  readonly n: number;
  readonly by: number;
  readonly text: string;
  readonly acts: readonly Act[];
}

/** The public speeches among moments of a round, read as the minds read them: plain English, or the language of AIWolf. */
export function speechesOf({ set, opening }: TableRules, moments: readonly Moment[]): readonly Speech[] {
  const roles = spokenRoles(set.name, opening).map((role) => (role === 'wolf' ? 'werewolf' : role));
  const before: Line[] = [];
  return moments.flatMap(({ seen: { event, n }, before: { open, game } }): readonly Speech[] => {
    const question = event.type === 'answered' ? open.find(({ id }) => id === event['question']) : undefined;
    if (question?.verb !== 'say' || !isAmong(question, 'audience')) return [];
    const { by, says } = event['answer'] as { readonly by: number; readonly says: readonly [string] };
    const [text] = says;
    const content = set.language && readContent(text);
    const names = game.names.map((name) => name ?? '');
    const acts = content ? actsOf(content, agentOf(by), names.length) : read(text, by, { names, roles }, before.slice(-2));
    before.push({ by, text });
    return [{ n, by, text, acts }];
  });
}

/** What a sentence of the language asserts of players at the table: its speaker's own claims, with those that it gives as reasons. */
function actsOf(content: Content, speaker: Agent, players: number): readonly Act[] {
  if (content.subject !== undefined && content.subject !== speaker) return [];
  if (content.kind === 'AND' || content.kind === 'BECAUSE' || content.kind === 'DAY')
    return content.parts.flatMap((part) => actsOf(part, speaker, players));
  if (content.kind === 'COMINGOUT')
    return content.target === speaker && content.role !== 'ANY' ? [{ act: 'claims-role', role: content.role.toLowerCase() }] : [];
  if (content.kind !== 'DIVINED' && content.kind !== 'IDENTIFIED') return [];
  if (content.target === ANY || content.target > players || content.result === 'ANY') return [];
  return [{ act: 'claims-result', about: content.target - 1, result: content.result === 'HUMAN' ? 'not-werewolf' : 'werewolf' }];
}

/** What somebody has claimed. */
interface Claimed {
  readonly seat: number;
  /** The role claimed last, or a side. */
  readonly role: string | undefined;
  readonly results: readonly { readonly about: number; readonly result: string }[];
}

/** What was claimed aloud, by seat: the last role, and every result told, in order. Whispers and secret rooms claim nothing to the table. */
export function claimsOf(rules: TableRules, moments: readonly Moment[]): readonly Claimed[] {
  const claims: Claimed[] = rules.opening.seats.map((_, seat) => ({ seat, role: undefined, results: [] }));
  for (const { by, acts } of speechesOf(rules, moments)) for (const act of acts) claims[by] = withClaim(claims[by]!, act);
  return claims.filter(({ role, results }) => role !== undefined || results.length);
}

function withClaim(claims: Claimed, act: Act): Claimed {
  if (act.act === 'claims-role') return act.role.startsWith('not-') ? claims : { ...claims, role: act.role };
  if (act.act !== 'claims-result' || typeof act.about !== 'number') return claims;
  const { about, result } = act;
  const isKnown = claims.results.some((each) => each.about === about && each.result === result);
  return isKnown ? claims : { ...claims, results: [...claims.results, { about, result }] };
}
