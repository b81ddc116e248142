import { teamSize } from '@maw/games/avalon/setup.ts';
import type { Avalon } from '@maw/games/avalon/state.ts';
import { useScene } from '../scene/scene.ts';
import { en, fill } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import styles from './games.module.css';

const QUESTS = [1, 2, 3, 4, 5] as const;

/** The five quests with their cards, and the team that is proposed. */
export function AvalonQuests() {
  const { moment, names } = useScene();
  const game = moment.after.game.game as Avalon;
  if (!game.quest) return null;
  const player = (seat: number) => <PlayerName key={seat} seat={seat} name={names[seat]} />;
  return (
    <section className={styles['piece']} tabIndex={0} aria-label={en.centre.quests}>
      <ol className={styles['quests']}>
        {QUESTS.map((quest) => {
          const done = game.quests.find((each) => each.quest === quest);
          const state = done ? (done.isSuccess ? 'success' : 'fail') : quest === game.quest && !game.ended ? 'now' : 'open';
          return (
            <li key={quest} data-state={state}>
              <strong>{quest}</strong>
              <span>{fill(en.centre[state], { fails: done?.fails ?? 0 })}</span>
              <small>{fill(en.centre.size, { size: teamSize(names.length, quest) })}</small>
              {done && <small className={styles['team']}>{done.team.map(player)}</small>}
            </li>
          );
        })}
      </ol>
      {!game.ended && (
        <p>
          {fill(en.centre.rejected, { proposal: game.proposal })} · {player(game.leader)} {en.centre.leader}
          {game.team.length > 0 && (
            <>
              {' '}
              · {en.centre.team}: {game.team.map((seat, i) => [i > 0 && ', ', player(seat)])}
            </>
          )}
        </p>
      )}
    </section>
  );
}
