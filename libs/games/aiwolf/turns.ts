/** Talk and whispering: turns in which the living players or wolves speak one after another. */
import { type Answer, hasFloor, type Open, type Question, round, type Seat } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ask, type Moment, type TableEvent } from '../kernel/rules.ts';
import { isUtterance } from './language/content-reader.ts';
import { cut, isCut, shareOf, uncutChars } from './lengths.ts';
import type { AiwolfOptions } from './options.ts';
import { linesFor, rosterOf } from './roster.ts';
import type { Aiwolf, AiwolfEvent, Place, Speech } from './state.ts';

/** The two words that are not utterances. Matched exactly: `Over ` with a blank is an utterance. */
export const SKIP = 'Skip';
export const OVER = 'Over';
const WORDS = [SKIP, OVER] as const;

/** The counts carried from turn to turn. */
type Counts = Pick<Speech, 'left' | 'skips' | 'share'>;

/** How the players of a table may speak. */
export interface Terms {
  readonly options: AiwolfOptions;
  /** By seat; empty where the game is played without names. */
  readonly names: NonNullable<Moment['names']>;
}

const speakersOf = (s: Aiwolf, place: Place): readonly Seat[] => (place === 'talk' ? s.living : rosterOf(s).wolves);

/** The counts at the start of a day's talk or a night's whispering. */
export function newCounts(s: Aiwolf, place: Place, options: AiwolfOptions): Counts {
  const left = s.roles.map(() => 0);
  for (const seat of speakersOf(s, place)) left[seat] = place === 'talk' ? options.utterances : options.whispers;
  return {
    left,
    skips: s.roles.map(() => 0),
    ...(isCut(options) && options.lengthPerDay ? { share: s.roles.map(() => options.lengthPerDay) } : {}),
  };
}

/** What all questions of talk have in common. */
export const talkRest = (s: Aiwolf, options: AiwolfOptions, place: Place = 'talk'): Partial<Question> => ({
  options: options.language === 'free' ? WORDS : rosterOf(s).lines[place],
  maxChars: uncutChars(options),
  ...(isCut(options) ? { cuts: true } : {}),
  room: place === 'talk' ? 'Village' : 'Hideout',
});

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
  const isFixed = options.order === 'phase' && speech.turn > 0;
  const order = isFixed ? s.speech!.order : moment.dice.shuffle(place === 'talk' ? 'order' : 'whisper order', speakers);
  const ordered: AiwolfEvent = { type: 'ordered', ...speech, order };
  if (!count) return [ordered];
  const of = count === order.length ? order : order.filter((seat) => left[seat]! > 0);
  const rest = talkRest(s, options, place);
  const question = round(`${phase}/${place}`, of, moment.now, ms, place === 'talk' ? rest : { ...rest, among: rosterOf(s).pack });
  return [ordered, ask(question)];
}

/** The counts after a settled turn, and whether it was all `Over`. */
export function counted({ speech }: Aiwolf, { answers, passed }: Open, terms: Terms): Counts & { readonly isOver: boolean } {
  const { over, skipsCount } = terms.options;
  const left = speech!.left.slice();
  const skips = speech!.skips.slice();
  const share = speech!.share?.slice();
  let isOver = true;
  for (const { by, says } of answers) {
    const [text] = says as readonly [string];
    if (text === OVER) {
      if (over === 'final') left[by] = 0;
      continue;
    }
    isOver = false;
    if (text === SKIP) {
      if (over === 'revocable' || !passed.includes(by)) skips[by]!++;
      if (skipsCount) left[by]!--;
      continue;
    }
    skips[by] = 0;
    left[by]!--;
    if (share && (share[by]! -= shareOf(text, othersOf(terms, by), terms.options)) <= 0) left[by] = 0;
  }
  return { left, skips, ...(share ? { share } : {}), isOver };
}

const othersOf = ({ names }: Terms, seat: Seat): readonly string[] =>
  names.filter((name, other): name is string => name !== undefined && other !== seat);

/** What a seat's `Skip` counts as: too many in a row count as `Over`. */
function skipped({ speech }: Aiwolf, q: Open, seat: Seat, { skips }: AiwolfOptions): string {
  const said = q.answers.filter(({ by }) => by === seat).map(({ says }) => says[0]);
  const before = q.inTurn ? speech!.skips[seat]! : said.length - 1 - said.findLastIndex((text) => text !== SKIP);
  return before >= skips ? OVER : SKIP;
}

/** What a seat may always say; only `Over` once the utterances of a talk at any time are used up. */
export const wordsFor = (q: Open, seat: Seat): readonly string[] => (isUsedUp(q, seat) ? [OVER] : linesFor(q, seat));

const isUsedUp = ({ limit, answers }: Open, seat: Seat): boolean =>
  limit !== undefined && answers.filter(({ by }) => by === seat).length >= limit.texts;

/**
 * Speech as it is stored.
 * @throws Refusal unreadable, when the protocol is enforced and this is not of its language; too-long, when what is left after the cut is;
 * already-answered, when the utterances of a talk at any time are used up
 */
export function admitted(s: Aiwolf, q: Open, answer: Answer, terms: Terms): Answer {
  const { options } = terms;
  const { by, says } = answer;
  if (says.length !== 1 || !hasFloor(q, by)) return answer; // refused for another reason than its words
  const word = q.inTurn ? says[0]! : says[0]!.trim();
  const text = isCut(options) ? word : says[0]!; // what was cut and stored before may begin with a blank
  if (word === OVER) return { by, says: [OVER] };
  if (isUsedUp(q, by)) throw new Refusal('already-answered', `you have said all ${q.limit!.texts} things of this talk; only Over is left`);
  if (word === SKIP) return { by, says: [skipped(s, q, by, options)] };
  const isProtocol = options.language === 'protocol' && !q.options.includes(text) && text.trim() && text.length <= 2 * options.maxChars;
  if (isProtocol && !isUtterance(text))
    throw new Refusal('unreadable', `not a sentence of the AIWolf protocol; say Skip, Over, or for example ${q.options.at(-1)!}`);
  if (!isCut(options)) return { by, says: [text] };
  const share = s.speech!.share?.[by] ?? 0;
  const used = q.inTurn ? 0 : usedIn(q, by, terms);
  const kept = cut(text, othersOf(terms, by), Math.max(0, share - used), options);
  const length = [...kept].length;
  if (length > options.maxChars) throw new Refusal('too-long', `${length} characters; at most ${options.maxChars}`);
  return { by, says: [kept.trim() || !text.trim() ? kept : OVER] };
}

/** What a seat has taken of its share in a talk at any time. */
const usedIn = ({ answers }: Open, seat: Seat, terms: Terms): number =>
  answers.reduce((sum, { by, says }) => sum + (by === seat ? shareOf(says[0]!, othersOf(terms, seat), terms.options) : 0), 0);

/** What counts as said by speakers whose time ran out: where `Over` is final, silence ends nobody's talk. */
export const unsaid = (s: Aiwolf, q: Open, options: AiwolfOptions): readonly Answer[] =>
  q.passed.map((by) => ({ by, says: [options.over === 'final' ? SKIP : skipped(s, q, by, options)] }));
