import type { Mark } from '@maw/games/kernel/rule-set.ts';
import { en } from '../text/en.ts';
import { useScene } from '../scene/scene.ts';
import styles from './games.module.css';

const SIGNS: { readonly [mark in Mark]: { readonly sign: string; readonly style: string; readonly title?: string } } = {
  leader: { sign: '♛', style: 'crown', title: en.centre.leader },
  team: { sign: '⛨', style: 'shield' },
  lady: { sign: `☾ ${en.centre.lady}`, style: 'lady', title: en.centre.holdsLady },
  condemned: { sign: '⚖', style: 'crown' },
};

/** The signs on a seat that only some games have: the leader and the team, the condemned. */
export function GameMark({ seat }: { readonly seat: number }) {
  const { rules, moment } = useScene();
  const { game: match } = moment.after;
  if (match.stage !== 'round') return null;
  return (rules.set.marks?.(match.game, seat) ?? []).map((mark) => {
    const { sign, style, title } = SIGNS[mark];
    return (
      <span key={mark} className={styles[style]} title={title}>
        {sign}
      </span>
    );
  });
}
