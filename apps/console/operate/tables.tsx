import { Fragment, useState } from 'react';
import { Link } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { Clock, Summary } from '../api/shapes.ts';
import { placeName } from '../inside/place-name.ts';
import { clockAt, formatTime } from '../scene/clock.ts';
import type { ClockReading } from '../scene/session.ts';
import { useNow } from '../table/phase-clock.tsx';
import { en, fill, named } from '../text/en.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TableHead } from '../ui/table-head.tsx';
import { useTables } from '../ui/use-tables.ts';
import { TableDetails } from './table-details.tsx';
import { type Health, healthOf } from './table-health.ts';
import { MAX_TABLES, useClocks } from './use-clocks.ts';
import styles from './operate.module.css';

const texts = en.operate.tables;
/** What needs an operator first. */
const ORDER: readonly Health[] = ['stuck', 'paused', 'unfollowed', 'running', 'lobby', 'over'];

/** The tables and how they go on; those that need somebody first. */
export function TablesPage({ client }: { readonly client: ApiClient }) {
  const [withOver, setWithOver] = useState(false);
  const { tables, problem, refusal, link, hasMore, more, reload } = useTables(client, { over: withOver ? undefined : false }, MAX_TABLES);
  const running = tables?.filter(({ stage }) => stage !== 'over').map(({ table }) => table) ?? [];
  const followed = running.slice(0, MAX_TABLES);
  const { clocks, link: clockLink, problem: clockProblem, reopen } = useClocks(client, followed);
  const now = useNow(clockLink === 'live', 1_000);
  if (problem) return <ProblemNote problem={problem} retry={reload} />;
  const isFollowed = new Set(followed);
  const rows = tables?.map((summary) => rowOf(summary, isFollowed.has(summary.table), clocks.get(summary.table), now)) ?? [];
  return (
    <section aria-busy={!tables}>
      <div className={styles['controls']}>
        <label>
          {texts.show}{' '}
          <select value={String(withOver)} onChange={({ target }) => setWithOver(target.value === 'true')}>
            <option value="false">{texts.running}</option>
            <option value="true">{texts.all}</option>
          </select>
        </label>
        <span role="status" className={styles['refused']}>
          {(link === 'lost' || (running.length > 0 && clockLink === 'lost')) && en.table.lost}
        </span>
      </div>
      {refusal && <ProblemNote problem={refusal} retry={reload} />}
      {clockProblem && <ProblemNote problem={clockProblem} retry={reopen} />}
      {tables && rows.length === 0 ? (
        <p className={styles['empty']}>{texts.none}</p>
      ) : (
        <TableList rows={rows.sort((a, b) => ORDER.indexOf(a.health) - ORDER.indexOf(b.health))} client={client} />
      )}
      {running.length > MAX_TABLES && <p className={styles['about']}>{fill(texts.newest, { count: MAX_TABLES })}</p>}
      {hasMore && (
        <button type="button" onClick={more}>
          {en.lobby.more}
        </button>
      )}
    </section>
  );
}

interface TableRow {
  readonly summary: Summary;
  readonly clock: Clock | undefined;
  readonly health: Health;
}

function rowOf(summary: Summary, isFollowed: boolean, reading: ClockReading | undefined, now: number): TableRow {
  const clock = reading && isFollowed ? clockAt(reading, now) : undefined;
  return { summary, clock, health: healthOf(summary, clock, isFollowed) };
}

function TableList({ rows, client }: { readonly rows: readonly TableRow[]; readonly client: ApiClient }) {
  const [chosen, setChosen] = useState<string>();
  return (
    <div className={styles['wide']} tabIndex={0} role="region" aria-label={en.operate.tabs.tables}>
      <table>
        <TableHead heads={[texts.table, texts.health, texts.phase, texts.ends, texts.players]} hasActions />
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
                      <TableDetails key={table} client={client} summary={row.summary} health={row.health} />
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

function Row({ row, isOpen, onOpen }: { readonly row: TableRow; readonly isOpen: boolean; onOpen(): void }) {
  const { summary, clock, health } = row;
  const { table, rules, players } = summary;
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

function endText(clock: Clock | undefined): string {
  if (clock?.pausedSince !== undefined) return fill(texts.pausedFor, { time: formatTime(clock.now - clock.pausedSince) });
  if (clock?.until === undefined) return '';
  const ms = clock.until - clock.now;
  return fill(ms >= 0 ? texts.in : texts.late, { time: formatTime(Math.abs(ms)) });
}
