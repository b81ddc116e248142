import type { ComponentType } from 'react';
import { useScene } from '../scene/scene.ts';
import { AiwolfClaims } from './aiwolf.tsx';
import { AvalonQuests } from './avalon.tsx';
import { MawDays } from './maw.tsx';
import { OnuwCards } from './onuw.tsx';
import { Werewolf7Night } from './werewolf-7.tsx';

/** What each game shows of its own below the table. A game without an entry has all that games share. */
const CENTREPIECES: { readonly [rules: string]: ComponentType } = {
  'maw': MawDays,
  'aiwolf': AiwolfClaims,
  'avalon': AvalonQuests,
  'onuw': OnuwCards,
  'werewolf-7': Werewolf7Night,
};

export function Centrepiece() {
  const { rules } = useScene();
  const Piece = CENTREPIECES[rules.set.name];
  return Piece ? <Piece /> : null;
}
