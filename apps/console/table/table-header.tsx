import type { ReactNode } from 'react';
import { en, fill, named } from '../text/en.ts';
import { DialogButton } from '../ui/dialog-button.tsx';
import { PlayerName } from '../ui/player.tsx';
import type { EyeName } from '../scene/eyes.ts';
import { eyeOf } from '../scene/eyes.ts';
import { useScene } from '../scene/scene.ts';
import type { TableState } from '../scene/session.ts';
import styles from './page.module.css';

interface Props {
  readonly state: Pick<TableState, 'link' | 'isOver' | 'clock'>;
  readonly eyes: readonly EyeName[];
  readonly eye: EyeName;
  /** What is shown of the table. */
  readonly children: ReactNode;
  /** What else can be done with it. */
  readonly tools: ReactNode;
  look(eye: EyeName): void;
}

/** What is played, how the connection stands, and through whose eyes the page looks. */
export function TableHeader({ state, eyes, eye, children, tools, look }: Props) {
  const { names, moment, rules } = useScene();
  const { rounds } = rules.opening;
  const { closed } = moment.after.game;
  return (
    <header className={styles['header']}>
      <h1>{named(en.games, rules.set.name)}</h1>
      {rounds > 1 && <span>{fill(en.lobby.round, { round: moment.after.game.round, rounds })}</span>}
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
      {children}
      <div className={styles['tools']}>
        {tools}
        <RulesDialog />
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
      </div>
    </header>
  );
}

function LinkState({ state: { link, isOver, clock } }: { readonly state: Props['state'] }) {
  if (isOver) return null;
  const text = link === 'live' ? (clock?.pausedSince === undefined ? en.table.live : en.table.paused) : en.table[link];
  return (
    <span className={styles['link']} data-link={link} role="status">
      {text}
    </span>
  );
}

function RulesDialog() {
  const {
    opening: { seats, options },
    set: { text },
  } = useScene().rules;
  const paragraphs = (typeof text === 'string' ? text : text(seats.length, options)).split('\n');
  return (
    <DialogButton label={en.table.rules}>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </DialogButton>
  );
}
