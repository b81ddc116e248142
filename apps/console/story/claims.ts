import { sideOf } from '@maw/games/roles.ts';
import { type Speech, speechesOf } from '../time/speeches.ts';
import type { TableRules } from '../time/tape.ts';
import type { Round } from './rounds.ts';

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
export function liesOf(rules: TableRules, round: Round, speeches = speechesOf(rules, round.moments)): readonly Lie[] {
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

/**
 * Cards that a player has held and may know of: the one dealt, one that it copied, and one that lay there when a card of the night allowed to look. Where a view does not
 * show what a Robber has taken, that may be any card that was dealt, unless nobody could move it afterwards.
 */
function heldBy(seat: number, { dealt, roles, copied, moments }: Round): readonly string[] {
  const seen = moments.flatMap(({ seen: { event } }) =>
    event['by'] === seat && event.type === 'looked' && event['at'] === `seat:${seat}` ? [String(event['card'])] : [],
  );
  const own = [dealt[seat]!, ...(copied?.by === seat ? [copied.card] : [])];
  const acting = own.at(-1)!;
  if (seen.length || !/robber|insomniac/.test(acting)) return [...own, ...seen];
  const mayMove = acting === 'robber' && (dealt.includes('troublemaker') || copied?.card === 'robber');
  return mayMove ? dealt : [...own, roles[seat]!];
}

/** Whether what was said of a role is so. */
function fits(said: string, role: string, rules: string): boolean {
  if (said.startsWith('not-')) return !fits(said.slice('not-'.length), role, rules);
  if (said === 'merlin-or-morgana') return role === 'merlin' || role === 'morgana';
  return said === role || (said === 'werewolf' && role === 'wolf') || said === sideOf(role, rules);
}
