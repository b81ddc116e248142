import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { problemOf } from '../api/problem.ts';
import type { Me, Summary } from '../api/shapes.ts';
import { en, fill, named } from '../text/en.ts';
import { problemText } from '../ui/problem-note.tsx';
import styles from '../ui/ui.module.css';
import { usePolled, useRequest } from '../ui/use-request.ts';
import { HomeLink, useOperator, useTokens } from '../ui/visitor.tsx';
import { recordOf } from './record.ts';

const texts = en.again;
/** How often it is looked whether the next game is open, in milliseconds. */
const LOOK_MS = 3_000;

interface Props {
  readonly client: ApiClient;
  readonly me: Me;
  readonly summary: Summary;
}

/** What can follow on a game that is over: another with the same people and minds, and how often one has won. */
export function Again({ client, me, summary }: Props) {
  const { table, rules } = summary;
  const { client: operator, mayOperate } = useOperator();
  const { keep } = useTokens();
  const [, navigate] = useLocation();
  const [hasAsked, setAsked] = useState(false);
  const [refused, setRefused] = useState<ApiProblem>();
  const { value } = usePolled(
    (patience) => client.get('/tables/:table/again', { table }, patience),
    [client, table],
    ({ next }) => (next === undefined ? LOOK_MS : undefined),
  );
  const name = me.role === 'seat' && me.table === table ? summary.players[me.seat!]?.name : undefined;
  const next = value?.next;
  const fail = (error: unknown): void => setRefused(problemOf(error));
  const follow = async (to: string | undefined): Promise<void> => {
    const taken = name === undefined ? { next: to } : await client.post('/tables/:table/again/seat', { table }, {});
    setAsked(true);
    if (taken.next === undefined) return;
    if ('token' in taken && taken.token !== undefined) keep(taken.next, taken.token);
    navigate(`/t/${encodeURIComponent(taken.next)}`);
  };
  const open = async (isShuffled: boolean): Promise<void> =>
    follow((await operator.post('/tables/:table/again', { table }, { isShuffled })).table);
  // Who has asked is there, and goes on by itself; others say so first, lest a game begin with somebody who is away.
  useEffect(() => {
    if (hasAsked && next !== undefined) void follow(next).catch(fail);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the next table is there
  }, [hasAsked, next]);
  const others = value?.asks.filter((each) => each !== name) ?? [];
  const button = (text: string, act: () => Promise<void>) => (
    <button type="button" className={styles['primary']} onClick={() => void act().catch(fail)}>
      {text}
    </button>
  );
  return (
    <section className={styles['again']} aria-label={texts.title}>
      {others.length > 0 && next === undefined && <p role="status">{fill(texts.asked, { names: others.join(', ') })}</p>}
      {hasAsked && next === undefined && <p role="status">{texts.waiting}</p>}
      {refused && <p role="alert">{problemText(refused)}</p>}
      <p className={styles['row']}>
        {next !== undefined &&
          (name !== undefined || mayOperate) &&
          button(name === undefined ? texts.look : texts.sit, () => follow(next))}
        {next === undefined && mayOperate && button(texts.same, () => open(false))}
        {next === undefined && mayOperate && button(texts.shuffled, () => open(true))}
        {next === undefined && !mayOperate && name !== undefined && !hasAsked && button(texts.ask, () => follow(undefined))}
        {mayOperate && <Link href={`/console/open?rules=${encodeURIComponent(rules)}`}>{en.app.open}</Link>}
        <HomeLink />
      </p>
      {name !== undefined && <OwnRecord client={client} name={name} />}
    </section>
  );
}

function OwnRecord({ client, name }: { readonly client: ApiClient; readonly name: string }) {
  const query = { search: name, over: 'true', limit: 1_000 } as const;
  const { value } = useRequest((patience) => client.get('/tables', query, patience), [client, name]);
  const tallies = recordOf(name, value?.tables ?? []);
  if (!tallies.length) return null;
  const parts = tallies.map(({ rules, games, wins }) => fill(texts.tally, { game: named(en.games, rules), wins, count: games }));
  return <p>{fill(texts.record, { name, parts: parts.join(' · ') })}</p>;
}
