import { lazy, Suspense, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type ApiClient, randomKey } from '@maw/api-client/client.ts';
import type { Me, Summary } from '../api/shapes.ts';
import { addressForOthers, makeLink, mayShare, momentAddress } from '../links/moment-link.ts';
import { CallSettings } from '../play/call/call-settings.tsx';
import { PlayPanel } from '../play/play-panel.tsx';
import { usePrivacy } from '../play/use-privacy.ts';
import { cachedDecisions } from '../inside/thoughts.ts';
import { type EyeName, eyesFor, isEyeName, mayReadThoughts, sourceEye } from '../scene/eyes.ts';
import { SaveRecording } from '../recording/save-recording.tsx';
import type { Session, TableState } from '../scene/session.ts';
import { TableView } from '../table/table-view.tsx';
import { ReasonContext } from '../table/transcript.tsx';
import { en } from '../text/en.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import { useSession } from '../ui/use-session.ts';
import { useOperator, useVisitor } from '../ui/visitor.tsx';
import styles from '../table/page.module.css';
import { TokenForm } from './token-form.tsx';

/** Loaded when there is somebody to share with, and when a game is over: both hold what a watcher never needs. */
const Share = lazy(async () => ({ default: (await import('../links/share.tsx')).Share }));
const Again = lazy(async () => ({ default: (await import('../again/again.tsx')).Again }));

/** One table: live, or at the moment that the address names. `as` is the eye, `at` the moment, `room` the room. */
export function TablePage({ table }: { readonly table: string }) {
  const { client, me, problem, reload } = useVisitor(table);
  const {
    value: summary,
    problem: missing,
    reload: reloadSummary,
  } = useRequest(me && ((patience) => client.get('/tables/:table', { table }, patience)), [client, table, me]);
  if (problem?.status === 401) return <TokenForm table={table} problem={problem} />;
  const refused = problem ?? (summary ? undefined : missing);
  if (refused) return <ProblemNote problem={refused} retry={problem ? reload : reloadSummary} />;
  if (!me || !summary) return <p className={styles['loading']}>{en.table.loading}</p>;
  return <WatchedTable client={client} me={me} summary={summary} onOver={reloadSummary} />;
}

interface Watched {
  readonly client: ApiClient;
  readonly me: Me;
  readonly summary: Summary;
}

/** Opens the view of the eye that the address names; the server says whether it may be seen. */
function WatchedTable({ client, me, summary, onOver }: Watched & { onOver(): void }) {
  const [params] = useSearchParams();
  const eyes = eyesFor(me, summary);
  const asked = params.get('as');
  const eye: EyeName = isEyeName(asked) ? asked : eyes[0]!;
  const source = eyes.includes(eye) ? sourceEye(eyes, eye) : eye;
  const session = useSession(client, summary.table, source);
  if (!session) return <p className={styles['loading']}>{en.table.loading}</p>;
  return <LiveTable {...{ client, me, summary, session, eyes, eye, onOver }} />;
}

interface LiveTableProps extends Watched {
  readonly session: Session;
  readonly eyes: readonly EyeName[];
  readonly eye: EyeName;
  onOver(): void;
}

/** The table with what only a server can do: the rules, the minds, a seat to play at. */
function LiveTable({ client, me, summary: first, session, eyes, eye, onOver }: LiveTableProps) {
  const state = useSyncExternalStore(session.subscribe, session.get);
  const own = me.role === 'seat' && me.table === first.table ? me.seat : undefined;
  const [isCovered, toggleCover] = usePrivacy(own === undefined || state.isOver);
  useEffect(() => {
    if (state.isOver && first.stage !== 'over') onOver();
  }, [state.isOver, first.stage, onOver]);
  const { table } = first;
  const [linkTo, made] = useMomentLinks({ client, me, session, summary: state.summary ?? first });
  const reason = useReasons(client, table);
  if (state.problem) return <ProblemNote problem={state.problem} retry={session.reopen} />;
  const summary = state.summary ?? first;
  const path = `/t/${encodeURIComponent(table)}`;
  return (
    <ReasonContext value={reason}>
      <TableView
        {...{ state, eyes, eye }}
        tapeOf={session.tapeOf}
        you={own}
        isCovered={isCovered}
        isPlaying={own !== undefined && !state.isOver && state.asked?.life !== 'Dead'}
        {...(mayShare(me, first) && { linkTo })}
        tools={
          <>
            {mayReadThoughts(me, summary) && <Link href={`${path}/inside`}>{en.table.inside}</Link>}
            {mayShare(me, summary) && (
              <Suspense>
                <Share {...{ client, me, summary, made }} />
              </Suspense>
            )}
            {own !== undefined && !state.isOver && <CallSettings />}
            <SaveRecording table={table} eye={eye} tape={session.tapeOf(eye)} />
          </>
        }
      >
        <BelowTalk {...{ client, me, summary, state, eye }} />
        {own !== undefined && <PlayPanel {...{ client, table, state, isCovered, toggleCover }} seat={own} />}
      </TableView>
    </ReasonContext>
  );
}

/** How a moment gets an address that others can open, and how many were made. */
function useMomentLinks({ client, me, session, summary }: Watched & { readonly session: Session }) {
  const [key] = useState(randomKey);
  const [made, setMade] = useState(0);
  const { table } = summary;
  const linkTo = async (eye: EyeName, n: number): Promise<string> => {
    // The link of this page again, or another once it was taken back.
    const { code } = await makeLink(client, table, key).catch(() => makeLink(client, table, randomKey()));
    setMade((count) => count + 1);
    return momentAddress(addressForOthers(me), code!, { summary, eye, n, tape: session.tapeOf(eye) });
  };
  return [linkTo, made] as const;
}

/** Shows why a mind voted as it did. */
function useReasons(client: ApiClient, table: string) {
  const get = useMemo(() => cachedDecisions((query) => client.get('/tables/:table/thoughts', { table, ...query })), [client, table]);
  return useCallback(
    (decision: string, n: number) => (
      <Suspense>
        <VoteReason {...{ get, decision, n }} />
      </Suspense>
    ),
    [get],
  );
}

/** What a table offers besides its talk: inviting before, and what can be told and done afterwards. */
function BelowTalk({ client, me, summary, state, eye }: Watched & { readonly state: TableState; readonly eye: EyeName }) {
  const { mayOperate } = useOperator();
  const { table, stage, free } = summary;
  const path = `/t/${encodeURIComponent(table)}`;
  return (
    <>
      {state.tape.moments.at(-1)?.after.game.stage === 'lobby' && free > 0 && mayOperate && (
        <Link href={`${path}/invite`} className={styles['invite']}>
          {en.open.invite}
        </Link>
      )}
      {stage === 'over' && (
        <Link href={`${path}/story`} className={styles['invite']}>
          {en.table.story}
        </Link>
      )}
      {stage === 'over' && state.isOver && (
        <Suspense>
          <Again {...{ client, me, summary }} />
        </Suspense>
      )}
      {eye === 'narrator' && mayReadThoughts(me, summary) && <Suspicions {...{ client, table }} />}
      {stage === 'over' && mayReadThoughts(me, summary) && <DecisionSums {...{ client, table }} />}
    </>
  );
}

/** Loaded when they are wanted: for those who may look inside minds. */
const VoteReason = lazy(async () => ({ default: (await import('../why/vote-reason.tsx')).VoteReason }));
const SuspicionGrid = lazy(async () => ({ default: (await import('../why/suspicion-grid.tsx')).SuspicionGrid }));

/** Who suspects whom, once somebody asks. */
function Suspicions(props: { readonly client: ApiClient; readonly table: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles['invite']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{en.table.suspicions}</summary>
      <Suspense>{isOpen && <SuspicionGrid {...props} />}</Suspense>
    </details>
  );
}

/** How the decisions of its minds came about, where what they thought may be read. */
function DecisionSums({ client, table }: { readonly client: ApiClient; readonly table: string }) {
  const query = { table, limit: 1, sums: 'true' } as const;
  const { value } = useRequest((patience) => client.get('/tables/:table/thoughts', query, patience), [client, table]);
  return value?.sums?.map((text) => (
    <p key={text} className={styles['invite']}>
      {text}
    </p>
  ));
}
