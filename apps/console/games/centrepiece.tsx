import type { ComponentType } from 'react';
import { useScene } from '../scene/scene.ts';
import { AvalonQuests } from './avalon.tsx';
import { Claims } from './claims.tsx';
import { MawDays } from './maw.tsx';
import { OnuwCards } from './onuw.tsx';
import styles from './games.module.css';
import { Werewolf7Night } from './werewolf-7.tsx';

/** What each game shows of its own below the table, beside what was claimed. */
const CENTREPIECES: { readonly [rules: string]: ComponentType } = {
  'maw': MawDays,
  'avalon': AvalonQuests,
  'onuw': OnuwCards,
  'werewolf-7': Werewolf7Night,
};

export function Centrepiece() {
  const { rules } = useScene();
  const Piece = CENTREPIECES[rules.set.name];
  return (
    <div className={styles['pieces']}>
      {Piece && <Piece />}
      <Claims />
    </div>
  );
}
