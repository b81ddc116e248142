import { useMemo, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { Me, Summary } from '../api/shapes.ts';
import { suspicionsOf } from '../inside/suspicions.ts';
import { readWhole } from '../inside/thoughts.ts';
import { SaveRecording } from '../recording/save-recording.tsx';
import { eyesFor, mayReadThoughts, sourceEye } from '../scene/eyes.ts';
import type { Session } from '../scene/session.ts';
import { en } from '../text/en.ts';
import { story as texts } from '../text/en-story.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import { Again } from '../again/again.tsx';
import { useSession } from '../ui/use-session.ts';
import { StoryView } from './story-view.tsx';
import styles from './story.module.css';

interface Props {
  readonly client: ApiClient;
  readonly me: Me;
  readonly table: string;
}

/** The story of a table of the server, through the best eye that the visitor has. */
export function TableStory({ client, me, table }: Props) {
  const { value: summary, problem, reload } = useRequest((patience) => client.get('/tables/:table', { table }, patience), [client, table]);
  if (problem && !summary) return <ProblemNote problem={problem} retry={reload} />;
  if (!summary) return <p className={styles['empty']}>{texts.loading}</p>;
  if (summary.stage !== 'over')
    return (
      <p className={styles['empty']}>
        {texts.later} <Link href={`/t/${encodeURIComponent(table)}`}>{texts.back}</Link>
      </p>
    );
  return <ToldTable {...{ client, me, summary }} />;
}

interface ToldProps extends Omit<Props, 'table'> {
  readonly summary: Summary;
}

function ToldTable({ client, me, summary }: ToldProps) {
  const eyes = eyesFor(me, summary);
  const session = useSession(client, summary.table, sourceEye(eyes, eyes[0]!));
  return session ? <Told {...{ client, me, summary, session }} /> : <p className={styles['empty']}>{texts.loading}</p>;
}

function Told({ client, me, summary, session }: ToldProps & { readonly session: Session }) {
  const { table } = summary;
  const state = useSyncExternalStore(session.subscribe, session.get);
  const [, navigate] = useLocation();
  const isNarrator = session.source === 'narrator';
  const mayRead = mayReadThoughts(me, summary);
  const { value: whole, problem } = useRequest(mayRead ? (patience) => readWhole(client, table, patience) : undefined, [client, table]);
  const { tape, isCurrent } = state;
  const suspicions = useMemo(() => whole && isCurrent && suspicionsOf(whole, tape), [whole, tape, isCurrent]);
  if (state.problem) return <ProblemNote problem={state.problem} retry={session.reopen} />;
  if (!isCurrent) return <p className={styles['empty']}>{texts.loading}</p>;
  const path = `/t/${encodeURIComponent(table)}`;
  const goTo = (n: number): void => navigate(`${path}?as=${session.source}&at=${n}`);
  return (
    <>
      <StoryView
        tape={tape}
        suspicions={suspicions || undefined}
        isReading={mayRead && !whole && !problem}
        you={isNarrator && me.role === 'seat' && me.table === table ? me.seat : undefined}
        goTo={goTo}
      >
        <Link href={path}>{texts.back}</Link>
        <Link href={`${path}?as=${session.source}&at=1&play=1`}>{en.recording.play}</Link>
        <SaveRecording table={table} eye={session.source} tape={tape} suspicions={suspicions || undefined} />
      </StoryView>
      <Again {...{ client, me, summary }} />
    </>
  );
}
