import { useState } from 'react';
import type { Client } from '../api/client.ts';
import type { TableState } from '../scene/session.ts';
import { en } from '../text/en.ts';
import styles from './play.module.css';

interface Props {
  readonly client: Client;
  readonly table: string;
  readonly seat: number;
  readonly state: TableState;
}

/** What the person at a seat knows about itself, which can be hidden from others in the room. */
export function PlayPanel({ state }: Props) {
  const [isHidden, setHidden] = useState(false);
  const brief = state.asked?.brief;
  if (!brief) return null;
  return (
    <section className={styles['panel']} aria-label={en.play.title}>
      <p>
        <strong>{en.play.title}:</strong> <span>{isHidden ? en.play.hidden : brief}</span>
      </p>
      <button type="button" onClick={() => setHidden(!isHidden)}>
        {isHidden ? en.play.show : en.play.hide}
      </button>
    </section>
  );
}
