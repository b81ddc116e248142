import { type Bus, type Delivery, PermanentError } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { findRecipe, recipes as allRecipes } from '@maw/minds/recipes.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute, span as spans } from '@maw/telemetry/names.ts';
import { tracerOf } from '@maw/telemetry/spans.ts';
import { tableEvents as bellsOf } from './news/table-events.ts';
import { takeSeat } from './take-seat.ts';
import { type DecisionDeps, runDecision } from './decision/run-decision.ts';
import { type PlayerOptions, defaultOptions } from './options.ts';
import { seatTurns } from './decision/seat-turns.ts';

interface Ports {
  readonly bus: Bus;
  readonly thoughts: Thoughts;
  now(): number;
  readonly log: Log;
  readonly options?: Partial<PlayerOptions>;
  /** The ways of thinking that seats can be given; all that there are, when not said. */
  readonly recipes?: readonly Recipe[];
}

/** The player: runs minds, one job for each decision. Any replica takes any of them; what a seat has in mind is in the store. */
export async function player({
  bus,
  thoughts,
  now,
  log,
  options: given,
  recipes = allRecipes,
}: Ports): Promise<{ inside(): { readonly seats: number; readonly tables: number }; close(): Promise<void> }> {
  const options = { ...defaultOptions, ...given };
  const bells = bellsOf();
  const desk: DecisionDeps = { bus, thoughts, now, log, options, bells };
  const seats = seatTurns();
  const closing = new AbortController();
  findRecipe(options.defaultRecipe, recipes); // a mistake is found at the start

  async function hear(message: Message<'seat.invited' | 'seat.decide'>, delivery: Delivery): Promise<void> {
    const stop = AbortSignal.any([closing.signal, delivery.signal]);
    const recipe = recipeOf(message.data.recipe);
    if (message.type === 'seat.invited') return takeSeat({ bus, now, log, options, signal: stop }, recipe, message);
    const { subject: table, id, sequence = 0, data } = message;
    const attributes = {
      [attribute.table]: table,
      [attribute.seat]: data.seat,
      [attribute.decision]: id,
      [attribute.recipe]: recipe.name,
    };
    return tracerOf('player').startActiveSpan(spans.decide, { attributes }, async (span) => {
      metrics.thinking.inc({ service: 'player' });
      try {
        await seats.take({ seat: `${table}:${data.seat}`, id, sequence }, (over) => runDecision(desk, recipe, message, { over, stop }));
      } finally {
        metrics.thinking.dec({ service: 'player' });
        span.end();
      }
    });
  }

  /** @throws PermanentError when there is no such recipe */
  function recipeOf(name: string | undefined): Recipe {
    try {
      return findRecipe(name ?? options.defaultRecipe, recipes);
    } catch (cause) {
      throw new PermanentError((cause as Error).message, { cause });
    }
  }

  const tap = await bus.subscribe(['table.moved', 'room.line'], async (message) => {
    if (message.type === 'table.moved') bells.moved(message.subject, message.data);
    else bells.line(message.subject, message.data.room);
  });
  const pool = await bus.consume('player', ['seat.invited', 'seat.decide'], { concurrency: options.concurrency }, hear);
  return {
    /** Of how many seats and tables something is kept; for tests. */
    inside: () => ({ seats: seats.inside(), tables: bells.inside() }),
    /** Takes no more, gives what is in hand to the other replicas. Decisions last as long as a phase: they are not waited for. */
    async close(): Promise<void> {
      const stopped = pool.stop();
      closing.abort(new Error('the player closes: somebody else goes on'));
      await stopped;
      await tap.stop();
    },
  };
}
