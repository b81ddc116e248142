import { en, named } from '../text/en.ts';
import { tally } from '../time/ballot.ts';
import { Option } from '../ui/option.tsx';
import { voteAt } from '../scene/facts.ts';
import { phaseName } from '../scene/phase-name.ts';
import { PhaseClock } from './phase-clock.tsx';
import { useScene } from '../scene/scene.ts';
import styles from './circle.module.css';

/** The middle of the table: the phase, its clock, and how the vote stands. */
export function TableCentre() {
  const { moment } = useScene();
  const vote = voteAt(moment);
  return (
    <div className={styles['centre']}>
      <p className={styles['phase']}>{phaseName(moment.phase)}</p>
      <PhaseClock />
      {vote && (
        <div className={styles['tally']} data-private={moment.phase.kind === 'night' || undefined}>
          <p>{named(en.votes, vote.step)}</p>
          <ol>
            {tally(vote)
              .slice(0, 5)
              .map(([option, by]) => (
                <li key={option}>
                  <Option option={option} /> <strong>{by.length}</strong>
                </li>
              ))}
          </ol>
        </div>
      )}
    </div>
  );
}
