import type { Action } from './use-action.ts';
import styles from './operate.module.css';

/** What came of an action; it is read aloud. */
export const Words = ({ words }: Pick<Action, 'words'>) => (
  <p role="status" className={styles[words?.isRefused ? 'refused' : 'done']}>
    {words?.text}
  </p>
);
