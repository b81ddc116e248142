import { useSearchParams } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { Rank } from '../api/shapes.ts';
import { en, fill, named } from '../text/en.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RulesChoice } from '../ui/rules-choice.tsx';
import { useRequest } from '../ui/use-request.ts';
import styles from './pages.module.css';

const texts = en.leaderboard;

/** How often people, and minds by recipe and model, have won. The rule set is part of the address. */
export function LeaderboardPage({ client }: { readonly client: ApiClient }) {
  const [params, setParams] = useSearchParams();
  const rules = params.get('rules') ?? '';
  return (
    <section className={styles['lobby']}>
      <h1>{texts.title}</h1>
      <p className={styles['lead']}>{texts.lead}</p>
      <div className={styles['filters']}>
        <RulesChoice value={rules} onChange={(value) => setParams(value ? { rules: value } : {}, { replace: true })} />
      </div>
      <Ranks client={client} rules={rules || undefined} />
    </section>
  );
}

function Ranks({ client, rules }: { readonly client: ApiClient; readonly rules: string | undefined }) {
  const { value, problem, reload } = useRequest((patience) => client.get('/leaderboard', { rules }, patience), [client, rules]);
  if (problem) return <ProblemNote problem={problem} retry={reload} />;
  if (!value) return null;
  if (!value.rows.length) return <p className={styles['none']}>{rules === undefined ? texts.empty : texts.none}</p>;
  return (
    <ol className={styles['ranks']}>
      {value.rows.map((row) => (
        <RankCard key={`${row.kind} ${row.agent} ${row.recipe} ${row.model}`} row={row} />
      ))}
    </ol>
  );
}

const percentOf = (share: number): string => `${Math.round(share * 100)} %`;

function RankCard({ row: { kind, agent, recipe, model, share, wins, games, sides } }: { readonly row: Rank }) {
  return (
    <li className={styles['rank']}>
      <h2>{kind === 'person' ? texts.people : (agent ?? recipe ?? en.open.anyRecipe)}</h2>
      {model !== undefined && <span className={styles['model']}>{model}</span>}
      <p className={styles['share']}>
        <strong>{percentOf(share)}</strong> {fill(texts.won, { wins, count: games })}
      </p>
      <div className={styles['measure']} aria-hidden="true">
        <div style={{ inlineSize: `${share * 100}%` }} />
      </div>
      <ul className={styles['facts']}>
        {sides.map((each) => (
          <li key={`${each.rules} ${each.side}`}>
            {fill(texts.side, { game: named(en.games, each.rules), side: named(en.sides, each.side) })}{' '}
            {fill(texts.won, { wins: each.wins, count: each.games })}
          </li>
        ))}
      </ul>
    </li>
  );
}
