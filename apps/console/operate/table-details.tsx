import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { Summary } from '../api/shapes.ts';
import { placeName } from '../inside/place-name.ts';
import { clockAt, formatTime } from '../scene/clock.ts';
import type { ClockReading, Session } from '../scene/session.ts';
import { useNow } from '../table/phase-clock.tsx';
import { en, fill } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import type { Tape } from '../time/tape.ts';
import { TableHead } from '../ui/table-head.tsx';
import { useSession } from '../ui/use-session.ts';
import { ReplaceMind } from './replace-mind.tsx';
import { awaitedOf, type Health, healthOf, seatPlansOf } from './table-health.ts';
import { type Action, useAction } from './use-action.ts';
import { Words } from './words.tsx';
import styles from './operate.module.css';

const texts = en.operate.tables;

type Act = 'pause' | 'resume' | 'abort';

interface Props {
  readonly client: ApiClient;
  readonly summary: Summary;
  readonly health: Health;
}

/** Whom a table waits for, who plays it, and what can be done about it, as it changes. */
export function TableDetails(props: Props) {
  const session = useSession(props.client, props.summary.table, 'narrator');
  return session ? <LiveDetails {...props} session={session} /> : null;
}

function LiveDetails({ client, summary, health: listed, session }: Props & { readonly session: Session }) {
  const { table, players } = summary;
  const { tape, clock, problem, isCurrent } = useSyncExternalStore(session.subscribe, session.get);
  const health = listed === 'unfollowed' ? healthOf(summary, clock, true) : listed;
  const action = useAction();
  const act = async (what: Act, body: { readonly why?: string }): Promise<void> => {
    await action.run(`/tables/${table}/${what}`, () => client.post(`/tables/:table/${what}`, { table }, body));
  };
  if (problem) return <ProblemNote problem={problem} retry={session.reopen} />;
  const names = players.map(({ name }) => name);
  return (
    <div className={styles['details']} aria-busy={!isCurrent}>
      <p className={styles['controls']}>
        <Link href={`/t/${encodeURIComponent(table)}?as=narrator`}>{texts.watch}</Link>
        <Link href={`/t/${encodeURIComponent(table)}/inside`}>{texts.inside}</Link>
        <code>{table}</code>
      </p>
      {isCurrent && health !== 'over' && (
        <>
          <h2>{texts.awaited}</h2>
          {health === 'paused' ? (
            <p className={styles['about']}>{en.table.paused}</p>
          ) : (
            <AwaitedSeats tape={tape} clock={clock} names={names} />
          )}
          <Acts health={health} action={action} act={act} />
        </>
      )}
      {isCurrent && <Seats {...{ client, table, tape, names }} isOver={health === 'over'} />}
    </div>
  );
}

interface AwaitedProps {
  readonly tape: Tape;
  readonly clock: ClockReading | undefined;
  readonly names: readonly (string | undefined)[];
}

function AwaitedSeats({ tape: { moments }, clock, names }: AwaitedProps) {
  const now = useNow(true, 1_000);
  const serverNow = clock ? clockAt(clock, now).now : now;
  const awaited = awaitedOf(
    moments.at(-1)!.after.open,
    moments.map(({ seen }) => seen),
  );
  if (!awaited.length) return <p className={styles['about']}>{texts.nobody}</p>;
  return (
    <ul>
      {awaited.map(({ question, seats, since }) => (
        <li key={question}>
          {seats.map((seat) => (
            <PlayerName key={seat} seat={seat} name={names[seat]} />
          ))}{' '}
          <span className={styles['about']}>
            {fill(texts.since, { question: placeName(question), time: formatTime(Math.max(0, serverNow - since)) })}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface ActsProps {
  readonly health: Health;
  readonly action: Action;
  act(what: Act, body: { readonly why?: string }): Promise<void>;
}

function Acts({ health, action: { isBusy, words }, act }: ActsProps) {
  const [isAborting, setAborting] = useState(false);
  const [why, setWhy] = useState('');
  const abort = (event: FormEvent): void => {
    event.preventDefault();
    void act('abort', why.trim() ? { why: why.trim() } : {});
  };
  return (
    <>
      <p className={styles['controls']}>
        {health === 'paused' ? (
          <button type="button" disabled={isBusy} onClick={() => void act('resume', {})}>
            {texts.resume}
          </button>
        ) : (
          <button type="button" disabled={isBusy} onClick={() => void act('pause', {})}>
            {texts.pause}
          </button>
        )}
        {!isAborting && (
          <button type="button" className={styles['danger']} onClick={() => setAborting(true)}>
            {texts.abort}
          </button>
        )}
      </p>
      {isAborting && (
        <form className={styles['form']} onSubmit={abort}>
          <p>{texts.abortLead}</p>
          <label>
            {texts.why}
            <input value={why} maxLength={200} onChange={({ target }) => setWhy(target.value)} />
          </label>
          <p className={styles['controls']}>
            <button type="submit" className={styles['danger']} disabled={isBusy}>
              {texts.abortNow}
            </button>
            <button type="button" onClick={() => setAborting(false)}>
              {texts.cancel}
            </button>
          </p>
        </form>
      )}
      <Words words={words} />
    </>
  );
}

interface SeatsProps {
  readonly client: ApiClient;
  readonly table: string;
  readonly tape: Tape;
  readonly names: readonly (string | undefined)[];
  readonly isOver: boolean;
}

function Seats({ client, table, tape, names, isOver }: SeatsProps) {
  return (
    <table>
      <TableHead heads={[texts.seat, texts.plays, texts.model]} hasActions />
      <tbody>
        {seatPlansOf(tape).map(({ kind, agent, recipe, parameters, model }, seat) => (
          <tr key={seat}>
            <th scope="row">
              <PlayerName seat={seat} name={names[seat]} />
            </th>
            <td>
              {kind === 'person' ? (agent ?? texts.person) : (recipe ?? texts.mind)}{' '}
              {Object.entries(parameters ?? {}).map(([name, value]) => (
                <code key={name}>{`${name}=${String(value)} `}</code>
              ))}
            </td>
            <td>{kind === 'person' ? '' : model}</td>
            <td>{kind === 'mind' && !isOver && <ReplaceMind client={client} table={table} seat={seat} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
