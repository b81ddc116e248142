import type { Voice } from './voice.ts';

/** A seer's result, true or not. */
export interface SeerResult {
  readonly name: string;
  readonly isWolf: boolean;
  readonly isDead: boolean;
}

/** What a seer says about its results; `isAgain`: it has said before that it is the seer. */
export function revealResults(
  results: readonly SeerResult[],
  voice: Voice<'seer' | 'seerAgain' | 'found' | 'cleared' | 'foundDead' | 'clearedDead'>,
  isAgain: boolean,
): string {
  const tell = ({ name, isWolf, isDead }: SeerResult) => voice(`${isWolf ? 'found' : 'cleared'}${isDead ? 'Dead' : ''}`, { name });
  return [voice(isAgain ? 'seerAgain' : 'seer'), ...results.map(tell)].join(' ');
}

/** As many of the sentences as fit, from the first on; undefined when not even that does. */
export function fitSentences(sentences: readonly string[], maxChars: number): string | undefined {
  for (let count = sentences.length; count > 0; count--) {
    const text = sentences.slice(0, count).join(' ');
    if ([...text].length <= maxChars) return text;
  }
  return undefined;
}
