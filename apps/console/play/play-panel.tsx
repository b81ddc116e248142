import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { useScene } from '../scene/scene.ts';
import type { TableState } from '../scene/session.ts';
import { en } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { problemText } from '../ui/problem-note.tsx';
import { useCall } from './call/use-call.ts';
import { HAND } from './acts/acts.ts';
import { KeyList } from './keys/key-list.tsx';
import styles from './play.module.css';
import { type Idle, idleOf } from './standing.ts';
import { TaskList } from './task-list.tsx';
import { useActs } from './acts/use-acts.ts';
import { useKeys } from './keys/use-keys.ts';

interface Props {
  readonly client: ApiClient;
  readonly table: string;
  readonly seat: number;
  readonly state: TableState;
  /** Whether what tells the own role is covered. */
  readonly isCovered: boolean;
  toggleCover(): void;
}

/** Where a person plays: the own role, what is asked, and how to answer. */
export function PlayPanel({ client, table, seat, state, isCovered, toggleCover }: Props) {
  const { asked, link, clock, isOver } = state;
  const { isLive } = useScene();
  const { acts, storage } = useActs(client, table, seat, link);
  const leaving = useRef<HTMLDialogElement>(null);
  const keys = useRef<HTMLDialogElement>(null);
  const isMinds = asked?.holder === 'mind';
  const isFrozen = link !== 'live' || clock?.pausedSince !== undefined;
  const hand = (): void => (isMinds ? void acts.hand('person') : leaving.current?.showModal());
  useEffect(() => {
    if (isOver) storage.clear();
  }, [isOver, storage]);
  useCall(state, seat);
  useKeys(({ does }) => {
    if (does === 'role') toggleCover();
    else if (does === 'help') keys.current?.showModal();
    else if (does === 'hand' && !isOver && !isFrozen) hand();
    else return false;
    return true;
  });
  const { refused, sending } = acts.state;
  return (
    <section id="task" className={styles['panel']} aria-label={en.play.title} data-frozen={isFrozen || undefined}>
      <RoleCard brief={asked?.brief ?? ''} isHidden={isCovered} onToggle={toggleCover}>
        {!isOver && asked?.life !== 'Dead' && (
          <button type="button" className={isMinds ? styles['send'] : ''} disabled={isFrozen || sending.has(HAND)} onClick={hand}>
            {isMinds ? en.play.takeBack : en.play.handOver} <kbd>M</kbd>
          </button>
        )}
        <button type="button" className={styles['keys']} onClick={() => keys.current?.showModal()}>
          {en.play.keys} <kbd>?</kbd>
        </button>
      </RoleCard>
      {refused && <Refused problem={refused.problem} onClose={acts.dismiss} />}
      {!isOver && !isMinds && (
        <div className={styles['tasks']}>
          <TaskList {...{ seat, state, acts, storage, isFrozen }} />
        </div>
      )}
      {(isLive || !isOver) && <Standing idle={idleOf(state, seat)} state={state} />}
      <p className={styles['lost']} role="status">
        {link === 'lost' && !isOver && en.play.frozen}
      </p>
      <HandDialog dialog={leaving} onHand={() => void acts.hand('mind')} />
      <KeyList dialog={keys} />
    </section>
  );
}

interface RoleCardProps {
  readonly brief: string;
  readonly isHidden: boolean;
  /** What else stands beside the role. */
  readonly children: ReactNode;
  onToggle(): void;
}

/** The own role, which one key covers for whoever looks over the shoulder. */
const RoleCard = ({ brief, isHidden, children, onToggle }: RoleCardProps) => (
  <div className={styles['role']}>
    <p>{isHidden && brief ? en.play.hidden : brief}</p>
    {brief && (
      <button type="button" aria-pressed={isHidden} onClick={onToggle}>
        {isHidden ? en.play.show : en.play.hide} <kbd>H</kbd>
      </button>
    )}
    {children}
  </div>
);

const Refused = ({ problem, onClose }: { readonly problem: ApiProblem; onClose(): void }) => (
  <p className={styles['refused']} role="alert">
    {problemText(problem)}
    <button type="button" aria-label={en.table.close} onClick={onClose}>
      ×
    </button>
  </p>
);

/** Asks before a mind plays the seat: it acts at once. */
const HandDialog = ({ dialog, onHand }: { readonly dialog: RefObject<HTMLDialogElement | null>; onHand(): void }) => (
  <dialog ref={dialog} className={styles['dialog']} aria-label={en.play.handOver}>
    <p>{en.play.handLead}</p>
    <form method="dialog" className={styles['row']} onSubmit={onHand}>
      <button type="submit" className={styles['send']}>
        {en.play.handOver} <kbd>↵</kbd>
      </button>
      <button type="button" onClick={() => dialog.current?.close()}>
        {en.play.stay} <kbd>{en.play.escape}</kbd>
      </button>
    </form>
  </dialog>
);

/** Why nothing is asked, or how it ended. */
function Standing({ idle, state }: { readonly idle: Idle | undefined; readonly state: TableState }) {
  if (!idle) return null;
  const { names } = state.tape.moments.at(-1)!.after.game;
  return (
    <p className={styles['standing']} role="status" data-state={idle.why}>
      {idle.of !== undefined && (
        <>
          <PlayerName seat={idle.of} name={names[idle.of]} />{' '}
        </>
      )}
      {en.play.idle[idle.why]}
    </p>
  );
}
