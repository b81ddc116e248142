import { useMemo } from 'react';
import { teamSize } from '@maw/games/avalon/setup.ts';
import type { Avalon, Vote } from '@maw/games/avalon/state.ts';
import { useScene } from '../scene/scene.ts';
import { en, fill } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { roundMoments } from '../time/round.ts';
import styles from './games.module.css';

const QUESTS = [1, 2, 3, 4, 5] as const;

/** The five quests with their cards, and the team that is proposed. */
export function AvalonQuests() {
  const { moment, names } = useScene();
  const game = moment.after.game.game as Avalon;
  if (!game.quest) return null;
  const player = (seat: number) => <PlayerName key={seat} seat={seat} name={names[seat]} />;
  return (
    <>
      <section className={styles['piece']} tabIndex={0} aria-label={en.centre.quests}>
        <ol className={styles['quests']}>
          {QUESTS.map((quest) => {
            const done = game.quests.find((each) => each.quest === quest);
            const state = done ? (done.isSuccess ? 'success' : 'fail') : game.ended ? 'unplayed' : quest === game.quest ? 'now' : 'open';
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
      <Ballots />
    </>
  );
}

/** Who was for and against every team so far: a row by player, a column by proposal, the team in another shade. */
function Ballots() {
  const { tape, n, names } = useScene();
  const votes = useMemo(
    () => roundMoments(tape.moments, n).flatMap(({ seen: { event } }) => (event.type === 'voted' ? [event as unknown as Vote] : [])),
    [tape, n],
  );
  if (!votes.length) return null;
  return (
    <section className={`${styles['piece']} ${styles['ballots']}`} tabIndex={0} aria-label={en.board.votes}>
      <table>
        <thead>
          <tr>
            <td />
            {votes.map(({ quest, proposal }) => (
              <th key={`${quest}.${proposal}`} scope="col">
                {quest}.{proposal}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name, seat) => (
            // oxlint-disable-next-line react/no-array-index-key -- a player is its seat
            <tr key={seat}>
              <th scope="row">
                <PlayerName seat={seat} name={name} />
              </th>
              {votes.map(({ quest, proposal, team, approve }) => (
                <td key={`${quest}.${proposal}`} data-team={team.includes(seat) || undefined}>
                  {approve.includes(seat) ? '✓' : '✗'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
