import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { type Answer, isAmong, type Open, optionsFor, type Question, waiting } from '@maw/games/kernel/question.ts';
import { isPrintable } from '@maw/text/clean.ts';
import { REASONS, Refusal } from '@maw/games/kernel/refusal.ts';
import { must } from './broken-law.ts';
import type { Playthrough, Step } from './playthrough.ts';

/** An act that no rule allows, and when it is tried. */
interface Illegal {
  readonly what: string;
  readonly id: string;
  readonly answer: Answer;
  readonly at: number;
  /** The required reason of the refusal, where there is only one. */
  readonly reason?: string;
}

interface Place extends Step {
  readonly players: number;
  readonly q: Open;
  /** Ids of earlier questions that are no longer open. */
  readonly closed: readonly string[];
  readonly table: Playthrough['table'];
}

/**
 * Tries exactly `acts` illegal acts at random places of a game. Each must be refused with a reason and change nothing, as everything is
 * frozen. An apparently illegal answer that the game normalises to a legal one must be accepted, and does not count.
 * @throws BrokenLaw
 */
export function refuses(through: Playthrough, acts: number): void {
  const { table, steps, n } = through;
  const dice = diceOf(`illegal ${n}`, 'acts');
  const places = steps.filter(({ standing }) => standing.open.length);
  const { seed } = table.standing.game.opening;
  for (let tried = 0, left = acts * 100; tried < acts; left--) {
    must(left > 0, `hardly any act is illegal: ${tried} of ${acts} were`);
    const step = places[dice.below(places.length)]!;
    const q = step.standing.open[dice.below(step.standing.open.length)]!;
    const place: Place = { ...step, players: table.standing.game.names.length, q, closed: closedBefore(through, step), table };
    const act = KINDS[dice.below(KINDS.length)]!(place, dice);
    if (!act) continue;
    const { id, answer, at, what } = act;
    const isLegal = what === 'content' && isReadAsLegal(place, answer);
    const refusal = refusalOf(() => table.game.act(step.standing, id, answer, at, seed));
    const where = () => `${what}: seat ${answer.by} says ${JSON.stringify(answer.says).slice(0, 200)} to ${id} at ${at}`;
    if (isLegal) must(!refusal, () => `refused though it is legal, ${where()}: ${refusal?.message}`);
    else {
      must(refusal !== undefined, () => `not refused, ${where()}`);
      must(REASONS.includes(refusal.reason), () => `refused for ${refusal.reason}, ${where()}`);
      must(act.reason === undefined || refusal.reason === act.reason, () => `refused for ${refusal.reason}, not ${act.reason}, ${where()}`);
      tried++;
    }
  }
}

function refusalOf(act: () => unknown): Refusal | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const closedBefore = ({ table }: Playthrough, { tape, standing }: Step): readonly string[] =>
  table.tape
    .slice(0, tape)
    .flatMap((e) => (e.type === 'asked' ? [(e['question'] as Question).id] : []))
    .filter((id) => !standing.open.some((q) => q.id === id));

type Kind = (place: Place, dice: Dice) => Illegal | undefined;

const one = <T>(items: readonly T[], dice: Dice): T | undefined => (items.length ? items[dice.below(items.length)] : undefined);

/** An answer that would be legal if it were the seat's turn. */
function fitting({ q, table, standing }: Place, seat: number, dice: Dice): string[] {
  const options = table.rules.narrow?.(standing.game, q, seat) ?? q.options;
  const may = optionsFor({ ...q, options }, seat);
  if (q.verb === 'say') return [one(options, dice) ?? 'hello'];
  return q.verb === 'tell' ? [one(may, dice) ?? 'seat:0', 'psst'] : dice.shuffle(may).slice(0, q.pick);
}

/** A seat that may not answer. The dead and those who may not know of the question get reasons of their own. */
const stranger: Kind = (place, dice) => {
  const { q, players, since, standing, table } = place;
  const others = Array.from({ length: players }, (_, seat) => seat).filter((seat) => !waiting(q).includes(seat));
  const by = one([...others, -1, players, players + 7, 0.5, Number.NaN], dice)!;
  const isDead = table.rules.out(standing.game).includes(by);
  const reason = isDead ? 'dead' : isAmong(q, by) ? undefined : 'phase-over';
  return { what: 'stranger', id: q.id, answer: { by, says: fitting(place, by, dice) }, at: since, ...(reason ? { reason } : {}) };
};

/** A question that is not open, or no longer. */
const elsewhere: Kind = (place, dice) => {
  const by = dice.below(place.players);
  const invented = ['', 'nowhere', place.q.id.toUpperCase(), `${place.q.id}/`, '__proto__', place.q.id.replace(/\d+/, '99')];
  const id = one([...invented.filter((each) => !place.standing.open.some((q) => q.id === each)), ...place.closed], dice)!;
  const isDead = place.table.rules.out(place.standing.game).includes(by);
  return { what: 'elsewhere', id, answer: { by, says: fitting(place, by, dice) }, at: place.since, reason: isDead ? 'dead' : 'phase-over' };
};

/** A seat that may answer, too late. */
const late: Kind = (place, dice) => {
  const by = one(waiting(place.q), dice);
  if (by === undefined) return undefined;
  return { what: 'late', id: place.q.id, answer: { by, says: fitting(place, by, dice) }, at: place.q.until + dice.below(100) };
};

/** A seat that may answer, with an invalid answer. */
const content: Kind = (place, dice) => {
  const { q, table, standing, players, since } = place;
  const out = table.rules.out(standing.game);
  const by = one(
    waiting(q).filter((seat) => !out.includes(seat)),
    dice,
  );
  if (by === undefined) return undefined;
  const good = fitting(place, by, dice);
  const words = ['', ' ', 'seat:99', 'seat:-1', `seat:${by}`, `seat:${players}`, 'SEAT:0', '__proto__', 'toString', 'nonsense', '0'];
  const texts = [
    '',
    ' \u2003 ',
    'x'.repeat(q.maxChars + 1),
    '𝄞'.repeat(q.maxChars + 1),
    'a\nb',
    'a\u0000b',
    '\u202eabc',
    'a\u200bb',
    '\ud800',
  ];
  const hidden = q.options.filter(
    (option) => !optionsFor({ ...q, options: table.rules.narrow?.(standing.game, q, by) ?? q.options }, by).includes(option),
  );
  const word = () => one([...words, ...hidden], dice)!;
  const choices = [[], [...good, ...good], [...good, word()], good.slice(1), [word(), ...good.slice(1)], [...good.slice(0, -1), word()]];
  const speeches = [[], [one(texts, dice)!], ['a', 'b'], ['a', one(texts, dice)!]];
  const whispers = [good.slice(0, 1), [word(), 'psst'], [good[0]!, one(texts, dice)!], [...good, 'more']];
  const says = one({ choose: choices, say: speeches, tell: whispers }[q.verb], dice)!;
  return { what: 'content', id: q.id, answer: { by, says }, at: since };
};

const KINDS: readonly Kind[] = [stranger, elsewhere, late, content, content];

/** Whether an answer is legal by the question alone, once the game has normalised it. */
function isReadAsLegal({ table, standing, q }: Place, answer: Answer): boolean {
  const meant: { answer?: Answer } = {};
  if (refusalOf(() => (meant.answer = table.rules.admit?.(standing.game, q, answer) ?? answer))) return false;
  const { by, says } = meant.answer!;
  const isText = (text: string) => text.trim() !== '' && [...text].length <= q.maxChars && isPrintable(text);
  if (q.verb === 'say') return says.length === 1 && isText(says[0]!);
  const may = optionsFor({ ...q, options: table.rules.narrow?.(standing.game, q, by) ?? q.options }, by);
  if (q.verb === 'tell') return says.length === 2 && may.includes(says[0]!) && isText(says[1]!);
  return says.length === q.pick && new Set(says).size === says.length && says.every((option) => may.includes(option));
}
