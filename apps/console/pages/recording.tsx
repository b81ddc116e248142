import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { Link, Router, useSearchParams } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import demo from '../demo/game.json' with { type: 'json' };
import { Contents } from '../recording/contents.tsx';
import type { Recording } from '../recording/recording.ts';
import { type EyeName, eyeOf, isEyeName } from '../scene/eyes.ts';
import { TableView } from '../table/table-view.tsx';
import { en, fill } from '../text/en.ts';
import { createTape, deriveView, type Tape } from '../time/tape.ts';
import { DialogButton } from '../ui/dialog-button.tsx';

const ENDED = { link: 'live', isOver: true, isCurrent: true, clock: undefined } as const;

/** The page of a file that holds a recorded game. */
export function RecordingPage({ recording }: { readonly recording: Recording }) {
  const { name, eye, made } = recording;
  const time = new Date(made).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
  return (
    <main>
      <RecordedGame
        recording={recording}
        view="story"
        tools={(_, tapeOf) => (
          <DialogButton label={en.recording.title}>
            <p>{fill(en.recording.made, { name, time })}</p>
            <Contents eye={eye} tape={tapeOf(eye)} />
          </DialogButton>
        )}
      />
    </main>
  );
}

/** A finished game that comes with the page, as its story, for those who have played none yet. */
export const DemoPage = () => (
  <RecordedGame recording={demo as unknown as Recording} view="story" tools={() => <Link href="/">{en.app.lobby}</Link>} />
);

interface Props {
  readonly recording: Recording;
  /** What is shown first; the table, where the game is not over. */
  readonly view?: 'table' | 'story';
  /** What else can be done with the game. @param eye whose view is shown */
  tools(eye: EyeName, tapeOf: (eye: EyeName) => Tape): ReactNode;
}

/** A recorded game, as its story or from its beginning. A file has one address, so the moment is kept in memory. */
export function RecordedGame(props: Props) {
  const { hook, searchHook } = useMemo(() => memoryLocation({ path: '/', searchPath: `at=1&view=${props.view ?? 'table'}` }), []);
  return (
    <Router hook={hook} searchHook={searchHook}>
      <RecordedTable {...props} />
    </Router>
  );
}

/** The file of a game holds it; a page loads it when it is wanted. */
const StoryView = lazy(async () => ({ default: (await import('../story/story-view.tsx')).StoryView }));

function RecordedTable({ recording: { eye: source, seen, suspicions }, tools }: Props) {
  const [params, setParams] = useSearchParams();
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
  const seats = tapeOf(source).rules!.opening.seats.map((_, seat): EyeName => `seat:${seat}`);
  const eyes: readonly EyeName[] = source === 'narrator' ? ['narrator', 'audience', ...seats] : [source];
  const asked = params.get('as');
  const eye = isEyeName(asked) && eyes.includes(asked) ? asked : source;
  const isOver = tapeOf(source).moments.at(-1)?.after.game.closed !== undefined;
  if (isOver && params.get('view') === 'story')
    return (
      <Suspense fallback={<p role="status">{en.table.loading}</p>}>
        <StoryView tape={tapeOf(source)} suspicions={suspicions} goTo={(n) => setParams({ at: String(n) })}>
          <button type="button" onClick={() => setParams({ at: '1', play: '1' })}>
            {en.recording.play}
          </button>
          {tools(eye, tapeOf)}
        </StoryView>
      </Suspense>
    );
  return (
    <TableView
      {...{ eyes, eye, tapeOf }}
      state={ENDED}
      you={undefined}
      tools={
        <>
          {isOver && (
            <button type="button" onClick={() => setParams({ view: 'story' })}>
              {en.table.story}
            </button>
          )}
          {tools(eye, tapeOf)}
        </>
      }
    />
  );
}
