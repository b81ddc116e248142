import { createHash } from 'node:crypto';
import type { Division } from '@maw/aiwolf/server/server-terms.ts';

/** Names of players in the natural-language division. None is the beginning of another, so that a mention names one player. */
const NAMES = [
  'Asuka',
  'Benjiro',
  'Chiharu',
  'Daisuke',
  'Emiko',
  'Fumio',
  'Genta',
  'Hinata',
  'Itsuki',
  'Jiro',
  'Kaede',
  'Minato',
  'Naoki',
  'Ryota',
  'Sakura',
  'Takumi',
  'Yumi',
  'Zenko',
];

/** The names of the players of a set, by seat. They tell nothing of who plays, and are the same whenever they are asked for. */
export function namesOf(set: string, division: Division, players: number): readonly string[] {
  if (division === 'protocol') return Array.from({ length: players }, (_, seat) => `Agent ${String(seat + 1).padStart(2, '0')}`);
  const place = (name: string) => createHash('sha256').update(`${set}/${name}`).digest('hex');
  return NAMES.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)).slice(0, players);
}
