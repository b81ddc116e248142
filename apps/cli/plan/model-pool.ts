import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { fairQueue } from '@maw/llm-gateway/scheduler/fair-queue.ts';
import { heap, type HeapElement } from '@maw/llm-gateway/scheduler/heap.ts';
import type { RecipeLoad } from './measured.ts';

/** A pool of model slots, and the games that ask it. */
export interface PoolTerms {
  readonly games: number;
  readonly slots: number;
  readonly load: RecipeLoad;
  readonly minutes: number;
  readonly callSeconds: number;
}

export interface PoolResult {
  /** Games and slots that were simulated: a larger pool is made smaller in proportion. */
  readonly games: number;
  readonly slots: number;
  /** Share of the slot time that was used. */
  readonly utilisation: number;
  /** How long a call waited for a slot, in seconds. */
  readonly wait: { readonly p50: number; readonly p99: number };
  /** From a decision's beginning to its end, in seconds. */
  readonly decision: { readonly p50: number; readonly p99: number };
}

/** More games than these tell nothing new: bursts even out all the more. */
const MOST_GAMES = 200;
const SIMULATED_S = 900;
/** A pool that is too small never catches up; what is left then would only fill memory. */
const MOST_WAITING = 20_000;
/** Times of calls are log-normal, as in the simulation of the gateway's policies (docs/benchmarks.md). */
const SIGMA = 0.5;

interface Call {
  readonly id: string;
  readonly game: string;
  readonly urgency: 'talk';
  readonly rank: number;
  readonly at: number;
  readonly decision: Decision;
}
interface Decision {
  readonly began: number;
  /** Calls that are still to be made after those under way. */
  left: number;
  running: number;
}
interface Happening extends HeapElement {
  readonly at: number;
  happen(now: number): void;
}

/**
 * Simulates games that ask the gateway's own queue, without a clock. Each seat decides at times of chance. A decision makes as many calls as the recipe,
 * as many at once as its longest chain leaves.
 */
export function simulatePool({ games, slots, load, minutes, callSeconds }: PoolTerms): PoolResult {
  const scale = Math.min(1, MOST_GAMES / games);
  const size = { games: Math.max(1, Math.round(games * scale)), slots: Math.max(1, Math.round(slots * scale)) };
  const dice = diceOf('plan', `${games}/${slots}`);
  const pool = newPool(size.slots, callSeconds, dice);
  const every = (minutes * 60) / load.decisions;
  const width = Math.max(1, Math.round(load.calls / Math.max(1, load.chain)));
  for (let game = 0; game < size.games; game++)
    for (let at = every * unit(dice); at < SIMULATED_S; at += -Math.log(unit(dice)) * every)
      pool.decide(`game ${game}`, at, Math.round(load.calls), width);
  return { ...size, ...pool.run() };
}

function newPool(slots: number, callSeconds: number, dice: Dice) {
  const queue = fairQueue<Call>();
  const happenings = heap<Happening>((a, b) => a.at - b.at);
  const waits: number[] = [];
  const decisions: number[] = [];
  const state = { busy: 0, worked: 0, calls: 0 };

  const ask = (game: string, decision: Decision, now: number): void => {
    decision.left--;
    decision.running++;
    queue.add({ id: String(state.calls++), game, urgency: 'talk', rank: decision.began, at: now, decision });
  };
  const begin = (call: Call, now: number): void => {
    const seconds = callSeconds * Math.exp(SIGMA * normal(dice) - SIGMA ** 2 / 2);
    const settle = queue.charge(call.game, callSeconds * 1000);
    state.busy++;
    waits.push(now - call.at);
    happenings.push({
      at: now + seconds,
      happen(end) {
        state.busy--;
        state.worked += seconds;
        settle(seconds * 1000);
        call.decision.running--;
        if (call.decision.left > 0) ask(call.game, call.decision, end);
        else if (call.decision.running === 0) decisions.push(end - call.decision.began);
      },
    });
  };
  return {
    decide(game: string, at: number, calls: number, width: number): void {
      happenings.push({
        at,
        happen(now) {
          const decision = { began: now, left: calls, running: 0 };
          for (let i = 0; i < Math.min(width, calls); i++) ask(game, decision, now);
        },
      });
    },
    run(): Omit<PoolResult, 'games' | 'slots'> {
      let last = 0;
      for (let next = happenings.first; next && next.at < SIMULATED_S && queue.size < MOST_WAITING; next = happenings.first) {
        happenings.remove(next);
        last = next.at;
        next.happen(last);
        while (state.busy < slots) {
          const call = queue.takeNext(() => true);
          if (!call) break;
          begin(call, last);
        }
      }
      return { utilisation: Math.min(1, state.worked / (slots * last)), wait: percentiles(waits), decision: percentiles(decisions) };
    },
  };
}

const unit = (dice: Dice): number => (dice.below(1 << 30) + 0.5) / (1 << 30);
const normal = (dice: Dice): number => Math.sqrt(-2 * Math.log(unit(dice))) * Math.cos(2 * Math.PI * unit(dice));

function percentiles(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
