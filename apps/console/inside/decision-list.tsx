import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { en, fill } from '../text/en.ts';
import { placeName } from './place-name.ts';
import { PlayerName } from '../ui/player.tsx';
import type { Decision } from './thoughts.ts';
import styles from './inside.module.css';

interface Props {
  readonly decisions: readonly Decision[];
  readonly chosen: string | undefined;
  readonly names: readonly (string | undefined)[];
  onChoose(decision: Decision): void;
}

const ROW_PX = 44;

/** The decisions as a list of any length; the arrow keys go through it. */
export function DecisionList({ decisions, chosen, names, onChoose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const at = decisions.findIndex(({ decision }) => decision === chosen);
  const rows = useVirtualizer({ count: decisions.length, getScrollElement: () => box.current, estimateSize: () => ROW_PX, overscan: 12 });
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: 'auto' });
  }, [at]); // the list itself changes at every scroll
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step === undefined ? undefined : decisions[at + step];
    if (!next) return;
    event.preventDefault();
    onChoose(next);
  };
  return (
    <nav className={styles['list']} aria-label={en.inside.list}>
      <p className={styles['count']}>{fill(en.inside.count, { count: decisions.length })}</p>
      <div ref={box} className={styles['scroll']} onKeyDown={move} tabIndex={-1}>
        <ol className={styles['rows']} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const one = decisions[index]!;
            return (
              <li
                key={one.decision}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={decisions.length}
                aria-posinset={index + 1}
              >
                <button type="button" aria-current={one.decision === chosen} onClick={() => onChoose(one)}>
                  <span className={styles['number']}>{one.n}</span>
                  <PlayerName seat={one.seat} name={names[one.seat]} />
                  <span className={styles['phase']}>{placeName(one.phase)}</span>
                  <span className={styles['about']}>
                    {fill(en.inside.steps, { count: one.steps })} · {seconds(one.ended - one.began)}
                  </span>
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </nav>
  );
}

export const seconds = (ms: number): string => fill(en.inside.lasted, { time: (ms / 1000).toFixed(1) });
