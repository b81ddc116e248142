import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { Centrepiece } from '../games/centrepiece.tsx';
import type { EyeName } from '../scene/eyes.ts';
import { sceneAt, SceneContext, useScene } from '../scene/scene.ts';
import type { TableState } from '../scene/session.ts';
import { en } from '../text/en.ts';
import { sameMoment } from '../time/marks.ts';
import type { Tape } from '../time/tape.ts';
import { copyText } from '../ui/copy-text.ts';
import { LiveContext } from './phase-clock.tsx';
import { SeatCircle } from './seat-circle.tsx';
import { TableHeader } from './table-header.tsx';
import { TimeBar, type Travel } from './time-bar.tsx';
import { Transcript, type TranscriptProps } from './transcript.tsx';
import styles from './page.module.css';

interface Props {
  readonly state: Pick<TableState, 'link' | 'isOver' | 'isCurrent' | 'clock'>;
  readonly eyes: readonly EyeName[];
  readonly eye: EyeName;
  readonly you: number | undefined;
  /** Whether what tells the own role is covered. */
  readonly isCovered?: boolean;
  /** Makes an address of a moment that others can open. Absent: moments have none. */
  readonly linkTo?: (eye: EyeName, n: number) => Promise<string>;
  /** What else the header offers. */
  readonly tools: ReactNode;
  /** What stands below the transcript. */
  readonly children?: ReactNode;
  tapeOf(eye: EyeName): Tape;
}

/** A table at the moment that the address names: its end while there is none. */
export function TableView({ state, eyes, eye, you, isCovered = false, linkTo, tools, children, tapeOf }: Props) {
  const [params, setParams] = useSearchParams();
  const change = (to: { readonly [name: string]: string | undefined }): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(to))
          if (value === undefined) next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const { at, goTo, settle } = useMoment(params.get('at'), (to) => change({ at: to, as: eye }));
  const tape = tapeOf(eye);
  const count = tape.moments.length;
  if (!count || !state.isCurrent) return <p className={styles['loading']}>{state.link === 'lost' ? en.table.lost : en.table.loading}</p>;
  const isLive = at === undefined;
  const n = Math.min(at ?? count, count);
  const scene = sceneAt(tape, n, isLive);
  const look = (next: EyeName): void => {
    settle();
    change({ as: next, at: isLive || !eyes.includes(next) ? undefined : String(sameMoment(tape, n, tapeOf(next))) });
  };
  const travel: Travel = {
    to: goTo,
    ...(linkTo && { copyLink: async () => copyText(await linkTo(eye, n)) }),
  };
  const onSeat = (seat: number): void => {
    const through: EyeName = `seat:${seat}`;
    if (eyes.includes(through)) look(eye === through && eyes.includes('narrator') ? 'narrator' : through);
  };
  return (
    <LiveContext value={state}>
      <SceneContext value={scene}>
        <div className={styles['page']} data-phase={scene.moment.phase.kind}>
          <TableHeader {...{ state, eyes, eye, look }}>{tools}</TableHeader>
          <div className={styles['stage']}>
            <SeatCircle you={you} isCovered={isCovered} onSeat={onSeat} />
            <Centrepiece />
          </div>
          <div className={styles['side']}>
            <LaterTranscript room={params.get('room') ?? undefined} onRoom={(room) => change({ room })} onLine={goTo} />
            {children}
          </div>
          <TimeBar travel={travel} />
        </div>
      </SceneContext>
    </LiveContext>
  );
}

/** The transcript, which may follow the slider a little later: it takes longest to draw. */
function LaterTranscript({ room, onRoom, onLine }: TranscriptProps) {
  const scene = useDeferredValue(useScene());
  return useMemo(
    () => (
      <SceneContext value={scene}>
        <Transcript room={room} onRoom={onRoom} onLine={onLine} />
      </SceneContext>
    ),
    // oxlint-disable-next-line react/exhaustive-deps -- the functions may be new at every rendering, and are the same in effect
    [scene, room],
  );
}

/** The address follows once the moment has rested for so long: browsers refuse more than a hundred writes in ten seconds. */
const REST_MS = 150;

interface MomentShown {
  /** The position, from 1; undefined: now. */
  readonly at: number | undefined;
  goTo(at: number | undefined): void;
  /** Goes back to the moment of the address. */
  settle(): void;
}

/**
 * The moment that the page shows: that of the address, until the person moves on.
 * @param inAddress anything but a position means now
 * @param write puts a moment into the address
 */
function useMoment(inAddress: string | null, write: (at: string | undefined) => void): MomentShown {
  const [moved, setMoved] = useState<{ readonly to: number | undefined }>();
  useEffect(() => {
    if (!moved) return undefined;
    const timer = setTimeout(() => {
      write(moved.to === undefined ? undefined : String(moved.to));
      setMoved(undefined);
    }, REST_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the function is new at every rendering, and the same in effect
  }, [moved]);
  const goTo = useCallback((to: number | undefined) => setMoved({ to }), []);
  const given = Number(inAddress ?? NaN);
  const addressed = Number.isSafeInteger(given) && given >= 1 ? given : undefined;
  return { at: moved ? moved.to : addressed, goTo, settle: () => setMoved(undefined) };
}
