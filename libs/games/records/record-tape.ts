import { catalogue, ruleSetNamed } from '../catalogue.ts';
import type { Instant, Seat } from '../kernel/question.ts';
import type { RuleSet } from '../kernel/rule-set.ts';
import type { DrawResult } from './fixed-dice.ts';
import type { GameRecord, RecordedAct } from './record.ts';

/** What stands around the tape of a game that was played by itself, without a match around it. */
export interface PlayedGame {
  readonly rules: string;
  readonly options: { readonly [name: string]: unknown };
  readonly players: readonly string[];
  /** What was drawn, as `notedRoll` tells it. */
  readonly drawn: readonly DrawResult[];
  /** When it was dealt, if acts are to have their times. */
  readonly dealtAt?: Instant;
}

/** A played game as a record: its answers, and every draw, so that it replays whatever the dice. @throws Refusal unknown-rules */
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
  const isDealt = ({ step }: DrawResult) => step === 'deal' && !set.readDeal; // else the words of its deal are others than the names of its draws
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
