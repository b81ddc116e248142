import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import type { Roll } from '@maw/games/kernel/dice.ts';
import type { Instant, Seat } from '@maw/games/kernel/question.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { type DrawResult, fixedRoll } from '@maw/games/records/fixed-dice.ts';
import type { GameRecord, RecordedAct } from '@maw/games/records/record.ts';

/** Rolls and notes every draw, so that the game can be recorded. */
export const recordingRoll = (note: (drawn: DrawResult) => void): Roll => fixedRoll(() => undefined, note);

/** The context of a tape of a game played without a match. */
export interface PlayedGame {
  readonly rules: string;
  readonly options: { readonly [name: string]: unknown };
  readonly players: readonly string[];
  /** The draws, as `recordingRoll` reports them. */
  readonly drawn: readonly DrawResult[];
  /** When the game was dealt. Absent: acts get no times. */
  readonly dealtAt?: Instant;
}

/**
 * Converts a played game to a record of its answers and every draw, so that it replays independent of the seed. @throws Refusal
 * unknown-rules
 */
export function recordOfTape(
  tape: readonly { readonly type: string }[],
  { rules, options, players, drawn, dealtAt }: PlayedGame,
  from: readonly RuleSet[] = catalogue,
): GameRecord {
  const acts = tape.flatMap((event): RecordedAct[] => {
    if (event.type !== 'answered') return [];
    const { question, answer, at } = event as unknown as { question: string; answer: { by: Seat; says: readonly string[] }; at: Instant };
    return [{ step: question, seat: answer.by, says: answer.says, ...(dealtAt === undefined ? {} : { at: at - dealtAt }) }];
  });
  const set = ruleSetNamed(rules, from);
  const isDealt = ({ step }: DrawResult) => step === 'deal' && !set.readDeal; // otherwise the deal uses other names than its draws
  return {
    rules,
    version: set.version,
    options,
    players,
    deal: Object.fromEntries(drawn.filter(isDealt).map(({ name, is }) => [name, is])),
    acts,
    draws: drawn.filter((each) => !isDealt(each)).map(({ step, name, is }) => ({ step, name, is })),
  };
}
