import { type Onuw, type Place, placeOf } from '@maw/games/onuw/state.ts';
import { useScene } from '../scene/scene.ts';
import { en, fill, named } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import styles from './games.module.css';

/** The cards of the centre, and the swaps and looks of the night that the eye knows of. */
export function OnuwCards() {
  const { moment, names } = useScene();
  const { centre, copied, swaps, exchanges, looks } = moment.after.game.game as Onuw;
  const player = (seat: number) => <PlayerName seat={seat} name={names[seat]} />;
  const place = (at: Place) => {
    const { zone, index } = placeOf(at);
    return zone === 'seat' ? player(index) : fill(en.centre.card, { number: index + 1 });
  };
  return (
    <section className={styles['piece']} tabIndex={0} data-private>
      {centre.length > 0 && <h2>{en.centre.cards}</h2>}
      <ol className={styles['cards']}>
        {centre.map((card, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- a card is its place
          <li key={i} data-hidden={card === 'hidden' || undefined}>
            {card === 'hidden' ? '?' : named(en.roles, card)}
          </li>
        ))}
      </ol>
      <h2>{en.centre.swaps}</h2>
      {!copied && swaps.length + exchanges.length + looks.length === 0 && <p>{en.centre.noSwaps}</p>}
      <ul className={styles['swaps']}>
        {copied && (
          <li>
            {player(copied.by)} = {player(copied.of)}: {named(en.roles, copied.card)}
          </li>
        )}
        {swaps.map(({ by, seats: [a, b] }) => (
          <li key={`${by}${a}${b}`}>
            {player(a)} ⇄ {player(b)} <small>{en.centre.swap}</small> {player(by)}
          </li>
        ))}
        {exchanges.map(({ by, at }) => (
          <li key={`${by}${at}`}>
            {player(by)} ⇄ {place(at)}
          </li>
        ))}
        {looks.map(({ by, at, card }) => (
          <li key={`${by}${at}`}>
            {player(by)} → {place(at)}: {named(en.roles, card)}
          </li>
        ))}
      </ul>
    </section>
  );
}
