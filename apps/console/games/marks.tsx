import type { Avalon } from '@maw/games/avalon/state.ts';
import type { Werewolf7 } from '@maw/games/werewolf-7/state.ts';
import { en } from '../text/en.ts';
import { useScene } from '../scene/scene.ts';
import styles from './games.module.css';

/** A sign on a seat that only some games have: the leader and the team, the condemned. */
export function GameMark({ seat }: { readonly seat: number }) {
  const { rules, moment } = useScene();
  const { game: match } = moment.after;
  if (match.stage !== 'round') return null;
  if (rules.set.name === 'avalon') {
    const { leader, team, quest } = match.game as Avalon;
    if (!quest) return null;
    return (
      <>
        {leader === seat && (
          <span className={styles['crown']} title={en.centre.leader}>
            ♛
          </span>
        )}
        {team.includes(seat) && (
          <span className={styles['shield']} title={en.centre.team}>
            ⛨
          </span>
        )}
      </>
    );
  }
  return rules.set.name === 'werewolf-7' && (match.game as Werewolf7).condemned === seat ? (
    <span className={styles['crown']}>⚖</span>
  ) : null;
}
