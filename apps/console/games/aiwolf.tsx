import { useMemo } from 'react';
import { useScene } from '../scene/scene.ts';
import { en, named } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { roundMoments, type Spoken, spokenIn } from './round.ts';
import styles from './games.module.css';
import { type Content, readContent } from '@maw/games/aiwolf/language/content-reader.ts';

/** Who says to be whom, and which results they have told. */
export function AiwolfClaims() {
  const { tape, n, names } = useScene();
  const claims = useMemo(() => claimsOf(spokenIn(roundMoments(tape.moments, n)), names.length), [tape, n, names.length]);
  const made = claims.filter(({ role, results }) => role !== undefined || results.length);
  return (
    <section className={styles['piece']} tabIndex={0}>
      <h2>{en.centre.claims}</h2>
      {made.length === 0 && <p>{en.centre.noClaims}</p>}
      {made.length > 0 && (
        <table className={styles['claims']}>
          <thead>
            <tr>
              <th scope="col">{en.centre.claimant}</th>
              <th scope="col">{en.centre.claim}</th>
              <th scope="col">{en.centre.results}</th>
            </tr>
          </thead>
          <tbody>
            {made.map(({ seat, role, results }) => (
              <tr key={seat}>
                <th scope="row">
                  <PlayerName seat={seat} name={names[seat]} />
                </th>
                <td>{role !== undefined && named(en.roles, role)}</td>
                <td>
                  {results.map(({ target, isWolf, by }) => (
                    <span key={`${by}${target}${isWolf}`} className={styles['result']} data-wolf={isWolf || undefined}>
                      <PlayerName seat={target} name={names[target]} /> {isWolf ? en.centre.isWolf : en.centre.isHuman}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** What a player has claimed at AIWolf: the last role, and every result told, in order. */
interface Claims {
  readonly seat: number;
  readonly role: string | undefined;
  readonly results: readonly { readonly target: number; readonly isWolf: boolean; readonly by: 'DIVINED' | 'IDENTIFIED' }[];
}

/** The claims that were made in talk, by seat. Speech that is not of the language claims nothing. */
function claimsOf(spoken: readonly Spoken[], seats: number): readonly Claims[] {
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
