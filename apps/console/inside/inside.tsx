import { useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import { en } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { BeliefView } from './belief-view.tsx';
import { DecisionView } from './decision.tsx';
import { DecisionList } from './decision-list.tsx';
import { actsByDecision, truthsOf } from './links.ts';
import type { Decision } from './thoughts.ts';
import { type TableRecord, useRecord } from './use-record.ts';
import styles from './inside.module.css';

/** The minds of a table: their decisions, and what they believe. `seat`, `view`, `decision` and `role` stand in the address. */
export function Inside({ client, table }: { readonly client: ApiClient; readonly table: string }) {
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

type Change = { readonly [name: string]: string | undefined };

/** The state of the page, which is in its address. */
function useAddress() {
  const [params, setParams] = useSearchParams();
  const change = (to: Change): string => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(to))
      if (value === undefined) next.delete(name);
      else next.set(name, value);
    return next.toString();
  };
  return {
    params,
    go: (to: Change): void => setParams(change(to), { replace: true }),
    linkTo: (to: Change): string => `?${change(to)}`,
  };
}

type Address = ReturnType<typeof useAddress>;

function Minds({ table, record }: { readonly table: string; readonly record: TableRecord }) {
  const { summary, decisions } = record;
  const address = useAddress();
  const names = summary.players.map(({ name }) => name);
  const seats = useMemo(() => [...new Set(decisions.map(({ seat }) => seat))].sort((a, b) => a - b), [decisions]);
  const given = address.params.get('seat');
  const seat = given !== null && seats.includes(Number(given)) ? Number(given) : undefined;
  const isBeliefs = address.params.get('view') === 'beliefs';
  const own = seat === undefined ? decisions : decisions.filter((decision) => decision.seat === seat);
  if (!decisions.length) return <p className={styles['empty']}>{en.inside.none}</p>;
  const shown = { address, record, names, own };
  return (
    <>
      <Choices {...{ address, seats, seat, names, isBeliefs }} />
      {!isBeliefs && <Decisions {...shown} table={table} />}
      {isBeliefs && seat === undefined && <p className={styles['empty']}>{en.inside.beliefs.chooseSeat}</p>}
      {isBeliefs && seat !== undefined && <Beliefs {...shown} seat={seat} />}
    </>
  );
}

interface ChoicesProps {
  readonly address: Address;
  readonly seats: readonly number[];
  readonly seat: number | undefined;
  readonly names: readonly (string | undefined)[];
  readonly isBeliefs: boolean;
}

/** What is shown, and of whom. */
function Choices({ address: { go }, seats, seat, names, isBeliefs }: ChoicesProps) {
  return (
    <div className={styles['bar']}>
      <div className={styles['switch']} role="group" aria-label={en.inside.view}>
        <button type="button" aria-pressed={!isBeliefs} onClick={() => go({ view: undefined })}>
          {en.inside.views.decisions}
        </button>
        <button type="button" aria-pressed={isBeliefs} onClick={() => go({ view: 'beliefs', seat: String(seat ?? seats[0]) })}>
          {en.inside.views.beliefs}
        </button>
      </div>
      <div className={styles['seats']} role="group" aria-label={en.inside.seat}>
        {!isBeliefs && (
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
  );
}

interface ShownProps {
  readonly address: Address;
  readonly record: TableRecord;
  readonly names: readonly (string | undefined)[];
  /** The decisions of the chosen seat, or all. */
  readonly own: readonly Decision[];
}

function Decisions({ table, address: { params, go, linkTo }, record, names, own }: ShownProps & { readonly table: string }) {
  const { decisions, tape, get } = record;
  const events = tape.moments.length;
  // oxlint-disable-next-line react/exhaustive-deps -- the moments grow in place
  const acts = useMemo(() => actsByDecision(tape.moments.map(({ seen }) => seen)), [tape, events]);
  const wanted = params.get('decision');
  const decision = decisions.find((one) => one.decision === wanted || String(one.n) === wanted);
  return (
    <div className={styles['columns']}>
      <DecisionList
        decisions={own}
        get={get}
        chosen={decision?.decision}
        names={names}
        onChoose={(one) => go({ decision: String(one.n) })}
      />
      {decision ? (
        <DecisionView
          {...{ table, decision, get, tape, names }}
          {...neighbours(decisions, decision)}
          acts={acts.get(decision.decision) ?? []}
          linkTo={(one) => linkTo({ decision: String(one.n) })}
        />
      ) : (
        <p className={styles['empty']}>{en.inside.choose}</p>
      )}
    </div>
  );
}

function Beliefs({ address: { params, go, linkTo }, record, names, own, seat }: ShownProps & { readonly seat: number }) {
  const { summary, tape, get } = record;
  const events = tape.moments.length;
  // oxlint-disable-next-line react/exhaustive-deps -- the moments grow in place
  const truths = useMemo(() => truthsOf(tape.moments.map(({ seen }) => seen)), [tape, events]);
  return (
    <BeliefView
      {...{ get, seat, names, truths }}
      rules={summary.rules}
      decisions={own}
      role={params.get('role') ?? undefined}
      onRole={(role) => go({ role })}
      linkTo={(decision) => linkTo({ view: undefined, decision })}
    />
  );
}

/** The decisions of the seat before and after one. */
function neighbours(
  decisions: readonly Decision[],
  { seat, n }: Decision,
): { readonly before: Decision | undefined; readonly after: Decision | undefined } {
  const own = decisions.filter((one) => one.seat === seat);
  return { before: own.findLast((one) => one.n < n), after: own.find((one) => one.n > n) };
}
