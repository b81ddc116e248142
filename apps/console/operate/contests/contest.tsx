import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import { contests as texts } from '../../text/en-contests.ts';
import { fill } from '../../text/en.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { useAction } from '../use-action.ts';
import { Words } from '../words.tsx';
import { Progress, State } from './contest-parts.tsx';
import { ContestReport } from './contest-report.tsx';
import { type ContestView, costOf, faultsOf, isActive, leftInWords, mindOf, shareOf, usedBy } from './standing.ts';
import { usePolled } from '../../ui/use-request.ts';
import styles from '../operate.module.css';

const words = texts.one;
/** How often a contest that runs is read again, in milliseconds. */
const EVERY_MS = 2_000;
const MAX_TABLES = 50;

interface Props {
  readonly client: ApiClient;
  readonly id: string;
  back(): void;
}

/** One contest as it goes on. */
export function ContestPage({ client, id, back }: Props) {
  const { value, problem, reload } = usePolled(
    (patience) => client.get('/contests/:contest', { contest: id }, patience),
    [client, id],
    ({ summary }) => (isActive(summary) ? EVERY_MS : undefined),
  );
  return (
    <section className={styles['tokens']} aria-busy={!value}>
      <div>
        <button type="button" onClick={back}>
          {texts.back}
        </button>
      </div>
      {problem && !value && <ProblemNote problem={problem} retry={reload} />}
      {value && (
        <>
          <Standing view={value} />
          <Acts client={client} view={value} reload={reload} />
          <Ranking view={value} />
          {value.summary.play === 'tables' && isActive(value.summary) && <Tables view={value} />}
          <ContestReport client={client} id={id} />
        </>
      )}
    </section>
  );
}

function Standing({ view }: { readonly view: ContestView }) {
  const { summary, games, void: voids } = view;
  const facts: readonly (readonly [string, string | number])[] = [
    [words.games, games],
    [words.voids, voids],
    [words.left, leftInWords(view)],
    [words.cost, costOf(view)],
    [words.lost, view.lost?.join(' ') ?? ''],
    [words.play, words.plays[summary.play]],
    [words.opened, new Date(summary.opened).toLocaleString('en-GB')],
  ];
  return (
    <>
      <h2>{summary.contest}</h2>
      <p className={styles['controls']}>
        <State summary={summary} />
        <Progress summary={summary} />
      </p>
      <dl className={styles['standing']}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </>
  );
}

/** Stops a contest, or lets it go on as it is. */
function Acts({ client, view, reload }: { readonly client: ApiClient; readonly view: ContestView; reload(): void }) {
  const { contest: id, state } = view.summary;
  const [isStopping, setStopping] = useState(false);
  const [why, setWhy] = useState('');
  const action = useAction();
  const act = async (path: string, send: () => Promise<unknown>): Promise<void> => {
    if (await action.run(path, send)) reload();
    setStopping(false);
  };
  const stop = (event: FormEvent): void => {
    event.preventDefault();
    const body = why.trim() ? { why: why.trim() } : {};
    void act(`/contests/${id}/stop`, () => client.post('/contests/:contest/stop', { contest: id }, body));
  };
  return (
    <>
      {state === 'running' && !isStopping && (
        <p className={styles['controls']}>
          <button type="button" className={styles['danger']} onClick={() => setStopping(true)}>
            {words.stop}
          </button>
        </p>
      )}
      {(state === 'stopped' || state === 'failed') && (
        <p className={styles['controls']}>
          <button
            type="button"
            disabled={action.isBusy}
            onClick={() => void act('/contests', () => client.post('/contests', {}, { id, contest: view.contest }))}
          >
            {words.goOn}
          </button>
        </p>
      )}
      {state === 'running' && isStopping && (
        <form className={styles['form']} onSubmit={stop}>
          <p>{words.stopLead}</p>
          <label>
            {words.why}
            <input value={why} maxLength={200} onChange={({ target }) => setWhy(target.value)} />
          </label>
          <p className={styles['controls']}>
            <button type="submit" className={styles['danger']} disabled={action.isBusy}>
              {words.stopNow}
            </button>
            <button type="button" onClick={() => setStopping(false)}>
              {words.cancel}
            </button>
          </p>
        </form>
      )}
      {action.words?.isRefused && <Words words={action.words} />}
    </>
  );
}

function Ranking({ view }: { readonly view: ContestView }) {
  return (
    <div>
      <h2>{words.ranking}</h2>
      <p className={styles['about']}>{words.rankingAbout}</p>
      <div className={styles['wide']} tabIndex={0} role="region" aria-label={words.ranking}>
        <table>
          <TableHead
            heads={[words.agent, words.won, words.seats, ...(view.usage ? [words.tokens, words.cost] : []), words.faults, words.mind]}
          />
          <tbody>
            {view.ranking.map((row) => (
              <tr key={row.agent}>
                <th scope="row">
                  <bdi>{row.agent}</bdi>
                </th>
                <td className={styles['number']}>{shareOf(row)}</td>
                <td className={styles['number']}>{row.games}</td>
                {usedBy(view, row.agent).map((each, i) => (
                  <td key={i} className={styles['number']}>
                    {each}
                  </td>
                ))}
                <td>{faultsOf(view, row.agent)}</td>
                <td>{mindOf(view, row.agent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Tables({ view: { tables } }: { readonly view: ContestView }) {
  return (
    <div>
      <h2>{words.tables}</h2>
      {tables.length === 0 && <p className={styles['about']}>{words.noTables}</p>}
      {tables.length > 0 && (
        <div className={styles['wide']} tabIndex={0} role="region" aria-label={words.tables}>
          <table>
            <TableHead heads={[words.table, words.pairing, words.attempt, words.begun]} />
            <tbody>
              {tables.slice(0, MAX_TABLES).map(({ number, attempt, table, since }) => (
                <tr key={table}>
                  <th scope="row">
                    <Link href={`/t/${encodeURIComponent(table)}`}>{table}</Link>
                  </th>
                  <td className={styles['number']}>{number}</td>
                  <td className={styles['number']}>{attempt}</td>
                  <td>{new Date(since).toLocaleString('en-GB')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {tables.length > MAX_TABLES && <p className={styles['about']}>{fill(words.moreTables, { count: tables.length - MAX_TABLES })}</p>}
    </div>
  );
}
