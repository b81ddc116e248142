import type { RefObject } from 'react';
import { en } from '../../text/en.ts';
import styles from '../play.module.css';
import { isUnderstoodTold, tellUnderstood } from '../understood.ts';

/** Every key, in a dialog. */
export const KeyList = ({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) => (
  <dialog ref={dialog} className={styles['dialog']} aria-label={en.play.keys}>
    <h2>{en.play.keys}</h2>
    <dl>
      {en.play.keyList.map(({ keys, does }) => (
        <div key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <label className={styles['row']}>
      <input type="checkbox" defaultChecked={isUnderstoodTold()} onChange={({ target }) => tellUnderstood(target.checked)} />
      {en.play.tellUnderstood}
    </label>
    <form method="dialog">
      <button type="submit">
        {en.table.close} <kbd>{en.play.escape}</kbd>
      </button>
    </form>
  </dialog>
);
