import { useMemo } from 'react';
import { Router, useSearchParams } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { Contents } from '../recording/contents.tsx';
import type { Recording } from '../recording/recording.ts';
import { type EyeName, eyeOf, isEyeName } from '../scene/eyes.ts';
import { TableView } from '../table/table-view.tsx';
import { en, fill } from '../text/en.ts';
import { createTape, deriveView, type Tape } from '../time/tape.ts';
import { DialogButton } from '../ui/dialog-button.tsx';
import styles from '../table/page.module.css';

const ENDED = { link: 'live', isOver: true, isCurrent: true, clock: undefined } as const;

/** A recorded game, from its beginning. A file has one address, so the moment is kept in memory. */
export function RecordingPage({ recording }: { readonly recording: Recording }) {
  const { hook, searchHook } = useMemo(() => memoryLocation({ path: '/', searchPath: 'at=1' }), []);
  return (
    <Router hook={hook} searchHook={searchHook}>
      <main className={styles['alone']}>
        <RecordedTable recording={recording} />
      </main>
    </Router>
  );
}

function RecordedTable({ recording: { name, eye: source, made, seen } }: { readonly recording: Recording }) {
  const [params] = useSearchParams();
  const tapeOf = useMemo(() => {
    const tapes = new Map<EyeName, Tape>();
    const tape = createTape();
    for (const each of seen) tape.append(each);
    tapes.set(source, tape);
    return (eye: EyeName): Tape => {
      const known = tapes.get(eye);
      if (known) return known;
      const derived = createTape();
      deriveView(tape, eyeOf(eye), derived, 0);
      tapes.set(eye, derived);
      return derived;
    };
  }, [seen, source]);
  const tape = tapeOf(source);
  const seats = tape.rules!.opening.seats.map((_, seat): EyeName => `seat:${seat}`);
  const eyes: readonly EyeName[] = source === 'narrator' ? ['narrator', 'audience', ...seats] : [source];
  const asked = params.get('as');
  const eye = isEyeName(asked) && eyes.includes(asked) ? asked : source;
  return (
    <TableView
      {...{ eyes, eye, tapeOf }}
      state={ENDED}
      you={undefined}
      hasLinks={false}
      tools={
        <DialogButton label={en.recording.title}>
          <p>
            {fill(en.recording.made, { name, time: new Date(made).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' }) })}
          </p>
          <Contents eye={source} tape={tape} />
        </DialogButton>
      }
    />
  );
}
