import { createContext, use, useEffect, useState } from 'react';
import { en, fill } from '../text/en.ts';
import { formatTime, timeLeft, timeLeftAt } from '../scene/clock.ts';
import { useScene } from '../scene/scene.ts';
import type { TableState } from '../scene/session.ts';
import styles from './circle.module.css';

/** The state of the live table, for clocks and controls. */
export const LiveContext = createContext<Pick<TableState, 'link' | 'isOver' | 'clock'> | undefined>(undefined);

/** The time left of the phase. It stands still while the connection is lost: the page does not know any more. */
export function PhaseClock() {
  const { moment, isLive } = useScene();
  const live = use(LiveContext);
  const isRunning = isLive && live?.link === 'live' && live.clock?.pausedSince === undefined;
  const now = useNow(isRunning);
  const left = isLive && live?.isOver ? undefined : isLive ? (timeLeft(live?.clock, now) ?? timeLeftAt(moment)) : timeLeftAt(moment);
  if (!left) return null;
  const text = formatTime(left.ms);
  return (
    <p
      className={styles['clock']}
      role="timer"
      data-running={(isRunning && left.isRunning) || undefined}
      data-short={left.ms < 15_000 || undefined}
    >
      <span aria-hidden="true">{text}</span>
      <span className={styles['hidden']}>{fill(en.table.timeLeft, { time: text })}</span>
    </p>
  );
}

/** The time of this machine, read again every `everyMs` while it runs. */
export function useNow(isRunning: boolean, everyMs = 250): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [isRunning, everyMs]);
  return now;
}
