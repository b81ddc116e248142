import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { type Client, tablePath } from '../api/client.ts';
import { placeName } from '../inside/place-name.ts';
import { formatTime } from '../scene/clock.ts';
import { en, fill } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import { readTape, seatPlansOf, type TableRow } from './read-tables.ts';
import { ReplaceMind } from './replace-mind.tsx';
import { awaitedOf, type Health } from './table-health.ts';
import { type Action, useAction } from './use-action.ts';
import { Words } from './words.tsx';
import styles from './operate.module.css';

const texts = en.operate.tables;

interface Props {
  readonly client: Client;
  readonly row: TableRow;
  readonly health: Health;
  /** Called when the table has been changed. */
  onChange(): void;
}

/** Whom a table waits for, who plays it, and what can be done about it. */
export function TableDetails({ client, row: { summary, clock }, health, onChange }: Props) {
  const { table, players } = summary;
  const { value: tape, problem, reload } = useRequest(() => readTape(client, table), [client, table, clock?.now]);
  const action = useAction();
  const act = async (path: string, body: object): Promise<void> => {
    await action.run(tablePath(table, path), (address) => client.post(address, body));
    onChange();
    reload();
  };
  if (problem && !tape) return <ProblemNote problem={problem} retry={reload} />;
  const names = players.map(({ name }) => name);
  const now = clock?.now ?? Date.now();
  const awaited = tape?.moments.length
    ? awaitedOf(
        tape.moments.at(-1)!.after.open,
        tape.moments.map(({ seen }) => seen),
      )
    : [];
  return (
    <div className={styles['details']} aria-busy={!tape}>
      <p className={styles['controls']}>
        <Link href={`/t/${encodeURIComponent(table)}?as=narrator`}>{texts.watch}</Link>
        <Link href={`/t/${encodeURIComponent(table)}/inside`}>{texts.inside}</Link>
        <code>{table}</code>
      </p>
      {tape && health !== 'over' && (
        <>
          <h2>{texts.awaited}</h2>
          {health === 'paused' && <p className={styles['about']}>{en.table.paused}</p>}
          {health !== 'paused' && awaited.length === 0 && <p className={styles['about']}>{texts.nobody}</p>}
          <ul>
            {awaited.map(({ question, seats, since }) => (
              <li key={question}>
                {seats.map((seat) => (
                  <PlayerName key={seat} seat={seat} name={names[seat]} />
                ))}{' '}
                <span className={styles['about']}>
                  {fill(texts.since, { question: placeName(question), time: formatTime(Math.max(0, now - since)) })}
                </span>
              </li>
            ))}
          </ul>
          <Acts health={health} action={action} act={act} />
        </>
      )}
      {tape && <Seats {...{ client, table, tape, names }} isOver={health === 'over'} onChange={reload} />}
    </div>
  );
}

interface ActsProps {
  readonly health: Health;
  readonly action: Action;
  act(path: string, body: object): Promise<void>;
}

function Acts({ health, action: { isBusy, words }, act }: ActsProps) {
  const [isAborting, setAborting] = useState(false);
  const [why, setWhy] = useState('');
  const abort = (event: FormEvent): void => {
    event.preventDefault();
    void act('/abort', why.trim() ? { why: why.trim() } : {});
  };
  return (
    <>
      <p className={styles['controls']}>
        {health === 'paused' ? (
          <button type="button" disabled={isBusy} onClick={() => void act('/resume', {})}>
            {texts.resume}
          </button>
        ) : (
          <button type="button" disabled={isBusy} onClick={() => void act('/pause', {})}>
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
  readonly client: Client;
  readonly table: string;
  readonly tape: Parameters<typeof seatPlansOf>[0];
  readonly names: readonly (string | undefined)[];
  readonly isOver: boolean;
  onChange(): void;
}

function Seats({ client, table, tape, names, isOver, onChange }: SeatsProps) {
  return (
    <table>
      <thead>
        <tr>
          {[texts.seat, texts.plays, texts.model].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {seatPlansOf(tape).map(({ kind, recipe, parameters, model }, seat) => (
          <tr key={seat}>
            <th scope="row">
              <PlayerName seat={seat} name={names[seat]} />
            </th>
            <td>
              {kind === 'person' ? texts.person : (recipe ?? texts.mind)}{' '}
              {Object.entries(parameters ?? {}).map(([name, value]) => (
                <code key={name}>{`${name}=${String(value)} `}</code>
              ))}
            </td>
            <td>{kind === 'person' ? '' : model}</td>
            <td>{kind === 'mind' && !isOver && <ReplaceMind client={client} table={table} seat={seat} onChange={onChange} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
