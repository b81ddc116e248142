import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { en, fill } from '../text/en.ts';
import { type Mark, marksOf, nextMark } from '../time/marks.ts';
import { readingMs, type Speed, SPEEDS } from '../time/playback.ts';
import { lineOf, textOfLine } from '../scene/lines.ts';
import { useScene } from '../scene/scene.ts';
import styles from './time-bar.module.css';

export interface Travel {
  /** Goes to a position; undefined: to now. */
  to(n: number | undefined): void;
  /** Absent: moments have no address. */
  copyLink?(): Promise<void>;
}

const JUMPS: readonly Mark['kind'][] = ['phase', 'death', 'end'];

/** Moves through the tape: a slider with marks, steps, and play at the pace of reading. */
export function TimeBar({ travel }: { readonly travel: Travel }) {
  const { tape, n, isLive } = useScene();
  const count = tape.moments.length;
  const marks = useMemo(() => marksOf(tape), [tape, count]);
  const [params] = useSearchParams();
  const [isPlaying, setPlaying] = useState(params.has('play'));
  const [speed, setSpeed] = useState<Speed>(1);
  const [isCopied, setCopied] = useState(false);
  usePlayback(isPlaying, speed, travel, () => setPlaying(false));
  const step = (by: number): void => travel.to(Math.min(count, Math.max(1, n + by)));
  const jump = (direction: 1 | -1): void => travel.to(nextMark(marks, n, direction, JUMPS)?.n ?? (direction > 0 ? undefined : 1));
  const play = (): void => {
    if (!isPlaying && n >= count) travel.to(1);
    setPlaying(!isPlaying);
  };
  useKeys({
    ' ': play,
    'ArrowLeft': () => step(-1),
    'ArrowRight': () => step(1),
    'Shift+ArrowLeft': () => jump(-1),
    'Shift+ArrowRight': () => jump(1),
    'End': () => travel.to(undefined),
    'Home': () => travel.to(1),
  });
  return (
    <section className={styles['bar']} aria-label={en.time.title}>
      <Track marks={marks} travel={travel} />
      <div className={styles['controls']}>
        {button(en.time.previous, '|‹', () => jump(-1))}
        {button(en.time.back, '‹', () => step(-1))}
        {button(isPlaying ? en.time.stop : en.time.play, isPlaying ? '❚❚' : '▶', play)}
        {button(en.time.forward, '›', () => step(1))}
        {button(en.time.next, '›|', () => jump(1))}
        <label className={styles['speed']}>
          <span aria-hidden="true">{en.time.speed}</span>
          <select aria-label={en.time.speed} value={speed} onChange={({ target }) => setSpeed(Number(target.value) as Speed)}>
            {SPEEDS.map((each) => (
              <option key={each} value={each}>{`${each}×`}</option>
            ))}
          </select>
        </label>
        <span className={styles['position']}>{fill(en.time.position, { n, count })}</span>
        {travel.copyLink && (
          <button type="button" onClick={() => void travel.copyLink!().then(() => setCopied(true))}>
            <span className={styles['long']}>{isCopied ? en.time.copied : en.time.link}</span>
            <span className={styles['short']}>{isCopied ? en.time.shortCopied : en.time.shortLink}</span>
          </button>
        )}
        <button type="button" className={styles['now']} aria-pressed={isLive} onClick={() => travel.to(undefined)}>
          {en.time.live}
        </button>
      </div>
    </section>
  );
}

function Track({ marks, travel }: { readonly marks: readonly Mark[]; readonly travel: Travel }) {
  const { tape, n } = useScene();
  const count = tape.moments.length;
  return (
    <div className={styles['track']}>
      <div className={styles['marks']} aria-hidden="true">
        {marks.map((mark) => (
          <i key={`${mark.kind}${mark.n}`} data-kind={mark.kind} style={{ left: `${(100 * (mark.n - 1)) / Math.max(1, count - 1)}%` }} />
        ))}
      </div>
      <input
        type="range"
        min={1}
        max={Math.max(1, count)}
        value={n}
        aria-label={en.time.title}
        aria-valuetext={fill(en.time.position, { n, count })}
        onChange={({ target }) => travel.to(Number(target.value))}
      />
    </div>
  );
}

/** A button with a sign instead of words. */
const button = (label: string, sign: string, onClick: () => void) => (
  <button type="button" aria-label={label} title={`${label} (${en.time.keys})`} onClick={onClick}>
    {sign}
  </button>
);

/** Goes on to the next event once the line that is shown has been read. */
function usePlayback(isPlaying: boolean, speed: Speed, travel: Travel, stop: () => void): void {
  const { tape, n, rules } = useScene();
  const count = tape.moments.length;
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (n >= count) {
      stop();
      return undefined;
    }
    const line = lineOf(rules, tape.moments[n - 1]!);
    const timer = setTimeout(() => travel.to(n + 1), readingMs(line && textOfLine(line), speed));
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the functions are new at every rendering, and the same in effect
  }, [isPlaying, speed, n, count]);
}

/** Keys of the whole page, where nothing is typed and no control takes them. */
function useKeys(keys: { readonly [key: string]: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.altKey || event.metaKey || target.closest('input, textarea, select, button, a, dialog, [role=log]'))
        return;
      const act = keys[`${event.shiftKey ? 'Shift+' : ''}${event.key}`];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}
