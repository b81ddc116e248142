/** Talk and whispering: turns in which the living players or wolves speak one after another. */
import { type Answer, type Open, round, type Seat } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ask, type Moment, type TableEvent } from '../kernel/rules.ts';
import { isUtterance } from './language/content-reader.ts';
import type { AiwolfOptions } from './options.ts';
import { rosterOf } from './roster.ts';
import type { Aiwolf, AiwolfEvent, Place, Speech } from './state.ts';

/** The two words that are not utterances. Matched exactly: `Over ` with a blank is an utterance. */
export const SKIP = 'Skip';
export const OVER = 'Over';
const WORDS = [SKIP, OVER] as const;

/** The counts carried from turn to turn. */
type Counts = Pick<Speech, 'left' | 'skips'>;

const speakersOf = (s: Aiwolf, place: Place): readonly Seat[] => (place === 'talk' ? s.living : rosterOf(s).wolves);

/** The counts at the start of a day's talk or a night's whispering. */
export function newCounts(s: Aiwolf, place: Place, options: AiwolfOptions): Counts {
  const left = s.roles.map(() => 0);
  for (const seat of speakersOf(s, place)) left[seat] = place === 'talk' ? options.utterances : options.whispers;
  return { left, skips: s.roles.map(() => 0) };
}

/**
 * A turn: its order and its question. The order alone when nobody has anything left to say; then all of it counts as `Over`.
 * Undefined: no time is left.
 * @param phase of the turn, such as `day-1/turn-3`
 */
export function turn(
  s: Aiwolf,
  phase: string,
  speech: Omit<Speech, 'order'>,
  moment: Moment,
  options: AiwolfOptions,
): readonly (AiwolfEvent | TableEvent)[] | undefined {
  const { place, left, until } = speech;
  const speakers = speakersOf(s, place);
  let count = 0;
  for (const seat of speakers) if (left[seat]! > 0) count++;
  // Each speaker may take an equal share of the remaining night, so that a turn always ends in time.
  const ms = until ? Math.min(options.turnMs, Math.floor((until - moment.now) / Math.max(1, count))) : options.turnMs;
  if (count && ms < 1) return undefined;
  const order = moment.dice.shuffle(place === 'talk' ? 'order' : 'whisper order', speakers);
  const ordered: AiwolfEvent = { type: 'ordered', ...speech, order };
  if (!count) return [ordered];
  const { lines, pack } = rosterOf(s);
  const of = count === order.length ? order : order.filter((seat) => left[seat]! > 0);
  const rest = { options: options.language === 'free' ? WORDS : lines[place], maxChars: options.maxChars };
  const question =
    place === 'talk'
      ? round(`${phase}/talk`, of, moment.now, ms, { ...rest, room: 'Village' })
      : round(`${phase}/whisper`, of, moment.now, ms, { ...rest, room: 'Hideout', among: pack });
  return [ordered, ask(question)];
}

/** The counts after a settled turn, and whether it was all `Over`. */
export function counted({ speech }: Aiwolf, answers: readonly Answer[]): Counts & { readonly isOver: boolean } {
  const left = speech!.left.slice();
  const skips = speech!.skips.slice();
  let isOver = true;
  for (const { by, says } of answers) {
    if (says[0] === OVER) continue;
    isOver = false;
    if (says[0] === SKIP) skips[by]!++;
    else {
      skips[by] = 0;
      left[by]!--;
    }
  }
  return { left, skips, isOver };
}

/** What a seat's `Skip` counts as: too many in a row count as `Over`. */
const skipped = ({ speech }: Aiwolf, seat: Seat, options: AiwolfOptions): string => (speech!.skips[seat]! >= options.skips ? OVER : SKIP);

/**
 * Speech as it is stored.
 * @throws Refusal unreadable, when the protocol is enforced and this is not of its language
 */
export function admitted(s: Aiwolf, q: Open, answer: Answer, options: AiwolfOptions): Answer {
  const { by, says } = answer;
  if (says.length !== 1 || q.of[q.answers.length + q.passed.length] !== by) return answer; // refused for another reason than its words
  const [text] = says as readonly [string];
  if (text === SKIP) return skipped(s, by, options) === SKIP ? answer : { by, says: [OVER] };
  if (options.language === 'free' || q.options.includes(text) || !text.trim() || text.length > 2 * options.maxChars) return answer;
  if (!isUtterance(text))
    throw new Refusal('unreadable', `not a sentence of the AIWolf protocol; say Skip, Over, or for example ${q.options.at(-1)!}`);
  return answer;
}

/** What counts as said by speakers whose time ran out. */
export const unsaid = (s: Aiwolf, { passed }: Open, options: AiwolfOptions): readonly Answer[] =>
  passed.map((by) => ({ by, says: [skipped(s, by, options)] }));
