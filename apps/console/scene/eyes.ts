import type { Eye } from '@maw/games/kernel/question.ts';
import type { Me, Summary } from '../api/shapes.ts';

/** An eye as requests and addresses name it. */
export type EyeName = 'narrator' | 'audience' | `seat:${number}`;

export const eyeOf = (name: EyeName): Eye => (name === 'narrator' || name === 'audience' ? name : Number(name.slice('seat:'.length)));

export const isEyeName = (text: string | null): text is EyeName => text !== null && /^(narrator|audience|seat:\d{1,2})$/.test(text);

/** The eyes that a bearer may look through at a table, the usual one first. The server decides; this only saves refused requests. */
export function eyesFor(me: Me, { table, players, stage, spectators, afterwards }: Summary): readonly EyeName[] {
  const seats = players.map(({ seat }): EyeName => `seat:${seat}`);
  const all: readonly EyeName[] = ['narrator', 'audience', ...seats];
  const isOver = stage === 'over';
  if (me.role === 'admin') return all;
  if (isOver && afterwards === 'everybody') return all;
  const isHere = me.table === table;
  if (me.role === 'seat' && isHere) {
    const own: EyeName = `seat:${me.seat!}`;
    return isOver && afterwards === 'seats' ? [own, ...all.filter((eye) => eye !== own)] : [own];
  }
  if (me.role === 'spectator' && isHere && me.view === 'narrator' && spectators === 'narrator') return all;
  return ['audience'];
}

/** Whether a bearer may read what minds thought, as the server will decide. */
export const seesThoughts = (me: Me, summary: Summary): boolean =>
  me.role === 'admin' ||
  (eyesFor(me, summary).includes('narrator') && (summary.insight === 'live' || (summary.insight === 'after' && summary.stage === 'over')));

/** The eye to ask the server for: the narrator's view holds all others. */
export const sourceEye = (eyes: readonly EyeName[], eye: EyeName): EyeName => (eyes.includes('narrator') ? 'narrator' : eye);
