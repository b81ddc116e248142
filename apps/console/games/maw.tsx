import { useMemo } from 'react';
import { Option } from '../ui/option.tsx';
import { phaseName } from '../scene/phase-name.ts';
import { useScene } from '../scene/scene.ts';
import { en } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { roundMoments } from '../time/round.ts';
import styles from './games.module.css';
import type { Moment } from '../time/tape.ts';
import { type Ballot, isVote, tally } from '../time/ballot.ts';

/** The votes of every day and night that is over, and whom they killed. */
export function MawDays() {
  const { tape, n, names } = useScene();
  const days = useMemo(() => mawDays(roundMoments(tape.moments, n)), [tape, n]);
  return (
    <section className={`${styles['piece']} ${styles['record']}`} tabIndex={0} data-private aria-label={en.centre.days}>
      {days.length === 0 && <p className={styles['empty']}>{en.centre.noDays}</p>}
      <ol className={styles['days']}>
        {days.map(({ kind, day, votes, dead }) => (
          <li key={`${kind}${day}`} data-kind={kind}>
            <h2>{phaseName({ kind, number: day, round: 0 })}</h2>
            <p>
              {kind === 'day' ? en.centre.executed : en.centre.murdered}:{' '}
              {dead === undefined ? en.table.nobody : <PlayerName seat={dead} name={names[dead]} />}
            </p>
            <ul>
              {votes.map(([option, by]) => (
                <li key={option}>
                  <Option option={option} /> <strong>{by.length}</strong>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A day or night of MAW that is over: how its vote ended and who died. */
interface MawDay {
  readonly kind: 'day' | 'night';
  readonly day: number;
  readonly votes: ReturnType<typeof tally>;
  readonly dead: number | undefined;
}

/** The days and nights of a round so far, in order. */
function mawDays(moments: readonly Moment[]): readonly MawDay[] {
  const days: MawDay[] = [];
  let vote: Ballot | undefined;
  for (const { seen, phase, settled } of moments) {
    const { event } = seen;
    if (settled && isVote(settled)) vote = settled;
    if (event.type === 'executed' || event.type === 'spared' || event.type === 'murdered') {
      const kind = event.type === 'murdered' ? 'night' : 'day';
      const day = kind === 'night' && phase.kind === 'day' ? phase.number - 1 : phase.number;
      const isOwn = vote?.step === (kind === 'day' ? 'vote' : 'hunt');
      days.push({ kind, day, votes: isOwn ? tally(vote!) : [], dead: event.type === 'spared' ? undefined : Number(event['seat']) });
    }
  }
  return days;
}
