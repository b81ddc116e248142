import { STEPS } from '@maw/games/werewolf-7/night.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import type { Werewolf7 } from '@maw/games/werewolf-7/state.ts';
import { useScene } from '../scene/scene.ts';
import { en, fill } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import styles from './games.module.css';

/** The order of the night, with what the eye knows of each step. */
export function Werewolf7Night() {
  const { moment, names } = useScene();
  const game = moment.after.game.game as Werewolf7;
  if (!game.day) return null;
  const open = moment.after.open.find(({ id }) => id.includes('/night-'));
  const { aims, guarded, warned, saved, poisoned } = game.tonight;
  const inspected = game.inspected.at(-1);
  const found: { readonly [step: string]: number | 'pass' | undefined } = {
    'wolf-1/hunt': aims[0],
    'wolf-2/hunt': aims[1],
    'guard/protect': guarded,
    'witch-1/save': saved,
    'witch-2/poison': poisoned,
    'seer/inspect': inspected?.[0],
  };
  return (
    <section className={styles['piece']} tabIndex={0} data-private>
      <h2>{fill(en.phases.night, { number: game.day })}</h2>
      <ol className={styles['night']}>
        {STEPS.map((step) => {
          const seat = found[step];
          return (
            <li key={step} data-open={open?.id.endsWith(step) || undefined}>
              <span>{en.centre[stepOf(step) as 'hunt']}</span>
              {typeof seat === 'number' ? (
                <PlayerName seat={seat} name={names[seat]} />
              ) : seat === 'pass' ? (
                en.centre.none
              ) : (
                en.centre.unknown
              )}
              {step === 'seer/inspect' && inspected && <em>{inspected[1] ? en.centre.isWolf : en.centre.isHuman}</em>}
              {step === 'witch-1/save' && warned !== undefined && saved === undefined && <PlayerName seat={warned} name={names[warned]} />}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
