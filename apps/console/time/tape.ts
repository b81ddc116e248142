import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { type Game, play, type Position } from '@maw/games/kernel/play.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { match } from '@maw/games/match/match.ts';
import type { Match, Opening } from '@maw/games/match/state.ts';
import type { Seen } from '../api/shapes.ts';
import { type Ballot, settledBallot } from './ballot.ts';
import { firstPhase, type Phase, phaseAfter } from './phase.ts';

/** One event of a view, and how the table stands before and after it. */
export interface Moment {
  readonly seen: Seen;
  readonly before: Position<Match>;
  readonly after: Position<Match>;
  readonly phase: Phase;
  /** The vote that has settled last in this phase. */
  readonly settled: Ballot | undefined;
  /** Who has spoken last in this phase. */
  readonly speaker: number | undefined;
  /** The number of the event in the tape that this view was derived from. */
  readonly source: number;
}

/** The rules of a table, as the page folds with them. */
export interface TableRules {
  readonly set: RuleSet;
  readonly opening: Opening;
  /** Rules of one round. */
  readonly inner: ReturnType<RuleSet['rules']>;
  // oxlint-disable-next-line typescript/no-explicit-any -- state and events are the game's own
  readonly game: Game<any, any>;
}

/** A view with the position after every event, indexed once. It grows at its end. */
export interface Tape {
  readonly moments: readonly Moment[];
  /** Undefined until the first event, which opens the table. */
  readonly rules: TableRules | undefined;
}

export interface GrowingTape extends Tape {
  /** Adds the next event. @throws Refusal unknown-rules, when the page does not know the game */
  append(seen: Seen, source?: number): Moment;
}

/** @throws Refusal unknown-rules, bad-option */
function rulesOf(opening: Opening): TableRules {
  const set = ruleSetNamed(opening.rules);
  const inner = set.rules(opening.seats.length, opening.options);
  return { set, opening, inner, game: play(match(inner)) };
}

export function createTape(): GrowingTape {
  const moments: Moment[] = [];
  let rules: TableRules | undefined;
  return {
    moments,
    get rules() {
      return rules;
    },
    append(seen, source = seen.n) {
      const { event } = seen;
      rules ??= rulesOf(event['opening'] as Opening);
      const last = moments.at(-1);
      const before = last?.after ?? (rules.game.begin() as Position<Match>);
      const moment = {
        seen,
        before,
        after: rules.game.evolve(before, event) as Position<Match>,
        source,
        ...shown(rules, last, before, event),
      };
      moments.push(moment);
      return moment;
    },
  };
}

/** What the page shows besides the position, folded the same way. */
function shown(
  { set }: TableRules,
  last: Moment | undefined,
  before: Position<Match>,
  event: Seen['event'],
): Pick<Moment, 'phase' | 'settled' | 'speaker'> {
  const earlier = last?.phase ?? firstPhase;
  const phase: Phase = set.nightfall?.includes(event.type) ? { ...earlier, kind: 'night' } : phaseAfter(earlier, event);
  const settled = settledBallot(before.open, event) ?? (phase === earlier ? last?.settled : undefined);
  return { phase, settled, speaker: speakerOf(before, event) ?? (phase === earlier && event.type !== 'asked' ? last?.speaker : undefined) };
}

function speakerOf({ open }: Position<Match>, event: Seen['event']): number | undefined {
  if (event.type !== 'answered') return undefined;
  const { question, answer } = event as unknown as { readonly question: string; readonly answer: { readonly by: number } };
  return open.find(({ id }) => id === question)?.verb === 'choose' ? undefined : answer.by;
}

/** The view of another eye, derived from a tape of the narrator up to its end; `into` is continued where it ended. */
export function deriveView(narrator: Tape, eye: Eye, into: GrowingTape, from: number): number {
  const { moments, rules } = narrator;
  for (let i = from; i < moments.length; i++) {
    const { before, seen } = moments[i]!;
    const event = rules!.game.see(before, seen.event, eye) as Seen['event'] | undefined;
    if (event) into.append({ n: into.moments.length + 1, at: seen.at, event }, seen.n);
  }
  return moments.length;
}
