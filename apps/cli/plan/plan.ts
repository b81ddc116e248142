import { numberColumns, say } from '../output.ts';
import { type Demand, demandOf } from './demand.ts';
import { base, call, limits, memories, type PlannedRules, recipeLoad, type RecipeLoad, rows } from './measured.ts';
import { type PoolResult, simulatePool } from './model-pool.ts';

interface PlanOptions {
  readonly games: number;
  readonly recipe: string;
  readonly rules: PlannedRules;
  readonly model?: string;
  readonly slots?: number;
  readonly callSeconds: number;
  readonly answerTokens: number;
  readonly minutes: number;
  readonly price: { readonly prompt: number; readonly answer: number };
  readonly json: boolean;
}

/** `maw plan`: what games at once need. @throws Error for a recipe that was not measured */
export function plan(options: PlanOptions): void {
  const { games, minutes, callSeconds, answerTokens, price } = options;
  const load = recipeLoad(options.recipe, options.rules);
  const demand = demandOf({ games, load, minutes, callSeconds, answerTokens, price });
  const slots = options.slots ?? demand.slots.wanted;
  const pool = load.calls ? simulatePool({ games, slots, load, minutes, callSeconds }) : undefined;
  if (options.json) return say(JSON.stringify({ ...options, json: undefined, demand, pool }));
  for (const line of [
    ...heading(options, load),
    '',
    ...machines(demand),
    '',
    ...models(options, demand, slots, pool),
    '',
    ...boundaries(demand),
    '',
    ...sources(),
  ])
    say(line);
}

function heading({ games, recipe, rules, model, minutes, callSeconds, answerTokens }: PlanOptions, { seats }: RecipeLoad): string[] {
  const thinks = recipe === 'rules' ? 'without a model' : `with ${model ?? 'a model'}`;
  return [
    `${number(games)} games of ${rules} at once, ${seats} seats each, recipe ${recipe} ${thinks}.`,
    `Assumed: a game takes ${minutes} minutes${recipe === 'rules' ? '' : `, a call holds a slot for ${callSeconds} s, an answer has ${answerTokens} tokens`}.`,
  ];
}

function machines({ services, messagesPerSecond, eventsPerSecond, rowsPerDay, bytesPerDay, gamesPerSecond }: Demand): string[] {
  const table = services.map(({ name, processors, mebibytes }) => [
    name,
    processors.toFixed(processors < 10 ? 2 : 0),
    mebibytes === undefined ? '' : `${number(mebibytes / 1024, 1)} GiB`,
  ]);
  const total = services.reduce((sum, { processors }) => sum + processors, 0);
  return [
    ...numberColumns([['', 'busy processors', 'memory'], ...table, ['together', total.toFixed(total < 10 ? 2 : 0), '']]).split('\n'),
    `${number(gamesPerSecond, 2)} games, ${number(messagesPerSecond)} messages and ${number(eventsPerSecond)} events a second.`,
    `The database grows by ${number(rowsPerDay / 1e6, 1)} million rows and ${number(bytesPerDay / 2 ** 30, 1)} GiB a day.`,
  ];
}

function models({ games, slots: given }: PlanOptions, demand: Demand, slots: number, pool: PoolResult | undefined): string[] {
  if (!pool) return ['No model is asked.'];
  const { callsPerGame, tokensPerGame, slots: needed, decisionSeconds, costPerGame, callsPerSecond } = demand;
  const smaller = pool.games < games ? `, in a pool of ${number(pool.slots)} slots for ${number(pool.games)} games` : '';
  return [
    `A game asks its model ${number(callsPerGame)} times: ${number(tokensPerGame.prompt)} tokens of prompts, ${number(tokensPerGame.answer)} of answers.`,
    `${number(callsPerSecond, 1)} calls a second keep ${number(needed.busy, 1)} slots busy; with room for bursts that is ${number(needed.wanted)} slots.`,
    `Simulated with the gateway's queue and ${number(slots)} slots${given === undefined ? '' : ' as given'}${smaller}: ${percent(pool.utilisation)} busy, a call waits ${seconds(pool.wait.p50)} (p50) or ${seconds(pool.wait.p99)} (p99).`,
    `A decision takes ${seconds(pool.decision.p50)} (p50) or ${seconds(pool.decision.p99)} (p99); its calls in a row alone take ${seconds(decisionSeconds)}.`,
    ...(pool.utilisation > 0.97
      ? ['These slots are too few: the queue grows as long as games are played, and new tables are refused.']
      : []),
    ...(costPerGame
      ? [`A game costs ${costPerGame.toPrecision(3)}, all games ${number(costPerGame * demand.gamesPerSecond * 86_400)} a day.`]
      : []),
  ];
}

function boundaries({ limits: used }: Demand): string[] {
  const [first] = used;
  const uses = used.map(({ name, used: now, of, unit, games }) => [
    name,
    number(now),
    `${number(of)} ${unit}`,
    Number.isFinite(games) ? number(games) : 'never',
  ]);
  return [
    ...numberColumns([['of one cell', 'needed', 'seen', 'used up at games'], ...uses]).split('\n'),
    first!.used > first!.of
      ? `${capital(first!.name)} are the first limit: one cell bears ${number(first!.games)} such games, these need ${number(Math.ceil(first!.used / first!.of))} cells (docs/scaling.md).`
      : `One cell is enough; ${first!.name} would be the first limit.`,
  ];
}

/** Where the figures come from: each section once, with its date. */
function sources(): string[] {
  const all = [base, call, limits, rows, ...Object.values(memories)].flatMap(
    (group) => Object.values(group) as { section: string; date: string }[],
  );
  const named = new Set(all.map(({ section, date }) => `${section} (${date})`));
  return [
    `Figures: docs/benchmarks.md: ${[...named].join(', ')}. They are of two cores, most of them taken beside other work, and grow with the number of games in a straight line: a plan, not a promise.`,
  ];
}

const number = (value: number, digits = 0): string => value.toLocaleString('en', { maximumFractionDigits: digits });
const percent = (share: number): string => `${Math.round(100 * share)} %`;
const seconds = (value: number): string => `${number(value, 1)} s`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
