/**
 * The game tree of a small game: every way to play it, explored with the kernel that runs tables.
 *
 *   chance:  every outcome of the named draws, unless they are fixed
 *   choices: every legal answer to a choice; each seat that is asked answers once
 *   speech:  each word of a finite alphabet, once by each seat that has the floor; without an alphabet nobody says anything, and time passes
 *
 * Seats that choose simultaneously follow each other in the tree, in the order of the question, without seeing each other's choices.
 */
import { type Game, play, type Position } from '../kernel/play.ts';
import { type Instant, type Open, optionsFor, type Seat } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { AnyRules } from '../kernel/rule-set.ts';
import { type InformationSet, informationSets } from './information.ts';
import { type Branch, type BranchingDice, branchingDice } from './branching-dice.ts';

type Event = { readonly type: string };

export type Node =
  | { readonly kind: 'end'; readonly points: readonly number[] }
  | { readonly kind: 'chance'; readonly branches: readonly Branch<Node>[] }
  /** `to` has one node per answer of `set`, in the same order. */
  | { readonly kind: 'choice'; readonly set: InformationSet; readonly to: readonly Node[] };

export interface Tree {
  readonly root: Node;
  readonly players: number;
  readonly sets: readonly InformationSet[];
  readonly size: { readonly [kind in Node['kind']]: number };
}

export interface TreeOptions {
  /** Everything that may be said to a room. Empty: nobody speaks. Private lines are never told. */
  readonly alphabet?: readonly string[];
  /** How many nodes the tree may have. */
  readonly maxNodes?: number;
}

interface Growing {
  readonly game: Game<unknown, Event>;
  readonly toss: BranchingDice;
  readonly players: number;
  readonly sets: ReturnType<typeof informationSets>;
  readonly size: { [kind in Node['kind']]: number };
  readonly alphabet: readonly string[];
  readonly maxNodes: number;
}

/** Where one way of playing has arrived. */
interface Place {
  readonly events: readonly Event[];
  readonly position: Position<unknown>;
  readonly now: Instant;
}

/**
 * Grows the whole tree of a game.
 * @throws Error when it exceeds `maxNodes` nodes, and when options alone let a seat tell two situations apart
 */
export function buildTree(rules: AnyRules, players: number, { alphabet = [], maxNodes = 50_000 }: TreeOptions = {}): Tree {
  const toss = branchingDice();
  const game: Game<unknown, Event> = play(rules, toss.roll);
  const size = { end: 0, chance: 0, choice: 0 };
  const growing: Growing = { game, toss, players, sets: informationSets(game), size, alphabet, maxNodes };
  const dealt = toss.each(() => game.deal(players, 0, ''));
  const root = after(growing, { events: [], position: game.begin(), now: 0 }, dealt, 0);
  return { root, players, sets: growing.sets.all, size };
}

/** The tree after these events, one branch per outcome of chance. */
function after(growing: Growing, from: Place, ways: readonly Branch<readonly Event[]>[], now: Instant): Node {
  const places = ways.map(({ probability, to }) => ({
    probability,
    to: { events: [...from.events, ...to], position: growing.game.fold(to, from.position), now },
  }));
  if (places.length === 1) return grow(growing, places[0]!.to);
  counted(growing, 'chance');
  return { kind: 'chance', branches: places.map(({ probability, to }) => ({ probability, to: grow(growing, to) })) };
}

function grow(growing: Growing, place: Place): Node {
  const { game } = growing;
  const outcome = game.rules.outcome(place.position.game);
  if (outcome) {
    counted(growing, 'end');
    return { kind: 'end', points: outcome.points };
  }
  const turn = nextTurn(growing, place);
  if (!turn) return later(growing, place);
  counted(growing, 'choice');
  const { seat, question, answers } = turn;
  const set = growing.sets.of({
    seat,
    question: question.id,
    answers: answers.map(({ says }) => says),
    seen: game.view(place.events, seat),
  });
  return { kind: 'choice', set, to: answers.map(({ ways }) => after(growing, place, ways, place.now)) };
}

/** Nobody has anything to choose or to say: advances to the next alarm. */
function later(growing: Growing, place: Place): Node {
  const wake = growing.game.wake(place.position);
  if (wake === undefined) throw new Error(`${growing.game.rules.name} is not over, and asks nothing`);
  const ways = growing.toss.each(() => growing.game.tick(place.position, wake, ''));
  if (ways.some(({ to }) => !to.length))
    throw new Error(`${growing.game.rules.name} asks to be woken at ${wake}, and nothing happens then`);
  return after(growing, place, ways, wake);
}

interface Turn {
  readonly seat: Seat;
  readonly question: Open;
  readonly answers: readonly { readonly says: readonly string[]; readonly ways: readonly Branch<readonly Event[]>[] }[];
}

/** Whose answer is next: the first seat of the first question that has not answered yet. */
function nextTurn({ game, toss, alphabet }: Growing, { position, now }: Place): Turn | undefined {
  for (const { id, verb, of } of position.open) {
    if (verb === 'tell') continue;
    for (const seat of of) {
      const question = game.asked(position, seat).find((q) => q.id === id);
      if (!question || question.answers.some(({ by }) => by === seat)) continue;
      const possible = verb === 'say' ? alphabet.map((word) => [word]) : choicesOf(question, seat);
      const answers = possible.flatMap((says) => {
        const ways = tried(() => toss.each(() => game.act(position, id, { by: seat, says }, now, '')));
        return ways ? [{ says, ways }] : [];
      });
      if (answers.length) return { seat, question, answers };
    }
  }
  return undefined;
}

/** All choices of `pick` options, in option order. */
function choicesOf(q: Open, seat: Seat): readonly (readonly string[])[] {
  const from = (options: readonly string[], pick: number): string[][] =>
    pick === 0 ? [[]] : options.flatMap((option, i) => from(options.slice(i + 1), pick - 1).map((rest) => [option, ...rest]));
  return from(optionsFor(q, seat), q.pick);
}

function tried<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function counted({ size, maxNodes, game }: Growing, kind: Node['kind']): void {
  size[kind]++;
  if (size.end + size.chance + size.choice > maxNodes) throw new Error(`the tree of ${game.rules.name} has more than ${maxNodes} nodes`);
}
