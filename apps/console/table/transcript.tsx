import { useVirtualizer } from '@tanstack/react-virtual';
import { createContext, memo, type ReactNode, use, useMemo, useRef } from 'react';
import { Link, useParams } from 'wouter';
import { en, fill, named } from '../text/en.ts';
import { PlayerName, Sentence, seatStyle } from '../ui/player.tsx';
import { type Line, lineOf } from '../scene/lines.ts';
import { type Scene, useScene } from '../scene/scene.ts';
import type { Tape } from '../time/tape.ts';
import { useEnd } from './use-end.ts';
import styles from './transcript.module.css';

/** The lines of a tape; those of moments that were there before are kept. */
function useLines(tape: Tape, n: number): readonly Line[] {
  const cache = useRef({ tape, upTo: 0, lines: [] as Line[] });
  if (cache.current.tape !== tape) cache.current = { tape, upTo: 0, lines: [] };
  const { current } = cache;
  for (; current.upTo < tape.moments.length; current.upTo++) {
    const line = lineOf(tape.rules!, tape.moments[current.upTo]!);
    if (line) current.lines.push(line);
  }
  const count = current.upTo;
  return useMemo(() => (n >= count ? [...current.lines] : current.lines.filter((line) => line.n <= n)), [current, count, n]);
}

export interface TranscriptProps {
  readonly room: string | undefined;
  onRoom(room: string | undefined): void;
  onLine(n: number): void;
}

/** What was said and what happened, in the rooms that the eye may enter, up to the moment. */
export function Transcript({ room, onRoom, onLine }: TranscriptProps) {
  const { tape, n } = useScene();
  const all = useLines(tape, n);
  const rooms = useMemo(
    () => [...new Set(all.flatMap((line) => (line.kind === 'speech' || line.kind === 'whisper' ? (line.room ?? []) : [])))],
    [all],
  );
  const lines = useMemo(() => (room === undefined ? all : all.filter((line) => line.room === room || line.kind === 'phase')), [all, room]);
  return (
    <section className={styles['transcript']} aria-label={en.table.transcript}>
      <div className={styles['rooms']} role="group" aria-label={en.table.transcript}>
        {[undefined, ...rooms].map((each) => (
          <button
            key={each ?? ''}
            type="button"
            aria-pressed={each === room}
            data-private={(each !== undefined && all.some((line) => line.isSecret && line.room === each)) || undefined}
            onClick={() => onRoom(each)}
          >
            {each === undefined ? en.table.everything : named(en.rooms, each)}
          </button>
        ))}
      </div>
      <LineList lines={lines} onLine={onLine} />
    </section>
  );
}

function LineList({ lines, onLine }: { readonly lines: readonly Line[]; onLine(n: number): void }) {
  const { names, tape } = useScene();
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 46,
    overscan: 6,
    useFlushSync: false,
    getItemKey: (i) => lines[i]!.n,
  });
  const { length } = lines;
  const [isAtEnd, toEnd] = useEnd(box, length);
  return (
    <div className={styles['frame']}>
      <div ref={box} className={styles['lines']} tabIndex={0} role="log" aria-label={en.table.transcript}>
        {length === 0 && <p className={styles['empty']}>{en.table.quiet}</p>}
        <div style={{ height: virtual.getTotalSize() }} className={styles['whole']}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles['slot']}
              style={{ transform: `translateY(${start}px)` }}
            >
              <LineView line={lines[index]!} names={names} decision={decisionOf(tape, lines[index]!)} onLine={onLine} />
            </div>
          ))}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className={styles['newest']} onClick={toEnd}>
          {en.table.newest} ↓
        </button>
      )}
    </div>
  );
}

/** What is said of the decision behind a choice, where it may be known; `n` is the number of the event. */
export const ReasonContext = createContext<((decision: string, n: number) => ReactNode) | undefined>(undefined);

/** The decision of the mind that led to a line, where the eye may know it. */
const decisionOf = ({ moments }: Tape, { by, n }: Line): string | undefined =>
  by === undefined ? undefined : moments[n - 1]?.seen.cause?.decision;

const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

interface LineProps {
  readonly line: Line;
  readonly names: Scene['names'];
  readonly decision: string | undefined;
  onLine(n: number): void;
}

/** Drawn anew only when something of it changes: while the slider is dragged, most lines stay. */
const LineView = memo(function LineView({ line, names, decision, onLine }: LineProps) {
  const { table = '' } = useParams<{ readonly table?: string }>();
  const reason = use(ReasonContext);
  const { n, at, kind, by, to, text, parts = [], room, isSecret } = line;
  const time = (
    <span className={styles['links']}>
      {decision !== undefined && (
        <Link href={`/t/${encodeURIComponent(table)}/inside?decision=${encodeURIComponent(decision)}`}>{en.inside.why}</Link>
      )}
      <button type="button" className={styles['time']} onClick={() => onLine(n)} title={en.table.moment}>
        <time dateTime={new Date(at).toISOString()}>{TIME.format(at)}</time>
      </button>
    </span>
  );
  if (kind === 'speech' || kind === 'whisper') {
    return (
      <article className={styles['speech']} data-kind={kind} data-secret={isSecret || undefined} style={seatStyle(by!)}>
        <header>
          <PlayerName seat={by!} name={names[by!]} />
          {kind === 'whisper' && (
            <span className={styles['aside']}>
              {en.table.secretly} <PlayerName seat={to!} name={names[to!]} />
            </span>
          )}
          {isSecret && room !== undefined && kind !== 'whisper' && <span className={styles['aside']}>{named(en.rooms, room)}</span>}
          {time}
        </header>
        {(text !== undefined || parts.length > 0) && <p dir="auto">{parts.length ? <Sentence parts={parts} names={names} /> : text}</p>}
      </article>
    );
  }
  return (
    <p className={styles['told']} data-kind={kind} data-secret={isSecret || undefined}>
      <span>
        {kind === 'refused' ? (
          <>
            <PlayerName seat={by!} name={names[by!]} /> {fill(en.table.refused, {})} {text}
          </>
        ) : (
          <Sentence parts={parts} names={names} />
        )}
        {kind === 'choice' && decision !== undefined && reason?.(decision, n)}
      </span>
      {time}
    </p>
  );
});
