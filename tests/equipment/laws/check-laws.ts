import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { dealsAgain, replaysFromRecord } from './replay-laws.ts';
import { BrokenLaw } from './broken-law.ts';
import { tellsTheTime } from './clock-law.ts';
import { putsOff } from './delay-law.ts';
import { ends } from './end-law.ts';
import { folds, followsFromViews } from './fold-laws.ts';
import { refuses } from './refusal-law.ts';
import { type Playthrough, playthrough } from './playthrough.ts';
import { keepsTime } from './time-law.ts';
import { settingOf, type Variant } from './variant.ts';

/** The laws of every game. Each check throws BrokenLaw or the original error. */
export const LAWS = {
  ends: { says: 'random legal play ends, with a result that adds up, and changes nothing it is given', check: ends },
  folds: { says: 'folding the tape gives the standing that stepping gave', check: folds },
  views: { says: 'what a seat may choose follows from what it has seen', check: followsFromViews },
  time: { says: 'telling the time early or twice changes nothing, late nothing but times', check: keepsTime },
  delays: { says: 'time given back after an outage puts off every deadline, and changes nothing else for anybody', check: putsOff },
  clock: { says: 'everybody may know when a phase ends at the latest', check: tellsTheTime },
  again: { says: 'the tape and the seed deal the same game again', check: dealsAgain },
  record: { says: 'a record with its draws replays from any seed', check: replaysFromRecord },
  acts: { says: 'illegal acts are refused with a reason, and change nothing', check: refuses },
} as const;
export type Law = keyof typeof LAWS;
export const EVERY_LAW = Object.keys(LAWS) as readonly Law[];

/** The number of events, games and illegal acts tried. */
export interface LawCounts {
  readonly games: number;
  readonly events: number;
  readonly acts: number;
}

/** Every fifth game has two rounds. */
const roundsOf = (n: number): number => (n % 5 === 4 ? 2 : 1);

/** The share of `acts` illegal acts for the `n`th of this many games; the shares add up exactly. */
export const shareOf = (acts: number, games: number, n: number): number =>
  Math.floor((acts * (n + 1)) / games) - Math.floor((acts * n) / games);

/**
 * Plays the `n`th game of a variant and checks the laws on it, with this many illegal acts.
 * @param broken receives each violation, with what is needed to reproduce it
 */
export function checkLaws(
  { set, variant, n, laws = EVERY_LAW, acts }: { set: RuleSet; variant: Variant; n: number; laws?: readonly Law[]; acts: number },
  broken: (law: Law, why: BrokenLaw) => void,
): LawCounts {
  const setting = settingOf(set, variant, n, roundsOf(n));
  const where = `${set.name}, variant ${variant.name}, game ${n}: ${setting.players} players, ${JSON.stringify(setting.options)}`;
  const again = `./maw bench laws --rules ${set.name} --variants ${variant.name} --only ${n}`;
  const tried = <T>(law: Law, run: () => T): T | undefined => {
    try {
      return run();
    } catch (error) {
      const what = error instanceof BrokenLaw ? error.message : error instanceof Error ? error.stack : String(error);
      broken(law, new BrokenLaw(`${LAWS[law].says}: not so in ${where}\n  ${what}\n  again: ${again}`, { cause: error }));
      return undefined;
    }
  };
  const through = tried('ends', (): Playthrough => playthrough(set, setting, n));
  if (!through) return { games: 1, events: 0, acts: 0 };
  for (const law of laws) tried(law, () => LAWS[law].check(through, acts));
  return { games: 1, events: through.table.tape.length, acts: laws.includes('acts') ? acts : 0 };
}
