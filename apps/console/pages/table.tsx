import { useEffect, useState, useSyncExternalStore } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Client, tablePath } from '../api/client.ts';
import { browserTabs } from '../api/leader.ts';
import type { Me, Summary } from '../api/shapes.ts';
import type { Message } from '../api/table-feed.ts';
import { Centrepiece } from '../games/centrepiece.tsx';
import { PlayPanel } from '../play/play-panel.tsx';
import { type EyeName, eyesFor, isEyeName, sourceEye } from '../scene/eyes.ts';
import { LiveContext } from '../table/phase-clock.tsx';
import { SceneContext, sceneAt } from '../scene/scene.ts';
import { SeatCircle } from '../table/seat-circle.tsx';
import { openSession, type Session, type TableState } from '../scene/session.ts';
import { TableHeader } from '../table/table-header.tsx';
import { TimeBar, type Travel } from '../table/time-bar.tsx';
import { Transcript } from '../table/transcript.tsx';
import { en } from '../text/en.ts';
import { sameMoment } from '../time/marks.ts';
import { copyText } from '../ui/copy-text.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import { useVisitor } from '../ui/visitor.tsx';
import styles from '../table/page.module.css';
import { TokenForm } from './token-form.tsx';

/** One table: live, or at the moment that the address names. `as` is the eye, `at` the moment, `room` the room. */
export function TablePage({ table }: { readonly table: string }) {
  const { client, me, problem, reload } = useVisitor(table);
  const {
    value: summary,
    problem: missing,
    reload: reloadSummary,
  } = useRequest(me && (() => client.get<Summary>(tablePath(table))), [client, table, me]);
  if (problem?.status === 401) return <TokenForm table={table} />;
  const refused = problem ?? missing;
  if (refused) return <ProblemNote problem={refused} retry={problem ? reload : reloadSummary} />;
  if (!me || !summary) return <p className={styles['loading']}>{en.table.loading}</p>;
  return <WatchedTable client={client} me={me} summary={summary} onOver={reloadSummary} />;
}

interface Watched {
  readonly client: Client;
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
  return <OpenTable {...{ client, me, summary, session, eyes, eye, onOver }} />;
}

interface OpenTableProps extends Watched {
  readonly session: Session;
  readonly eyes: readonly EyeName[];
  readonly eye: EyeName;
  onOver(): void;
}

/** Shows the moment that the address names. */
function OpenTable({ client, me, summary, session, eyes, eye, onOver }: OpenTableProps) {
  const [params, setParams] = useSearchParams();
  const state = useSyncExternalStore(session.subscribe, session.get);
  useEffect(() => {
    if (state.isOver && summary.stage !== 'over') onOver();
  }, [state.isOver, summary.stage, onOver]);
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
  if (state.problem) return <ProblemNote problem={state.problem} />;
  const tape = session.tapeOf(eye);
  const count = tape.moments.length;
  if (!count || !state.isCurrent) return <p className={styles['loading']}>{en.table.loading}</p>;
  const at = Number(params.get('at') ?? NaN);
  const n = Number.isSafeInteger(at) && at >= 1 ? Math.min(at, count) : count;
  const isLive = !Number.isSafeInteger(at);
  const look = (next: EyeName): void =>
    change({ as: next, at: isLive || !eyes.includes(next) ? undefined : String(sameMoment(tape, n, session.tapeOf(next))) });
  const travel: Travel = {
    to: (to) => change({ at: to === undefined ? undefined : String(to), as: eye }),
    copyLink() {
      const link = new URL(location.href);
      link.hash = '';
      link.searchParams.set('as', eye);
      link.searchParams.set('at', String(n));
      return copyText(link.href);
    },
  };
  return (
    <TableView
      {...{ client, me, summary: state.summary ?? summary, state, eyes, eye, look, travel }}
      scene={sceneAt(tape, n, isLive)}
      room={params.get('room') ?? undefined}
      onRoom={(room) => change({ room })}
    />
  );
}

interface TableViewProps extends Watched {
  readonly state: TableState;
  readonly eyes: readonly EyeName[];
  readonly eye: EyeName;
  readonly travel: Travel;
  readonly scene: ReturnType<typeof sceneAt>;
  readonly room: string | undefined;
  look(eye: EyeName): void;
  onRoom(room: string | undefined): void;
}

function TableView({ client, me, summary, state, eyes, eye, travel, scene, room, look, onRoom }: TableViewProps) {
  const own = me.role === 'seat' && me.table === summary.table ? me.seat : undefined;
  const onSeat = (seat: number): void => {
    const through: EyeName = `seat:${seat}`;
    if (eyes.includes(through)) look(eye === through && eyes.includes('narrator') ? 'narrator' : through);
  };
  return (
    <LiveContext value={state}>
      <SceneContext value={scene}>
        <div className={styles['page']} data-phase={scene.moment.phase.kind}>
          <TableHeader {...{ client, summary, state, eyes, eye, look }} />
          <div className={styles['stage']}>
            <SeatCircle you={own} onSeat={onSeat} />
            <Centrepiece />
          </div>
          <div className={styles['side']}>
            <Transcript room={room} onRoom={onRoom} onLine={(n) => travel.to(n)} />
            {summary.stage === 'lobby' && summary.free > 0 && (me.role === 'admin' || me.isOpen) && (
              <Link href={`/t/${encodeURIComponent(summary.table)}/invite`} className={styles['invite']}>
                {en.open.invite}
              </Link>
            )}
            {own !== undefined && <PlayPanel client={client} table={summary.table} seat={own} state={state} />}
          </div>
          <TimeBar travel={travel} />
        </div>
      </SceneContext>
    </LiveContext>
  );
}

/** The session of a view; closed when the page leaves it. Undefined until it is open. */
function useSession(client: Client, table: string, source: EyeName): Session | undefined {
  const [tabs] = useState(() => browserTabs<Message>());
  const [session, setSession] = useState<Session>();
  useEffect(() => {
    const opened = openSession({ client, table, source, tabs });
    setSession(opened);
    return () => opened.close();
  }, [client, table, source, tabs]);
  return session?.source === source ? session : undefined;
}
