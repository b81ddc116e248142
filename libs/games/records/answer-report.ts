import type { Game, Position } from '../kernel/play.ts';
import { type Answer, isSettled, type Open, optionsFor, type Seat, stepOf } from '../kernel/question.ts';
import type { AnyRules, RecordKeys, RuleSet } from '../kernel/rule-set.ts';
import type { TapeEvent } from './timeline.ts';

/** An answer that counted. `defaulted`: the default of a silent seat. */
interface CountedAnswer {
  readonly seat: Seat;
  readonly says: readonly string[];
  readonly defaulted?: true;
}

/** A settled choice: who chose what, and the number of votes per option, in option order. */
export interface Vote {
  readonly step: string;
  readonly answers: readonly CountedAnswer[];
  readonly tally: { readonly [option: string]: number };
}

/** A seat whose answer was missing when a question settled, and its default; empty: none. */
export interface MissingAnswer {
  readonly step: string;
  readonly seat: Seat;
  readonly says: readonly string[];
}

interface AnswerReport {
  readonly votes: readonly Vote[];
  readonly defaulted: readonly MissingAnswer[];
  /** Where seats that had to choose did not, by step. */
  readonly silent: readonly { readonly step: string; readonly seats: readonly Seat[] }[];
}

/** Reports from a bare tape what was chosen and who was silent. Talk is not a choice: silent seats merely listen. */
export function reportAnswers(game: Game<unknown, TapeEvent>, { record, halves }: RuleSet, tape: readonly TapeEvent[]): AnswerReport {
  const { rules } = game;
  const votes: Vote[] = [];
  const defaulted: MissingAnswer[] = [];
  const silent: { step: string; seats: readonly Seat[] }[] = [];
  let at: Position<unknown> = game.begin();
  for (const e of tape) {
    const q = e.type === 'settled' ? at.open.find(({ id }) => id === e['question']) : undefined;
    if (q) {
      const counted = (e['defaulted'] as readonly Answer[] | undefined) ?? [];
      const quiet = isAwaited(q, record) ? q.of.filter((seat) => isSilent(rules, at.game, q, seat)) : [];
      if (q.verb === 'choose' && (q.answers.length || counted.length))
        votes.push(voteOf(q, counted, (seat) => halves?.(at.game, seat, stepOf(q.id)) ?? 2));
      for (const { by, says } of counted) defaulted.push({ step: q.id, seat: by, says });
      for (const seat of quiet) if (!counted.some(({ by }) => by === seat)) defaulted.push({ step: q.id, seat, says: [] });
      if (quiet.length) silent.push({ step: q.id, seats: quiet });
    }
    at = game.evolve(at, e);
  }
  return { votes, defaulted, silent };
}

/** Whether the question needed an answer of every seat: not when votes had settled it before its deadline, or the act is optional. */
const isAwaited = (q: Open, { optional = [] }: RecordKeys): boolean =>
  q.verb === 'choose' && !optional.includes(stepOf(q.id)) && (q.settles === 'when-all-answer' || !isSettled(q, q.until));

/** Whether a seat could have answered and did not. The dead cannot, nor seats without options. */
function isSilent(rules: AnyRules, state: unknown, q: Open, seat: Seat): boolean {
  if (q.answers.some(({ by }) => by === seat) || rules.out(state).includes(seat)) return false;
  const options = rules.narrow?.(state, q, seat) ?? q.options;
  return optionsFor({ ...q, options }, seat).length >= q.pick;
}

function voteOf(q: Open, counted: readonly Answer[], halves: (seat: Seat) => number): Vote {
  const answers: CountedAnswer[] = [
    ...q.answers.map(({ by, says }) => ({ seat: by, says })),
    ...counted.map(({ by, says }) => ({ seat: by, says, defaulted: true as const })),
  ];
  const counts = new Map<string, number>();
  for (const { seat, says } of answers) for (const option of says) counts.set(option, (counts.get(option) ?? 0) + halves(seat) / 2);
  const place = (option: string) => (q.options.includes(option) ? q.options.indexOf(option) : q.options.length);
  return { step: q.id, answers, tally: Object.fromEntries([...counts].toSorted(([a], [b]) => place(a) - place(b))) };
}
