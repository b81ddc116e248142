import { useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Client } from '../api/client.ts';
import { en, named } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { BeliefView } from './belief-view.tsx';
import { DecisionView } from './decision.tsx';
import { DecisionList } from './decision-list.tsx';
import { actsByDecision, truthsOf } from './links.ts';
import type { Decision } from './thoughts.ts';
import { type TableRecord, useRecord } from './use-record.ts';
import styles from './inside.module.css';

const VIEWS = ['decisions', 'beliefs'] as const;

/** The minds of a table: their decisions, and what they believe. `seat`, `view`, `decision` and `role` stand in the address. */
export function Inside({ client, table }: { readonly client: Client; readonly table: string }) {
  const { record, problem, retry } = useRecord(client, table);
  if (problem && !record) return <ProblemNote problem={problem} retry={retry} />;
  return (
    <div className={styles['page']}>
      <header className={styles['top']}>
        <h1>{en.inside.title}</h1>
        <Link href={`/t/${encodeURIComponent(table)}`}>{en.inside.back}</Link>
      </header>
      {record ? <Minds table={table} record={record} /> : <p role="status">{en.inside.loading}</p>}
    </div>
  );
}

function Minds({ table, record }: { readonly table: string; readonly record: TableRecord }) {
  const { summary, decisions, tape, get } = record;
  const [params, setParams] = useSearchParams();
  const names = summary.players.map(({ name }) => name);
  const seats = useMemo(() => [...new Set(decisions.map(({ seat }) => seat))].sort((a, b) => a - b), [decisions]);
  const given = params.get('seat');
  const seat = given !== null && seats.includes(Number(given)) ? Number(given) : undefined;
  const view = params.get('view') === 'beliefs' ? 'beliefs' : 'decisions';
  const change = (to: { readonly [name: string]: string | undefined }): string => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(to)) if (value === undefined) next.delete(name);
      else next.set(name, value);
    return next.toString();
  };
  const go = (to: Parameters<typeof change>[0]): void => setParams(change(to), { replace: true });
  const own = seat === undefined ? decisions : decisions.filter((decision) => decision.seat === seat);
  const events = tape.moments.length;
  const acts = useMemo(() => actsByDecision(tape.moments.map(({ seen }) => seen)), [tape, events]);
  const truths = useMemo(() => truthsOf(tape.moments.map(({ seen }) => seen)), [tape, events]);
  const decision = decisions.find((one) => one.decision === params.get('decision'));
  if (!decisions.length) return <p className={styles['empty']}>{en.inside.none}</p>;
  return (
    <>
      <div className={styles['bar']}>
        <div className={styles['switch']} role="group" aria-label={en.inside.view}>
          {VIEWS.map((each) => (
            <button key={each} type="button" aria-pressed={each === view} onClick={() => go({ view: each })}>
              {named(en.inside.views, each)}
            </button>
          ))}
        </div>
        <div className={styles['seats']} role="group" aria-label={en.inside.seat}>
          {view === 'decisions' && (
            <button type="button" aria-pressed={seat === undefined} onClick={() => go({ seat: undefined })}>
              {en.inside.everybody}
            </button>
          )}
          {seats.map((each) => (
            <button key={each} type="button" aria-pressed={each === seat} onClick={() => go({ seat: String(each) })}>
              <PlayerName seat={each} name={names[each]} />
            </button>
          ))}
        </div>
      </div>
      {view === 'beliefs' ? (
        seat === undefined ? (
          <p className={styles['empty']}>{en.inside.beliefs.chooseSeat}</p>
        ) : (
          <BeliefView
            {...{ get, seat, names, truths }}
            rules={summary.rules}
            decisions={own}
            role={params.get('role') ?? undefined}
            onRole={(role) => go({ role })}
            linkTo={(id) => `?${change({ view: undefined, decision: id })}`}
          />
        )
      ) : (
        <div className={styles['columns']}>
          <DecisionList decisions={own} chosen={decision?.decision} names={names} onChoose={(one) => go({ decision: one.decision })} />
          {decision ? (
            <DecisionView
              {...{ table, decision, get, tape, names }}
              {...neighbours(decisions, decision)}
              acts={acts.get(decision.decision) ?? []}
              linkTo={(one) => `?${change({ decision: one.decision })}`}
            />
          ) : (
            <p className={styles['empty']}>{en.inside.choose}</p>
          )}
        </div>
      )}
    </>
  );
}

/** The decisions of the seat before and after one. */
function neighbours(decisions: readonly Decision[], { seat, n }: Decision): { readonly before: Decision | undefined; readonly after: Decision | undefined } {
  const own = decisions.filter((one) => one.seat === seat);
  return { before: own.findLast((one) => one.n < n), after: own.find((one) => one.n > n) };
}
