/** Talk and whispering: turns in which the living, or the living wolves, speak one after another. */
import { type Answer, type Open, round, type Seat } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ask, type Moment, type TableEvent } from '../kernel/rules.ts';
import { isUtterance } from './language/content.ts';
import type { AiwolfOptions } from './options.ts';
import { rosterOf } from './roster.ts';
import type { Aiwolf, AiwolfEvent, Place, Speech } from './state.ts';

/** The two words that are no utterance. Only exactly these: `Over ` with a blank is something said. */
export const SKIP = 'Skip';
export const OVER = 'Over';

/** What is counted from turn to turn. */
type Counts = Pick<Speech, 'left' | 'skips'>;

/** Who speaks there now. */
const speakersOf = (s: Aiwolf, place: Place): readonly Seat[] => (place === 'talk' ? s.living : rosterOf(s).wolves);

/** The counts at the beginning of a day's talk or a night's whispering. */
export function newCounts(s: Aiwolf, place: Place, options: AiwolfOptions): Counts {
  const left = s.roles.map(() => 0);
  for (const seat of speakersOf(s, place)) left[seat] = place === 'talk' ? options.utterances : options.whispers;
  return { left, skips: s.roles.map(() => 0) };
}

/**
 * A turn: its order, and the question. The order alone, when nobody has anything left to say: then all of it counts as `Over`.
 * Undefined: there is no time left.
 * @param phase the turn's, such as `day-1/turn-3`
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
  // Each may take an equal share of what is left of the night, so that a turn that has begun ends in time whoever is silent.
  const ms = until ? Math.min(options.turnMs, Math.floor((until - moment.now) / Math.max(1, count))) : options.turnMs;
  if (count && ms < 1) return undefined;
  const order = moment.dice.shuffle(place === 'talk' ? 'order' : 'whisper order', speakers);
  const ordered: AiwolfEvent = { type: 'ordered', ...speech, order };
  if (!count) return [ordered];
  const { lines, pack } = rosterOf(s);
  const of = count === order.length ? order : order.filter((seat) => left[seat]! > 0);
  const rest = { options: lines[place], maxChars: options.maxChars };
  const question =
    place === 'talk'
      ? round(`${phase}/talk`, of, moment.now, ms, { ...rest, room: 'Village' })
      : round(`${phase}/whisper`, of, moment.now, ms, { ...rest, room: 'Hideout', among: pack });
  return [ordered, ask(question)];
}

/** How a turn that has settled is counted, and whether all that was said in it is `Over`. */
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

/** What a seat that says `Skip` is taken to say: too many running are `Over`. */
const skipped = ({ speech }: Aiwolf, seat: Seat, options: AiwolfOptions): string => (speech!.skips[seat]! >= options.skips ? OVER : SKIP);

/**
 * Speech as it is written down.
 * @throws Refusal unreadable, when the language of the protocol is kept and this is none of it
 */
export function admitted(s: Aiwolf, q: Open, answer: Answer, options: AiwolfOptions): Answer {
  const { by, says } = answer;
  if (says.length !== 1 || q.of[q.answers.length + q.passed.length] !== by) return answer; // refused for what it is, not for its words
  const [text] = says as readonly [string];
  if (text === SKIP) return skipped(s, by, options) === SKIP ? answer : { by, says: [OVER] };
  if (options.language === 'free' || q.options.includes(text) || !text.trim() || text.length > 2 * options.maxChars) return answer;
  if (!isUtterance(text))
    throw new Refusal('unreadable', `not a sentence of the AIWolf protocol; say Skip, Over, or for example ${q.options.at(-1)!}`);
  return answer;
}

/** What counts as said by those whose time ran out. */
export const unsaid = (s: Aiwolf, { passed }: Open, options: AiwolfOptions): readonly Answer[] =>
  passed.map((by) => ({ by, says: [skipped(s, by, options)] }));
