import type { GameResult } from '../ratings/result.ts';

/** What a seat of a game that orders its players is, where the file does not say: the same for all. */
export const RANKED_SEAT = { role: 'player', side: 'all' } as const;

/** Takes a game that begins at a line of the file. @throws Error when it cannot be rated */
export type AcceptGame = (game: GameResult, line: number) => void;

/** The same text as one value: a file repeats its names a million times. */
export function createInterner(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const same = known.get(text);
    if (same !== undefined) return same;
    known.set(text, text);
    return text;
  };
}
