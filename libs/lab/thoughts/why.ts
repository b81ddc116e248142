import { nameOption } from '@maw/games/kernel/narration.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import { isKnownChoice, purposeOf } from '@maw/games/match/asked-question.ts';
import { decisionIn } from '@maw/minds/replies/made-decisions.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import type { WholeDecision } from './read-thoughts.ts';
import type { ThoughtStep } from './recorded-thoughts.ts';

/** How acts come about: as the steps of minds record it, or the act failed. */
export const OUTCOMES = ['valid', 'repaired', 'fallback', 'defaulted', 'failed'] as const;
export type ActOutcome = (typeof OUTCOMES)[number];

/** What a mind did in one thought, and why. */
export interface Why {
  /** The decision, and the step that acted in it. */
  readonly n: number;
  readonly step: number;
  readonly seat: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly phase: string;
  /** The steps of the questions that were answered, or else asked: `vote`, `talk`. */
  readonly kinds: readonly string[];
  /** What it did, in words. */
  readonly act: string;
  /** The mind's own, or why its act was lost; empty where the recipe asks for none. */
  readonly reason: string;
  /** What the seat believed then, in a line; empty where the recipe keeps none. */
  readonly belief: string;
  readonly recipe: string;
  /** Absent for minds without a model. */
  readonly outcome?: ActOutcome;
  /** Calls of the model in this thought. */
  readonly calls: number;
}

interface Answer {
  readonly question: string;
  readonly says: readonly string[];
}

/**
 * What minds did, one entry for each thought that acted, in the order of the decisions.
 * @param names by seat
 */
export async function* whysOf(decisions: AsyncIterable<WholeDecision>, names: readonly string[]): AsyncGenerator<Why> {
  const believed = new Map<number, string>(); // a belief is recorded when it has changed
  for await (const { decision, steps } of decisions) {
    const { n, seat, phase = '' } = decision;
    let asked: readonly string[] = [];
    let thought: Why | undefined;
    let calls = 0;
    let iteration: number | undefined;
    for await (const step of steps) {
      const { content } = step;
      if (content.iteration !== iteration) {
        if (thought) yield thought;
        [thought, calls, iteration] = [undefined, 0, content.iteration];
      }
      const { inputs, beliefs } = content as { inputs?: { questions?: readonly string[] }; beliefs?: object };
      asked = inputs?.questions ?? asked;
      calls += content.calls?.length ?? 0;
      if (beliefs !== undefined) believed.set(seat, beliefLine(beliefs, names, seat));
      if (step.kind !== 'act' || !isAct(content)) continue;
      thought = {
        n,
        step: step.step,
        seat,
        at: step.at,
        phase: content.phase ?? phase,
        ...actOf(content, asked, names),
        belief: believed.get(seat) ?? '',
        recipe: content.recipe ?? '',
        calls,
      };
    }
    if (thought) yield { ...thought, calls };
  }
}

const isAct = ({ answers, outcome, error }: ThoughtStep['content']): boolean =>
  outcome !== undefined || error !== undefined || (Array.isArray(answers) && answers.length > 0);

function actOf(
  content: ThoughtStep['content'],
  asked: readonly string[],
  names: readonly string[],
): Pick<Why, 'act' | 'kinds' | 'reason' | 'outcome'> {
  const { error } = content;
  const [wrong] = Object.keys(decisionIn(content)?.wrong ?? {});
  const reason = error ?? wrong ?? content['reason'];
  const answers = (content['answers'] ?? []) as readonly Answer[];
  const outcome = error === undefined ? (content['outcome'] as ActOutcome | undefined) : 'failed';
  const nothing = outcome === 'failed' || outcome === 'defaulted' ? 'nothing, so the rules decide' : 'listens';
  return {
    act: answers.map((answer) => inWords(answer, names)).join('; ') || nothing,
    kinds: [...new Set((answers.length ? answers.map(({ question }) => question) : asked).map(stepOf))],
    reason: typeof reason === 'string' ? sanitizeText(reason) : '',
    ...(outcome === undefined ? {} : { outcome }),
  };
}

/** An answer as people would tell it: `Vote for whom to execute: Finn`. */
function inWords({ question, says }: Answer, names: readonly string[]): string {
  const step = stepOf(question);
  const named = says.map((said) => sanitizeText(nameIn(said, names)));
  if (isKnownChoice(step)) return `${purposeOf(step)}: ${named.join(', ')}`;
  return named.length > 1 ? `whispers to ${named[0]!}: «${named.at(-1)!}»` : `says «${named[0] ?? ''}»`;
}

const nameIn = (said: string, names: readonly string[]): string =>
  nameOption(said.replace(/^centre:(\d+)$/, 'card $1 of the centre'), (seat) => names[seat] ?? `seat:${seat}`);

const MAX_BELIEF = 200;
/** What players without a model believe, where its name does not say it. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['gain', 'of the other side'],
  ['peace', 'no player is a Werewolf'],
]);
/** Of a list of seats, so many are told: the likeliest. */
const LIKELIEST = 3;

/**
 * Whatever a recipe believes, in one line: prose, shares of each role by player or by seat, or shares of each seat by role.
 * @param self the seat that believes it; what it says of itself is left out
 */
export function beliefLine(beliefs: object, names: readonly string[], self?: number): string {
  const parts = Object.entries(beliefs).flatMap(([about, value]: [string, unknown]) => {
    if (typeof value === 'string') return [about === 'all' ? value : `${about}: ${value}`];
    const name = WORDS.get(about) ?? about;
    if (typeof value === 'number') return [`${name} ${percent(value)}`];
    const others = Array.isArray(value)
      ? value.map((each: unknown, seat) => [names[seat] ?? String(seat), each] as const).filter((_, seat) => seat !== self)
      : [[about, value] as const];
    if (others.every(([, each]) => typeof each === 'number')) return likeliest(name, Object.fromEntries(others), LIKELIEST);
    return others.flatMap(([of, each]) => (of === names[self ?? -1] ? [] : likeliest(of, each, 1)));
  });
  const line = sanitizeText(parts.join('; '));
  return line.length > MAX_BELIEF ? `${line.slice(0, MAX_BELIEF - 1).toWellFormed()}…` : line;
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

function likeliest(about: string, shares: unknown, most: number): readonly string[] {
  const sorted = Object.entries(shares ?? {})
    .filter((each): each is [string, number] => typeof each[1] === 'number' && each[1] > 0)
    .toSorted(([, a], [, b]) => b - a);
  const told = sorted.slice(0, most).map(([of, share]) => `${of} ${percent(share)}`);
  return told.length ? [`${about}: ${told.join(', ')}`] : [];
}
