import { type ReactNode, useRef } from 'react';
import { en } from '../text/en.ts';
import styles from './ui.module.css';

/** A button that opens a dialog; the dialog has a button to close it. @param action what else can be done in it */
export function DialogButton({
  label,
  children,
  action,
}: {
  readonly label: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} className={styles['dialog']} aria-label={label}>
        {children}
        <form method="dialog" className={styles['row']}>
          {action}
          <button type="submit">{en.table.close}</button>
        </form>
      </dialog>
    </>
  );
}
