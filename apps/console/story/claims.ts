import { type Content, agentOf, readContent } from '@maw/games/aiwolf/language/content-reader.ts';
import { type Line, read } from '@maw/games/english/reader.ts';
import type { Act } from '@maw/games/english/sentence.ts';
import { isAmong } from '@maw/games/kernel/question.ts';
import { rolesOf, sideOf } from '@maw/games/roles.ts';
import type { TableRules } from '../time/tape.ts';
import type { Round } from './rounds.ts';

/** What somebody said to everybody, and what it means. */
export interface Speech {
  /** The number of its event in the view. */
  readonly n: number;
  readonly by: number;
  readonly text: string;
  readonly acts: readonly Act[];
}

/** The public speeches of a round, read as the minds read them: plain English, or the language of AIWolf. */
export function speechesOf({ set }: TableRules, { moments }: Round): readonly Speech[] {
  const roles = rolesOf(set.name).map((role) => (role === 'wolf' ? 'werewolf' : role));
  const before: Line[] = [];
  return moments.flatMap(({ seen: { event, n }, before: { open, game } }): readonly Speech[] => {
    const question = event.type === 'answered' ? open.find(({ id }) => id === event['question']) : undefined;
    if (question?.verb !== 'say' || !isAmong(question, 'audience')) return [];
    const { by, says } = event['answer'] as { readonly by: number; readonly says: readonly [string] };
    const [text] = says;
    const content = set.language && readContent(text);
    const names = game.names.map((name) => name ?? '');
    const acts = content ? actsOf(content, agentOf(by)) : read(text, by, { names, roles }, before.slice(-2));
    before.push({ by, text });
    return [{ n, by, text, acts }];
  });
}

/** What a sentence of the language asserts: its speaker's own claims. */
function actsOf(content: Content, speaker: number): readonly Act[] {
  if (content.subject !== undefined && content.subject !== speaker) return [];
  if (content.kind === 'AND' || content.kind === 'BECAUSE' || content.kind === 'DAY')
    return content.parts.flatMap((part) => actsOf(part, speaker));
  if (content.kind === 'COMINGOUT')
    return content.target === speaker && content.role !== 'ANY' ? [{ act: 'claims-role', role: content.role.toLowerCase() }] : [];
  if (content.kind !== 'DIVINED' && content.kind !== 'IDENTIFIED') return [];
  return [{ act: 'claims-result', about: content.target - 1, result: content.result === 'HUMAN' ? 'not-werewolf' : 'werewolf' }];
}

/** Something that a player said of roles, and that was not so. */
export interface Lie extends Pick<Speech, 'n' | 'by' | 'text'> {
  readonly round: number;
  /** A role or side in the words of the reader; `not-` and one: denied. */
  readonly said: string;
  /** Of whom; undefined: of a card in the centre. */
  readonly about: number | undefined;
  /** How often it was said. */
  readonly times: number;
}

/** Results that are deeds; whether they were done, a view need not show. */
const DEEDS: ReadonlySet<string> = new Set(['swapped', 'saved', 'protected', 'poisoned', 'robbed']);

/**
 * The lies of a round: a claim of a role that the player neither was dealt nor has seen before itself, and a claimed result that is false. Opinions
 * are no lies. Cards are compared as they were dealt, since nobody knows who holds them later.
 */
export function liesOf(rules: TableRules, round: Round, speeches = speechesOf(rules, round)): readonly Lie[] {
  const lies = new Map<string, Lie>();
  const { dealt, moments } = round;
  const { centre = [] } = moments.at(-1)!.after.game.game as { readonly centre?: readonly string[] };
  for (const { n, by, text, acts } of speeches)
    for (const act of acts) {
      const isRole = act.act === 'claims-role';
      if (!isRole && (act.act !== 'claims-result' || DEEDS.has(act.result))) continue;
      const about = isRole ? by : act.about === 'centre' ? undefined : act.about;
      if (typeof about === 'string') continue;
      const said = isRole ? act.role : act.result;
      const were = isRole ? heldBy(by, round) : about === undefined ? centre : [dealt[about]!];
      if (!were.length || were.includes('hidden') || were.some((role) => fits(said, role, rules.set.name))) continue;
      const key = `${by} ${about} ${said}`;
      lies.set(key, { n, by, text, said, about, round: round.round, ...lies.get(key), times: (lies.get(key)?.times ?? 0) + 1 });
    }
  return [...lies.values()];
}

/** Cards that a player has held and may know of: the one dealt, and one that lay there when a card of the night allowed to look. */
function heldBy(seat: number, { dealt, roles, moments }: Round): readonly string[] {
  const seen = moments.flatMap(({ seen: { event } }) =>
    event.type === 'looked' && event['by'] === seat && event['at'] === `seat:${seat}` ? [String(event['card'])] : [],
  );
  return [dealt[seat]!, ...seen, ...(/robber|insomniac/.test(dealt[seat]!) ? [roles[seat]!] : [])];
}

/** Whether what was said of a role is so. */
function fits(said: string, role: string, rules: string): boolean {
  if (said.startsWith('not-')) return !fits(said.slice('not-'.length), role, rules);
  if (said === 'merlin-or-morgana') return role === 'merlin' || role === 'morgana';
  return said === role || (said === 'werewolf' && role === 'wolf') || said === sideOf(role, rules);
}
