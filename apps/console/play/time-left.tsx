import { formatTime, timeLeft } from '../scene/clock.ts';
import { useNow } from '../table/phase-clock.tsx';
import { en, fill } from '../text/en.ts';
import styles from './play.module.css';
import type { TaskProps } from './task-props.ts';

/** When the time left is said to be short, in milliseconds. */
const SHORT_MS = 15_000;

/** How long a question is open still. It stands still while the link is dead or the game is paused. */
export function TimeLeft({ until, clock, link }: { readonly until: number } & Pick<TaskProps<unknown>, 'clock' | 'link'>) {
  const isRunning = link === 'live' && clock?.pausedSince === undefined;
  const now = useNow(isRunning);
  const { ms } = timeLeft({ now, readAt: now, ...clock, until }, now)!;
  return (
    <span className={styles['time']} role="timer" data-short={ms < SHORT_MS || undefined} data-frozen={!isRunning || undefined}>
      {fill(en.table.timeLeft, { time: formatTime(ms) })}
    </span>
  );
}
