import { useMemo } from 'react';
import { Option } from '../ui/option.tsx';
import { phaseName } from '../scene/phase-name.ts';
import { useScene } from '../scene/scene.ts';
import { en } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { mawDays } from './maw-days.ts';
import { roundMoments } from './round.ts';
import styles from './games.module.css';

/** The votes of every day and night that is over, and whom they killed. */
export function MawDays() {
  const { tape, n, names } = useScene();
  const days = useMemo(() => mawDays(roundMoments(tape.moments, n)), [tape, n]);
  return (
    <section className={`${styles['piece']} ${styles['record']}`} tabIndex={0} data-private aria-label={en.centre.days}>
      {days.length === 0 && <p className={styles['empty']}>{en.centre.noDays}</p>}
      <ol className={styles['days']}>
        {days.map(({ kind, day, votes, dead }) => (
          <li key={`${kind}${day}`} data-kind={kind}>
            <h2>{phaseName({ kind, number: day, round: 0 })}</h2>
            <p>
              {kind === 'day' ? en.centre.executed : en.centre.murdered}:{' '}
              {dead === undefined ? en.table.nobody : <PlayerName seat={dead} name={names[dead]} />}
            </p>
            <ul>
              {votes.map(([option, by]) => (
                <li key={option}>
                  <Option option={option} /> <strong>{by.length}</strong>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}
