import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Profile } from '@maw/games/tree/profile.ts';
import type { Node, Tree } from '@maw/games/tree/tree.ts';

/** What is learnt at one information set, by answer. */
interface SetState {
  /** Summed regrets, never below 0. */
  readonly regret: number[];
  /** Regrets of this iteration, added when it ends. */
  readonly gained: number[];
  /** The current strategy: in proportion to the regrets. */
  readonly strategy: number[];
  /** The sum of all strategies so far, weighted by iteration and by how likely the seat itself led here. */
  readonly sum: number[];
}

const START_FACES = 1_000_000;

/**
 * Counterfactual regret minimisation with regrets cut at 0, seats updated in turn, and strategies averaged with linear weights (CFR+,
 * Tammelin 2014). With two seats and opposed utilities the average tends to an equilibrium; with more, nothing is guaranteed: check NashConv.
 * @param seed of the first regrets: different seeds may end at different equilibria
 * @returns the average strategy
 */
export function cfrPlus(tree: Tree, iterations: number, seed: string): Profile {
  const dice = diceOf(seed, 'cfr+');
  const states = tree.sets.map(({ answers }): SetState => {
    const regret = answers.map(() => dice.below(START_FACES) / START_FACES);
    const zeroes = answers.map(() => 0);
    return { regret, gained: [...zeroes], strategy: matched(regret), sum: [...zeroes] };
  });
  for (let iteration = 1; iteration <= iterations; iteration++)
    for (let seat = 0; seat < tree.players; seat++) {
      walk({ states, seat, iteration }, tree.root, 1, 1);
      tree.sets.forEach((set, i) => set.seat === seat && update(states[i]!));
    }
  return ({ number }) => matched(states[number]!.sum);
}

interface Pass {
  readonly states: readonly SetState[];
  /** The seat whose regrets are computed. */
  readonly seat: Seat;
  readonly iteration: number;
}

/** The value of a node to the seat. `own` and `others`: how likely the seat, and chance with the others, lead here. */
function walk(pass: Pass, node: Node, own: number, others: number): number {
  if (own === 0 && others === 0) return 0; // nothing is learnt here, and an answer of probability 0 led here
  switch (node.kind) {
    case 'end':
      return node.points[pass.seat]!;
    case 'chance':
      return node.branches.reduce((sum, { probability, to }) => sum + probability * walk(pass, to, own, others * probability), 0);
    case 'choice':
      return node.set.seat === pass.seat ? walkOwn(pass, node, own, others) : walkOther(pass, node, own, others);
  }
}

type Choice = Extract<Node, { readonly kind: 'choice' }>;

function walkOther(pass: Pass, { set, to }: Choice, own: number, others: number): number {
  const { strategy } = pass.states[set.number]!;
  let value = 0;
  for (let i = 0; i < to.length; i++) value += strategy[i]! * walk(pass, to[i]!, own, others * strategy[i]!);
  return value;
}

function walkOwn(pass: Pass, { set, to }: Choice, own: number, others: number): number {
  const { strategy, gained, sum } = pass.states[set.number]!;
  let value = 0;
  for (let i = 0; i < to.length; i++) {
    const each = walk(pass, to[i]!, own * strategy[i]!, others);
    value += each * strategy[i]!;
    gained[i]! += others * each;
    sum[i]! += pass.iteration * own * strategy[i]!;
  }
  for (let i = 0; i < to.length; i++) gained[i]! -= others * value;
  return value;
}

function update({ regret, gained, strategy }: SetState): void {
  regret.forEach((before, i) => {
    regret[i] = Math.max(0, before + gained[i]!);
    gained[i] = 0;
  });
  matched(regret).forEach((probability, i) => (strategy[i] = probability));
}

/** Probabilities in proportion to some weights; even when all are 0. */
function matched(weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (all > 0 ? weight / all : 1 / weights.length));
}
