import type { Eye } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { LoadedTable } from '../tables/table-cache.ts';

/** The web service may look through every eye, all others only through those of seats that minds play now. @throws Refusal forbidden */
export function requireSeatOfMind({ standing }: LoadedTable['state'], eye: Eye | undefined, sender: string | undefined): void {
  if (sender === 'web' || (typeof eye === 'number' && standing.game.holders[eye] === 'mind')) return;
  throw new Refusal('forbidden', 'no mind plays this seat');
}
