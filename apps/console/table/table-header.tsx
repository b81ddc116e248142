import { useRef } from 'react';
import { Link } from 'wouter';
import { type Client, tablePath } from '../api/client.ts';
import type { RuleSetInfo, Summary } from '../api/shapes.ts';
import { en, fill, named } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { useRequest } from '../ui/use-request.ts';
import type { EyeName } from '../scene/eyes.ts';
import { eyeOf } from '../scene/eyes.ts';
import { useScene } from '../scene/scene.ts';
import type { TableState } from '../scene/session.ts';
import styles from './page.module.css';

interface Props {
  readonly client: Client;
  readonly summary: Summary;
  readonly state: TableState;
  readonly eyes: readonly EyeName[];
  readonly eye: EyeName;
  look(eye: EyeName): void;
}

/** What is played, how the connection stands, and through whose eyes the page looks. */
export function TableHeader({ client, summary, state, eyes, eye, look }: Props) {
  const { names, moment } = useScene();
  const { closed } = moment.after.game;
  return (
    <header className={styles['header']}>
      <h1>{named(en.games, summary.rules)}</h1>
      {summary.rounds > 1 && <span>{fill(en.lobby.round, { round: moment.after.game.round, rounds: summary.rounds })}</span>}
      <LinkState state={state} />
      {closed && (
        <span className={styles['won']}>
          {closed.winners.length > 0 && en.table.wonBy}{' '}
          {closed.winners.length
            ? closed.winners.map((seat) => <PlayerName key={seat} seat={seat} name={names[seat]} />)
            : en.lobby.nobodyWon}
        </span>
      )}
      <span className={styles['spring']} />
      {eyes.includes('narrator') && <Link href={`/t/${encodeURIComponent(summary.table)}/inside`}>{en.table.inside}</Link>}
      <RulesDialog client={client} table={summary.table} />
      {eyes.length > 1 && (
        <label className={styles['eye']}>
          {en.table.eye}
          <select value={eye} onChange={({ target }) => look(target.value as EyeName)}>
            {eyes.map((each) => {
              const seat = eyeOf(each);
              return (
                <option key={each} value={each}>
                  {typeof seat === 'number' ? (names[seat] ?? fill(en.open.seat, { number: seat + 1 })) : en.table.eyes[seat]}
                </option>
              );
            })}
          </select>
        </label>
      )}
    </header>
  );
}

function LinkState({ state: { link, isOver, clock } }: { readonly state: TableState }) {
  if (isOver) return null;
  const text = link === 'live' ? (clock?.pausedSince === undefined ? en.table.live : en.table.paused) : en.table[link];
  return (
    <span className={styles['link']} data-link={link} role="status">
      {text}
    </span>
  );
}

function RulesDialog({ client, table }: { readonly client: Client; readonly table: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { value } = useRequest(() => client.get<RuleSetInfo>(tablePath(table, '/rules')), [client, table]);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {en.table.rules}
      </button>
      <dialog ref={dialog} className={styles['rules']} aria-label={en.table.rules}>
        {(value?.text ?? '').split('\n').map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <form method="dialog">
          <button type="submit">{en.table.close}</button>
        </form>
      </dialog>
    </>
  );
}
