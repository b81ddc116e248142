import { Fragment, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Client } from '../api/client.ts';
import { placeName } from '../inside/place-name.ts';
import { formatTime } from '../scene/clock.ts';
import { en, fill, named } from '../text/en.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import { readTables, type TableClock, type TableRow } from './read-tables.ts';
import { TableDetails } from './table-details.tsx';
import { type Health, healthOf } from './table-health.ts';
import styles from './operate.module.css';

const texts = en.operate.tables;
const EVERY_MS = 10_000;
/** What needs an operator first. */
const ORDER: readonly Health[] = ['stuck', 'paused', 'running', 'lobby', 'over'];

/** The tables and how they go on; those that need somebody first. */
export function TablesPage({ client }: { readonly client: Client }) {
  const [withOver, setWithOver] = useState(false);
  const { value, problem, reload } = useRequest(
    async () => ({ rows: await readTables(client, withOver), at: Date.now() }),
    [client, withOver],
  );
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), EVERY_MS);
    return () => clearInterval(timer);
  }, [reload]);
  if (problem && !value) return <ProblemNote problem={problem} retry={reload} />;
  const rows = value?.rows.toSorted((a, b) => ORDER.indexOf(rowHealth(a)) - ORDER.indexOf(rowHealth(b))) ?? [];
  return (
    <section aria-busy={!value}>
      <div className={styles['controls']}>
        <label>
          {texts.show}{' '}
          <select value={String(withOver)} onChange={({ target }) => setWithOver(target.value === 'true')}>
            <option value="false">{texts.running}</option>
            <option value="true">{texts.all}</option>
          </select>
        </label>
        <button type="button" onClick={reload}>
          {en.operate.refresh}
        </button>
        {value && (
          <span className={styles['about']}>{fill(en.operate.readAt, { time: new Date(value.at).toLocaleTimeString('en-GB') })}</span>
        )}
      </div>
      {value && rows.length === 0 ? (
        <p className={styles['empty']}>{texts.none}</p>
      ) : (
        <TableList rows={rows} client={client} onChange={reload} />
      )}
    </section>
  );
}

interface ListProps {
  readonly rows: readonly TableRow[];
  readonly client: Client;
  onChange(): void;
}

function TableList({ rows, client, onChange }: ListProps) {
  const [chosen, setChosen] = useState<string>();
  return (
    <div className={styles['wide']} tabIndex={0} role="region" aria-label={en.operate.tabs.tables}>
      <table>
        <thead>
          <tr>
            {[texts.table, texts.health, texts.phase, texts.ends, texts.players].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { table } = row.summary;
            const isOpen = table === chosen;
            return (
              <Fragment key={table}>
                <Row row={row} isOpen={isOpen} onOpen={() => setChosen(isOpen ? undefined : table)} />
                {isOpen && (
                  <tr>
                    <td colSpan={6}>
                      <TableDetails key={table} client={client} row={row} health={rowHealth(row)} onChange={onChange} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const rowHealth = ({ summary, clock }: TableRow): Health => healthOf(summary, clock);

function Row({ row, isOpen, onOpen }: { readonly row: TableRow; readonly isOpen: boolean; onOpen(): void }) {
  const { summary, clock } = row;
  const { table, rules, players } = summary;
  const health = rowHealth(row);
  return (
    <tr data-health={health}>
      <th scope="row">
        <Link href={`/t/${encodeURIComponent(table)}`}>{table.length > 13 ? `${table.slice(0, 12)}…` : table}</Link>{' '}
        <small>{named(en.games, rules)}</small>
      </th>
      <td>
        <span className={styles['health']} data-health={health}>
          {texts.healths[health]}
        </span>
      </td>
      <td>{placeName(clock?.phase)}</td>
      <td>{endText(clock)}</td>
      <td className={styles['players']}>
        {players.map(({ seat, name }) => (
          <Fragment key={seat}>
            {seat > 0 && ', '}
            <bdi>{name ?? '…'}</bdi>
          </Fragment>
        ))}
      </td>
      <td>
        <button type="button" aria-expanded={isOpen} onClick={onOpen}>
          {isOpen ? texts.close : texts.details}
        </button>
      </td>
    </tr>
  );
}

function endText(clock: TableClock | undefined): string {
  if (clock?.pausedSince !== undefined) return fill(texts.pausedFor, { time: formatTime(clock.now - clock.pausedSince) });
  if (clock?.until === undefined) return '';
  const ms = clock.until - clock.now;
  return fill(ms >= 0 ? texts.in : texts.late, { time: formatTime(Math.abs(ms)) });
}
