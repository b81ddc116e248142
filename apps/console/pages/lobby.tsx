import { Fragment } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { Stage, Summary } from '../api/shapes.ts';
import type { TableFilter } from '../api/table-list.ts';
import { en, fill, named } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RulesChoice } from '../ui/rules-choice.tsx';
import { useTables } from '../ui/use-tables.ts';
import styles from './pages.module.css';

const STAGES: readonly Stage[] = ['lobby', 'round', 'pause', 'over'];

/** The tables as they change, newest first, with a search and filters, which are part of the address. */
export function LobbyPage({ client }: { readonly client: ApiClient }) {
  const [params, setParams] = useSearchParams();
  const filter: TableFilter = {
    search: params.get('search') ?? undefined,
    rules: params.get('rules') ?? undefined,
    stage: STAGES.find((stage) => stage === params.get('stage')),
  };
  const set = (name: 'search' | 'rules' | 'stage', value: string): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return (
    <section className={styles['lobby']}>
      <h1>{en.lobby.title}</h1>
      <p className={styles['lead']}>{en.lobby.lead}</p>
      <div className={styles['filters']} role="search">
        <input
          type="search"
          placeholder={en.lobby.search}
          aria-label={en.lobby.search}
          value={filter.search ?? ''}
          onChange={({ target }) => set('search', target.value)}
        />
        <RulesChoice value={filter.rules ?? ''} onChange={(rules) => set('rules', rules)} />
        <select aria-label={en.lobby.stage} value={filter.stage ?? ''} onChange={({ target }) => set('stage', target.value)}>
          <option value="">{en.lobby.anyStage}</option>
          {STAGES.map((stage) => (
            <option key={stage} value={stage}>
              {en.stages[stage]}
            </option>
          ))}
        </select>
        <Link href="/console/open" className={styles['open']}>
          {en.app.open}
        </Link>
        <Link href="/console/demo" className={styles['other']}>
          {en.app.demo}
        </Link>
        <Link href="/console/record" className={styles['other']}>
          {en.record.title}
        </Link>
      </div>
      <TableList client={client} filter={filter} />
    </section>
  );
}

function TableList({ client, filter }: { readonly client: ApiClient; readonly filter: TableFilter }) {
  const { tables, problem, refusal, link, hasMore, more, reload } = useTables(client, filter);
  if (problem) return <ProblemNote problem={problem} retry={reload} />;
  if (!tables) return null;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (!tables.length) return <p className={styles['none']}>{isFiltered ? en.lobby.none : en.lobby.empty}</p>;
  return (
    <>
      {refusal && <ProblemNote problem={refusal} retry={reload} />}
      {link === 'lost' && <p role="status">{en.table.lost}</p>}
      <ul className={styles['tables']}>
        {tables.map((summary) => (
          <TableCard key={summary.table} summary={summary} />
        ))}
      </ul>
      {hasMore && (
        <button type="button" onClick={more}>
          {en.lobby.more}
        </button>
      )}
    </>
  );
}

function TableCard({ summary }: { readonly summary: Summary }) {
  const { table, rules, stage, round, rounds, players, free, opened, winners } = summary;
  const at = `/t/${encodeURIComponent(table)}`;
  return (
    <li className={styles['table']} data-stage={stage}>
      <Link href={at} className={styles['cover']}>
        <strong>{named(en.games, rules)}</strong>
        <span className={styles['badge']}>{en.stages[stage]}</span>
        <span className={styles['players']}>
          {players.map(({ seat, name }) => name !== undefined && <PlayerName key={seat} seat={seat} name={name} />)}
        </span>
        <span className={styles['facts']}>
          {rounds > 1 && stage !== 'lobby' && <span>{fill(en.lobby.round, { round, rounds })}</span>}
          {free > 0 && <span>{fill(en.lobby.free, { free, count: free })}</span>}
          {stage === 'over' && winners && (
            <span>
              {winners.length ? en.lobby.won : en.lobby.nobodyWon}
              {winners.map((seat, i) => (
                <Fragment key={seat}>
                  {i ? ', ' : ' '}
                  <PlayerName seat={seat} name={players[seat]?.name} />
                </Fragment>
              ))}
            </span>
          )}
          <time dateTime={new Date(opened).toISOString()}>
            {new Date(opened).toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' })}
          </time>
        </span>
        <span className={styles['go']}>{stage === 'over' ? en.lobby.replay : en.lobby.watch}</span>
      </Link>
      {stage === 'lobby' && free > 0 && (
        <Link href={`${at}/join`} className={styles['join']}>
          {en.lobby.join}
        </Link>
      )}
    </li>
  );
}
