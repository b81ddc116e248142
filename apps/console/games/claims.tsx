import { useMemo } from 'react';
import { type Content, readContent } from '@maw/games/aiwolf/language/content-reader.ts';
import { read } from '@maw/games/english/reader.ts';
import type { Act } from '@maw/games/english/sentence.ts';
import { useScene } from '../scene/scene.ts';
import { en, named } from '../text/en.ts';
import type { TableRules } from '../time/tape.ts';
import { PlayerName } from '../ui/player.tsx';
import { roundMoments, type Spoken, spokenIn } from '../time/round.ts';
import styles from './games.module.css';

/** Who says to be whom, and which results they have told, as the reader of English understands it. */
export function Claims() {
  const { rules, tape, n, names } = useScene();
  const claims = useMemo(() => claimsOf(rules, names, spokenIn(roundMoments(tape.moments, n))), [rules, names, tape, n]);
  return (
    <section className={`${styles['piece']} ${styles['record']}`} tabIndex={0} aria-label={en.board.claims}>
      {claims.length === 0 && <p className={styles['empty']}>{en.board.noClaims}</p>}
      <ul>
        {claims.map(({ seat, role, results }) => (
          <li key={seat}>
            <PlayerName seat={seat} name={names[seat]} />: {role !== undefined && named(en.roles, role, named(en.board.results, role))}
            {results.map(({ about, result }, i) => (
              <span key={`${about}${result}`} className={styles['result']} data-wolf={/^(?:werewolf|evil)$/.test(result) || undefined}>
                {i > 0 || role !== undefined ? ', ' : ' '}
                {en.board.says} <PlayerName seat={about} name={names[about]} /> {en.board.and}{' '}
                {named(en.board.results, result, named(en.roles, result))}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Claimed {
  readonly seat: number;
  /** The role claimed last, or a side. */
  readonly role: string | undefined;
  readonly results: readonly { readonly about: number; readonly result: string }[];
}

/** What was claimed aloud, by seat: the last role, and every result told, in order. Whispers and secret rooms claim nothing to the table. */
function claimsOf(rules: TableRules, names: readonly (string | undefined)[], spoken: readonly Spoken[]): readonly Claimed[] {
  const claims: Claimed[] = names.map((_, seat) => ({ seat, role: undefined, results: [] }));
  const table = {
    names: names.map((name) => name ?? ''),
    roles: Object.values(rules.set.sides ?? {}).flatMap((side) => side.map((role) => (role === 'wolf' ? 'werewolf' : role))),
  };
  const before: { readonly by: number; readonly text: string }[] = [];
  for (const { question, answer } of spoken) {
    if (question.verb !== 'say' || question.among !== 'table') continue;
    const [text = ''] = answer.says;
    const content = rules.set.language && readContent(text);
    const acts = content ? partsOf(content).flatMap((part) => actOf(part, answer.by)) : read(text, answer.by, table, before);
    before.push({ by: answer.by, text });
    for (const act of acts) claims[answer.by] = withClaim(claims[answer.by]!, act);
  }
  return claims.filter(({ role, results }) => role !== undefined || results.length);
}

function withClaim(claims: Claimed, act: Act): Claimed {
  if (act.act === 'claims-role') return act.role.startsWith('not-') ? claims : { ...claims, role: act.role };
  if (act.act !== 'claims-result' || typeof act.about !== 'number') return claims;
  const { about, result } = act;
  const isKnown = claims.results.some((each) => each.about === about && each.result === result);
  return isKnown ? claims : { ...claims, results: [...claims.results, { about, result }] };
}

/** The sentences of the language of AIWolf that are said to be so: the whole, or the parts of a conjunction, a consequence or a day. */
function partsOf(content: Content): readonly Content[] {
  if (content.kind === 'AND' || content.kind === 'DAY') return content.parts.flatMap(partsOf);
  return content.kind === 'BECAUSE' ? partsOf(content.parts[1]) : [content];
}

/** What a sentence of that language claims, as the reader of English tells it. */
function actOf(content: Content, by: number): readonly Act[] {
  if (content.subject !== undefined && content.subject !== by + 1) return [];
  if (content.kind === 'COMINGOUT') return content.target === by + 1 ? [{ act: 'claims-role', role: content.role.toLowerCase() }] : [];
  if ((content.kind !== 'DIVINED' && content.kind !== 'IDENTIFIED') || content.target < 1) return [];
  return [{ act: 'claims-result', about: content.target - 1, result: content.result === 'WEREWOLF' ? 'werewolf' : 'not-werewolf' }];
}
