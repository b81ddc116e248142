import { useMemo } from 'react';
import { useScene } from '../scene/scene.ts';
import { en, named } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { claimsOf } from './claims.ts';
import { roundMoments, spokenIn } from './round.ts';
import styles from './games.module.css';

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
