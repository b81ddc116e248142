/** What the steps of a day and of a night share. */
import type { Open } from '../kernel/question.ts';
import type { Moment, TableEvent } from '../kernel/rules.ts';
import type { AiwolfOptions } from './options.ts';
import type { RoleCounts } from './role-counts.ts';
import type { Aiwolf, AiwolfEvent } from './state.ts';

export type Events = readonly (AiwolfEvent | TableEvent)[];
export type Some = readonly [string, ...string[]];

/** One moment of the game, with the terms of the game. */
export interface Context extends Moment {
  readonly roleCounts: RoleCounts;
  readonly options: AiwolfOptions;
}

/** The first vote belongs to the phase itself. A revote is a phase of its own, such as `day-1/vote-2`. */
export const phaseOfVote = (phase: string, step: 'vote' | 'attack', round: number): string =>
  round === 1 ? phase : `${phase}/${step}-${round}`;
/** The second whispering of day 0 is a phase of its own, as is that before a revote. */
export const phaseOfWhisper = (day: number, round: number): string =>
  day === 0 && round > 1 ? `night-0/whisper-${round}` : phaseOfVote(`night-${day}`, 'attack', round);
/** The round of the day's or night's vote, or of the whispering on day 0, that a question belongs to, from 1. */
export const roundOf = (id: string): number => Number(/\/(?:vote|attack|whisper)-(\d+)\//.exec(id)?.[1] ?? 1);

/** Which of these options have the most votes, each starting with `base`; none when there are no votes. */
export function mostOf({ answers }: Open, options: readonly string[], base: number): readonly string[] {
  const counts = options.map((option) => answers.reduce((n, { says }) => n + (says[0] === option ? 1 : 0), base));
  const most = Math.max(1, ...counts);
  return options.filter((_, i) => counts[i] === most);
}

/** The least share of a whole night, in milliseconds: in less nobody reads a question and answers it. */
export const LEAST_SHARE_MS = 10_000;

/** How long each step of the night after this day lasts, in milliseconds. A night has a step for each role of the game and each vote it may need. */
export function stepMs(day: number, roleCounts: RoleCounts, { nightMs, wholeNightMs, attackRevotes }: AiwolfOptions): number {
  const attacks = day === 0 ? 0 : roleCounts.bodyguard + 1 + attackRevotes;
  return wholeNightMs ? Math.max(LEAST_SHARE_MS, Math.ceil(wholeNightMs / (roleCounts.seer + attacks))) : nightMs;
}

/** By night a step lasts its full time whoever of its role is alive, unless `hurry`. */
export const settlesFor = ({ options }: Context) => (options.hurry ? ('when-all-answer' as const) : ('by-the-clock' as const));
/** Whether tonight's attack is decided, also if it hits nobody. */
export const isDecided = (s: Aiwolf): boolean => s.attacked.at(-1)?.day === s.day;
