import type { CSSProperties } from 'react';
import { hueOf } from '../scene/circle.ts';
import type { Part } from '../scene/lines.ts';
import styles from './ui.module.css';

export const seatStyle = (seat: number): CSSProperties => ({ '--hue': hueOf(seat) }) as CSSProperties;

/** A player's name, set apart so that a name from right to left cannot turn the sentence around. */
export function PlayerName({ seat, name }: { readonly seat: number; readonly name: string | undefined }) {
  return (
    <bdi className={styles['name']} style={seatStyle(seat)}>
      {name ?? `#${seat + 1}`}
    </bdi>
  );
}

/** A sentence of the rules, its players as names. */
export function Sentence({ parts, names }: { readonly parts: readonly Part[]; readonly names: readonly (string | undefined)[] }) {
  return parts.map((part, i) => (typeof part === 'string' ? part : <PlayerName key={i} seat={part.seat} name={names[part.seat]} />));
}
