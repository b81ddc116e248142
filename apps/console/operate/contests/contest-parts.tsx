import { contests as texts } from '../../text/en-contests.ts';
import { fill } from '../../text/en.ts';
import type { Summary } from './standing.ts';
import styles from '../operate.module.css';

/** The colours of states are those of tables. */
const HEALTH: { readonly [S in Summary['state']]?: string } = { running: 'running', stopping: 'paused', failed: 'stuck' };

export const State = ({ summary: { state, why } }: { readonly summary: Summary }) => (
  <>
    <span className={styles['health']} data-health={HEALTH[state]}>
      {texts.states[state]}
    </span>{' '}
    {why !== undefined && <small>{why}</small>}
  </>
);

export const Progress = ({ summary: { finished, pairings } }: { readonly summary: Summary }) => (
  <span className={styles['progress']}>
    <progress max={Math.max(1, pairings)} value={finished} aria-label={texts.list.progress} /> {fill(texts.played, { finished, pairings })}
  </span>
);
