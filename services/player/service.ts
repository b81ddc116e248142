import { type Bus, type Delivery, PermanentError, type Subscription } from '@maw/bus/bus.ts';
import { ComeAgain, DELAYS_MS } from '@maw/bus/retries.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Asking, Recipe } from '@maw/minds/mind.ts';
import { experienceLibrary } from './experience-library.ts';
import { policyLibrary } from '@maw/learning/policy/served-policy.ts';
import { loadPolicy } from '@maw/store/find-version.ts';
import type { ExperiencePools } from '@maw/store/ports/experience.ts';
import type { Policies } from '@maw/store/ports/policies.ts';
import { findRecipe, recipes as allRecipes } from '@maw/minds/recipes.ts';
import type { Strategies } from '@maw/store/ports/strategies.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute, span as spans } from '@maw/telemetry/span-names.ts';
import { tracerOf } from '@maw/telemetry/spans.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import type { DecisionDeps } from './decision/decision.ts';
import { runDecision } from './decision/run-decision.ts';
import { seatTurns } from './decision/seat-turns.ts';
import { loadContext, saveContext, truncateContext } from './contexts.ts';
import { tokenRatios } from './decision/token-ratios.ts';
import { lostDecisions } from './news/lost-decisions.ts';
import { tableEvents } from './news/table-events.ts';
import { learn } from './learn.ts';
import { defaultOptions, type PlayerOptions } from './defaults.ts';
import { readEffort } from './read-effort.ts';
import { readThoughts } from './read-thoughts.ts';
import { sleep } from './sleep.ts';
import { takeSeat } from './take-seat.ts';

export interface PlayerDeps {
  readonly bus: Bus;
  readonly thoughts: Thoughts;
  /** Pools of experience. Absent: recipes that want one go on without. */
  readonly pools?: ExperiencePools;
  /** Sets of strategies. Absent: recipes that want one play by their own. */
  readonly strategies?: Strategies;
  /** Policies. Absent: recipes that ask one choose no tactic. */
  readonly policies?: Policies;
  now(): number;
  /** Waits by the clock of `now`. Default: timers of the system. */
  readonly sleep?: typeof sleep;
  readonly log: Log;
  readonly options?: Partial<PlayerOptions>;
  /** Hears which models' replies cannot be used, once a minute at most, in words for everybody at a table. */
  readonly tell?: ((text: string) => void) | undefined;
  /** The recipes that seats can be given. Default: all. */
  readonly recipes?: readonly Recipe[];
}

export type Player = Awaited<ReturnType<typeof player>>;

interface PlayerState extends DecisionDeps {
  readonly recipes: readonly Recipe[];
  readonly turns: ReturnType<typeof seatTurns>;
  /** By message: until when, in milliseconds since the epoch, its seat counts as one that learns. */
  readonly learning: Map<string, number>;
}

/** Runs minds, one decision at a time per seat. Any replica takes any decision; the memory of seats is in the store. */
export async function player({ options: given, recipes = allRecipes, pools, policies, ...deps }: PlayerDeps) {
  const options = { ...defaultOptions, ...given };
  findRecipe(options.defaultRecipe, recipes); // fails at the start when it does not exist
  const experience = pools && experienceLibrary(pools, deps.now);
  const state: PlayerState = {
    sleep,
    ...deps,
    ...(experience ? { experience } : {}),
    ...(policies ? { policy: policyLibrary((wanted) => loadPolicy(policies, wanted)) } : {}),
    options,
    recipes,
    events: tableEvents(deps.now),
    lost: lostDecisions({ ...deps, options }),
    tokenRatios: tokenRatios(),
    turns: seatTurns(),
    learning: new Map(),
  };
  const { bus, events, lost, turns } = state;
  const closing = new AbortController();
  const subscription = await bus.subscribe(['table.moved', 'room.line'], async (message) => {
    if (message.type === 'table.moved') {
      events.tableMoved(message);
      lost.tableMoved(message);
    } else events.roomChanged(message.subject, message.data);
  });
  events.beginAt(deps.now());
  const consumer = await bus.consume(
    'player',
    ['seat.invited', 'seat.decide', 'seat.finished', ...ABOUT_MINDS],
    { concurrency: options.concurrency },
    async (message, delivery: Delivery) =>
      isAboutMinds(message)
        ? answerAboutMinds(state.thoughts, message)
        : handle(state, message, AbortSignal.any([closing.signal, delivery.signal])),
  );
  return {
    /** How many seats and tables are in memory; for tests. */
    size: () => ({ seats: turns.size(), tables: events.size() }),
    /** How many seats learn from a finished round just now, or soon again. */
    learners: () => [...state.learning.values()].filter((until) => until > deps.now()).length,
    /** Stops consuming and hands decisions in flight to other replicas. It does not wait for them: they last as long as a phase. */
    async close(): Promise<void> {
      const stopped = consumer.stop();
      closing.abort(new Error('the player is closing; another replica goes on'));
      await stopped;
      await subscription.stop();
    },
  };
}

/** What is asked about minds by people, and done to them. */
const ABOUT_MINDS = ['mind.thoughts', 'mind.effort', 'mind.context', 'mind.load', 'mind.truncate'] as const;
type AboutMinds = Message<(typeof ABOUT_MINDS)[number]>;

const isAboutMinds = (message: Message): message is AboutMinds => (ABOUT_MINDS as readonly string[]).includes(message.type);

/** Answers what minds thought and have in mind, without playing any seat. */
export const thoughtReader = ({ bus, thoughts }: Pick<PlayerDeps, 'bus' | 'thoughts'>): Promise<Subscription> =>
  bus.consume('player', ABOUT_MINDS, { concurrency: 1 }, (message) => answerAboutMinds(thoughts, message));

function answerAboutMinds(thoughts: Thoughts, message: AboutMinds): Promise<Reply> {
  switch (message.type) {
    case 'mind.thoughts':
      return readThoughts(thoughts, message);
    case 'mind.effort':
      return readEffort(thoughts, message);
    case 'mind.context':
      return saveContext(thoughts, message);
    case 'mind.load':
      return loadContext(thoughts, message);
    case 'mind.truncate':
      return truncateContext(thoughts, message);
  }
}

async function handle(
  state: PlayerState,
  message: Message<'seat.invited' | 'seat.decide' | 'seat.finished'>,
  stop: AbortSignal,
): Promise<void> {
  const recipe = recipeOf(state, message.data);
  if (message.type === 'seat.invited') return takeSeat({ ...state, signal: stop }, recipe, message);
  if (message.type === 'seat.finished') return learnAndCount(state, recipe, message, stop);
  const { subject: table, id, sequence = 0, data } = message;
  const attributes = {
    [attribute.table]: table,
    [attribute.seat]: data.seat,
    [attribute.decision]: id,
    [attribute.verb]: publicVerbs(data.questions),
    [attribute.recipe]: recipe.name,
  };
  return tracerOf('player').startActiveSpan(spans.decide, { attributes }, async (span) => {
    metrics.thinking.inc({ service: 'player' });
    const handOver = new AbortController();
    const tired = () => handOver.abort(new ComeAgain('the message has been kept for long; the decision goes on when it comes again'));
    const timer = setTimeout(tired, state.options.keepMessageMs);
    try {
      const turn = { seat: `${table}:${data.seat}`, id, sequence };
      await state.turns.take(turn, (over) => runDecision(state, recipe, message, { over, stop, handOver: handOver.signal }));
    } finally {
      clearTimeout(timer);
      metrics.thinking.dec({ service: 'player' });
      span.end();
    }
  });
}

/** A secret question beside public ones would tell the role of its seat. */
const publicVerbs = (questions: readonly Asking[]): string =>
  [...new Set(questions.flatMap(({ secret, verb }) => (secret ? [] : [verb])))].join(', ');

/** A message whose handling failed is delivered again after a delay: until then its seat is counted too. */
async function learnAndCount(state: PlayerState, recipe: Recipe, message: Message<'seat.finished'>, signal: AbortSignal): Promise<void> {
  const { learning, now } = state;
  for (const [id, until] of learning) if (until <= now()) learning.delete(id); // came no more, or to another replica
  learning.set(message.id, Infinity);
  try {
    await untraced(() => learn({ ...state, signal }, recipe, message));
    learning.delete(message.id);
  } catch (error) {
    learning.set(message.id, now() + 2 * Math.max(...DELAYS_MS));
    throw error;
  }
}

/** @throws PermanentError for an unknown recipe or parameter */
function recipeOf(
  { options, recipes }: PlayerState,
  { recipe, parameters }: Message<'seat.invited' | 'seat.decide' | 'seat.finished'>['data'],
): Recipe {
  try {
    return findRecipe(recipe ?? options.defaultRecipe, recipes, parameters);
  } catch (cause) {
    throw new PermanentError((cause as Error).message, { cause });
  }
}
