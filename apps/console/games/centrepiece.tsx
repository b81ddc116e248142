import { type ComponentType, useMemo } from 'react';
import { useScene } from '../scene/scene.ts';
import { en, named } from '../text/en.ts';
import { roundMoments } from '../time/round.ts';
import { claimsOf } from '../time/speeches.ts';
import { PlayerName } from '../ui/player.tsx';
import { AvalonQuests } from './avalon.tsx';
import { MawDays } from './maw.tsx';
import { OnuwCards } from './onuw.tsx';
import styles from './games.module.css';
import { Werewolf7Night } from './werewolf-7.tsx';

/** What each game shows of its own below the table, beside what was claimed. */
const CENTREPIECES: { readonly [rules: string]: ComponentType } = {
  'maw': MawDays,
  'avalon': AvalonQuests,
  'onuw': OnuwCards,
  'werewolf-7': Werewolf7Night,
};

export function Centrepiece() {
  const { rules } = useScene();
  const Piece = CENTREPIECES[rules.set.name];
  return (
    <div className={styles['pieces']}>
      {Piece && <Piece />}
      <Claims />
    </div>
  );
}

/** Who says to be whom, and which results they have told, as the reader of English understands it. */
function Claims() {
  const { rules, tape, n, names } = useScene();
  const claims = useMemo(() => claimsOf(rules, roundMoments(tape.moments, n)), [rules, tape, n]);
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
