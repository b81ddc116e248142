import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';
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
import { useMoment } from './use-moment.ts';
import frame from '../ui/ui.module.css';
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
  /** Whether a living person plays here: what is asked comes first. */
  readonly isPlaying?: boolean;
  /** What else the header offers. */
  readonly tools: ReactNode;
  /** What stands below the transcript. */
  readonly children?: ReactNode;
  tapeOf(eye: EyeName): Tape;
}

/** A table at the moment that the address names: its end while there is none. */
export function TableView({ state, eyes, eye, you, isCovered = false, isPlaying = false, linkTo, tools, children, tapeOf }: Props) {
  const [params, change] = useAddress();
  const { at, goTo, settle } = useMoment(params.get('at'), (to) => change({ at: to, as: eye }));
  const [isTimeOpen, setTimeOpen] = useState(false);
  const wasOver = useRef<boolean>(undefined); // what is folded stays so when the game ends: nothing jumps
  if (state.isCurrent) wasOver.current ??= state.isOver;
  const tape = tapeOf(eye);
  const count = tape.moments.length;
  if (!count || !state.isCurrent) return <p className={styles['loading']}>{state.link === 'lost' ? en.table.lost : en.table.loading}</p>;
  const isLive = at === undefined;
  const n = Math.min(at ?? count, count);
  const scene = sceneAt(tape, n, isLive);
  const shown = params.get('show') === 'table' ? 'table' : 'talk';
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
        <div
          className={styles['page']}
          data-table
          data-phase={scene.moment.phase.kind}
          data-show={shown}
          data-playing={isPlaying || undefined}
          data-time={!isLive || wasOver.current || isTimeOpen ? 'open' : 'folded'}
        >
          {isPlaying && <SkipToTask />}
          <TableHeader {...{ state, eyes, eye, look }} tools={tools}>
            <ShownChoice shown={shown} onChange={(show) => change({ show: show === 'talk' ? undefined : show })} />
            {isLive && !wasOver.current && (
              <button type="button" className={styles['past']} aria-pressed={isTimeOpen} onClick={() => setTimeOpen(!isTimeOpen)}>
                {en.time.past}
              </button>
            )}
          </TableHeader>
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

/** What the address says, and a function that changes it in place; undefined takes a name out. */
function useAddress() {
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
  return [params, change] as const;
}

/** From the beginning of the page to the line that is typed in, or to the first choice. */
function SkipToTask() {
  const skip = (event: { preventDefault(): void }): void => {
    event.preventDefault(); // the fragment is for tokens
    const find = (what: string) => document.querySelector<HTMLElement>(`section[aria-label='${en.play.title}'] ${what}`);
    (find('textarea[name=speech]') ?? find('fieldset button') ?? find('button'))?.focus();
  };
  return (
    <a className={frame['skip']} href="#task" onClick={skip}>
      {en.app.skipToTask}
    </a>
  );
}

/** On a narrow page: the talk with a strip of seats, or the whole table. */
const ShownChoice = ({ shown, onChange }: { readonly shown: 'talk' | 'table'; onChange(show: 'talk' | 'table'): void }) => (
  <div className={styles['shown']} role="group" aria-label={en.table.show}>
    {(['talk', 'table'] as const).map((each) => (
      <button key={each} type="button" aria-pressed={each === shown} onClick={() => onChange(each)}>
        {en.table.shows[each]}
      </button>
    ))}
  </div>
);

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
