import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { rolesIn, sidesAmong } from '@maw/games/roles.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { policyOf, poolOf } from '@maw/recipes/parameters.ts';
import { isRecipeFile, recipeOf, whyNotInArena } from './agent-recipe.ts';
import { carriedBy } from './schedules/carried.ts';
import { seatsOf } from './deal.ts';
import { type Agent, agentShape, type Cell, type Contest, type ContestGame, gameShape, type Mistake } from './definition.ts';
import { isBalanceable } from './schedules/scheduled.ts';
import { outsideFieldMistakes, outsideMistakes } from './outside/outside-agents.ts';
import { planOf } from './schedules/plan.ts';

interface Checked {
  /** Whether agents may name the files of their recipes. */
  readonly allowsFiles: boolean;
}

/** Every mistake of a contest that has the right shape. */
export function mistakesOf(contest: Contest, recipes: readonly Recipe[], options: Checked): readonly Mistake[] {
  const { agents, games, play } = contest;
  const wrongGames = games.flatMap((game, i) => gameMistakes(game, i));
  return [
    ...twice(agents, 'agents', 'agent'),
    ...agents.flatMap((agent, i) => agentMistakes(agent, i, play, recipes, options)),
    ...wrongGames,
    ...outsideMistakes(contest),
    ...strangers(contest),
    ...learningMistakes(contest, recipes),
    // What a schedule asks for speaks of seats and sides, which only a right game has.
    ...(wrongGames.length ? [] : [...scheduleMistakes(contest), ...lengthMistakes(contest)]),
    ...stoppingMistakes(contest, recipes),
  ];
}

/** The mistakes of those agents and games that have the right shape, in a contest that has not. */
export function partMistakes(contest: unknown, recipes: readonly Recipe[], options: Checked): readonly Mistake[] {
  const { agents, games, play } = Object(contest) as { readonly [field: string]: unknown };
  const way = play === 'arena' || play === 'tables' ? play : 'auto';
  return [
    ...listed(agents).flatMap((each, i) => {
      const agent = agentShape.safeParse(each).data;
      return agent ? agentMistakes(agent, i, way, recipes, options) : [];
    }),
    ...listed(games).flatMap((each, i) => {
      const game = gameShape.safeParse(each).data;
      return game ? gameMistakes(game, i) : [];
    }),
  ];
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whoever plays or reports a contest knows all its games: more would not fit into memory. */
const MAX_GAMES = 1_000_000;

function lengthMistakes(contest: Contest): readonly Mistake[] {
  const { total, rounds } = planOf(contest);
  const games = total * rounds;
  if (games <= MAX_GAMES) return [];
  const says = `it has ${games.toLocaleString('en')} games, and a contest at most ${MAX_GAMES.toLocaleString('en')}; name fewer deals, sets or agents`;
  return [{ path: ['schedule'], says }];
}

const twice = (
  named: readonly { readonly name: string }[],
  at: string,
  what: string,
  path: readonly PropertyKey[] = [],
): readonly Mistake[] =>
  named.flatMap(({ name }, i) =>
    named.findIndex((other) => other.name === name) === i
      ? []
      : [{ path: [...path, at, i, 'name'], says: `there is another ${what} called ${name}; give one of them another name` }],
  );

function agentMistakes(
  agent: Agent,
  i: number,
  play: Contest['play'],
  recipes: readonly Recipe[],
  { allowsFiles }: Checked,
): readonly Mistake[] {
  const mistake = (field: string, says: string): Mistake => ({ path: ['agents', i, field], says });
  if (agent.outside !== undefined) return outsideFieldMistakes(agent, i, play);
  if (agent.over !== undefined) return [mistake('over', 'it says how an outside agent connects; add outside: NAME, or leave it out')];
  if (agent.recipe === undefined)
    return [{ path: ['agents', i], says: 'say its recipe, or with outside: the name that it tells when it connects' }];
  if (isRecipeFile(agent) && !allowsFiles)
    return [mistake('recipe', `${agent.recipe} is a file, which only maw on this machine reads; name one of ${namesOf(recipes)}`)];
  const plain = tryTo(() => recipeOf({ recipe: agent.recipe }, recipes));
  if (typeof plain === 'string') return [mistake('recipe', plain)];
  const recipe = tryTo(() => recipeOf(agent, recipes));
  const pool = typeof recipe === 'string' ? undefined : poolOf(recipe.values);
  const policy = typeof recipe === 'string' ? undefined : policyOf(recipe.values);
  return [
    ...(typeof recipe === 'string' ? [mistake('parameters', recipe)] : []),
    ...(pool !== undefined && !pool.includes('@')
      ? [mistake('parameters', `experience: ${pool} may grow while the contest runs; say its version, such as ${pool}@1`)]
      : []),
    ...(policy === undefined || /.@\d+$/.test(policy) ? [] : [mistake('parameters', policyMistake(policy))]),
    ...(play === 'arena' ? arenaMistakes(plain).map((says) => mistake('recipe', says)) : []),
    ...(!plain.usesModel && agent.model !== undefined ? [mistake('model', `${plain.name} asks no model; leave it out`)] : []),
  ];
}

/** Deals whose experience is learnt: a pool has a version for each game, with all games before it, so it grows by the square. */
const MAX_EXPERIENCE = 200;

/** What agents cannot learn from game to game. */
const learningMistakes = ({ agents, schedule, play }: Contest, recipes: readonly Recipe[]): readonly Mistake[] =>
  agents.flatMap((agent, i) => {
    if (!agent.learns) return [];
    const recipe = agent.outside === undefined ? tryTo(() => recipeOf(agent, recipes)) : undefined;
    const carried = typeof recipe === 'object' ? carriedBy(recipe) : [];
    const deals = 'deals' in schedule ? schedule.deals : 0;
    const says = [
      ...(schedule.kind === 'cells' || schedule.kind === 'sides'
        ? []
        : [`the schedule ${schedule.kind} has no cells; cells and sides have`]),
      ...(play === 'arena' ? ['play: arena keeps nothing from game to game; write play: tables, or leave play out'] : []),
      ...(agent.outside === undefined ? [] : ['an outside agent has its own memory; leave it out']),
      ...(carried.includes('experience') && deals > MAX_EXPERIENCE
        ? [`${deals} deals are too many to learn from experience: each adds a copy of the pool; name at most ${MAX_EXPERIENCE}`]
        : []),
      ...(typeof recipe === 'object' && !carried.length ? [`${recipe.name} with these parameters ${NOTHING_TO_TAKE}`] : []),
    ];
    return says.map((each) => ({ path: ['agents', i, 'learns'], says: each }));
  });

const NOTHING_TO_TAKE =
  'takes nothing along: it needs steps after a game and the parameter strategies, which is off, or the parameter experience, which is empty';

const policyMistake = (policy: string): string =>
  policy === ''
    ? 'tactic: rl wants a policy; say which, such as policy: talk@1'
    : `policy: ${policy} may get a newer version while the contest runs; say its version, such as ${policy}@1`;

const arenaMistakes = (recipe: Recipe): readonly string[] =>
  whyNotInArena(recipe).map((why) => `${recipe.name} ${why}; write play: tables, or leave play out`);

/** Each option for itself, so that every mistake is told at its place; then all together with the number of players. */
function gameMistakes({ rules, players, options }: ContestGame, i: number): readonly Mistake[] {
  const at = (path: readonly PropertyKey[], says: string): Mistake => ({ path: ['games', i, ...path], says });
  const set = tryTo(() => ruleSetNamed(rules));
  if (typeof set === 'string') return [at(['rules'], set)];
  const single = Object.entries(options).flatMap(([name, value]) => {
    const read = tryTo(() => readOptions(set.options, { [name]: value }));
    return typeof read === 'string' ? [at(['options', name], read.replace(`${name}: `, ''))] : [];
  });
  const whole = tryTo(() => set.rules(players ?? set.players.usual, single.length ? {} : options));
  if (typeof whole !== 'string') return single;
  const isOfPlayers = whole.startsWith('players: ');
  return [...single, isOfPlayers ? at(['players'], whole.replace('players: ', '')) : at([], whole)];
}

/** Agents that are named and not there. */
function strangers({ agents, schedule, stopping: { sprt } }: Contest): readonly Mistake[] {
  const cells = schedule.kind === 'cells' ? schedule.cells : [];
  const named = cells.flatMap(({ sides, seats, others }, i) => [
    ...Object.entries(sides).map(([side, agent]) => ({ path: ['cells', i, 'sides', side], agent })),
    ...Object.entries(seats).map(([seat, agent]) => ({ path: ['cells', i, 'seats', seat], agent })),
    ...(others === undefined ? [] : [{ path: ['cells', i, 'others'], agent: others }]),
  ]);
  return [
    ...named.map(({ path, agent }) => ({ path: ['schedule', ...path], agent })),
    ...(sprt?.agents ?? []).map((agent, i) => ({ path: ['stopping', 'sprt', 'agents', i], agent })),
  ].flatMap(({ path, agent }) =>
    agents.some(({ name }) => name === agent) ? [] : [{ path, says: `there is no agent ${agent}; there are ${namesOf(agents)}` }],
  );
}

function scheduleMistakes(contest: Contest): readonly Mistake[] {
  const { schedule, agents, games } = contest;
  const mistake = (says: string): Mistake => ({ path: ['schedule'], says });
  switch (schedule.kind) {
    case 'set':
      return games.flatMap((game, i) => [
        ...tooFew(agents.length, 'agents', game, i),
        ...leftOut('sets', schedule.sets, agents.length, 'agents', game),
      ]);
    case 'aiwolf-2021':
      return games.flatMap((game, i) => [
        ...tooFew(agents.length, 'agents', game, i),
        ...tooFew(schedule.finalists, 'finalists', game, i),
        ...leftOut('preliminary', schedule.preliminary, agents.length, 'agents', game),
        ...leftOut('final', schedule.final, Math.min(schedule.finalists, agents.length), 'finalists', game),
      ]);
    case 'balanced':
      return games.flatMap((game, i) =>
        isBalanceable(agents.length, seatsOf(game))
          ? []
          : [{ path: ['games', i], says: `${unbalanceable(agents.length, seatsOf(game))}; for two agents there is the schedule sides` }],
      );
    case 'sides':
      if (agents.length === 2) return [];
      return [mistake(`sides is for two agents, not ${agents.length}; for more there are cross and balanced`)];
    case 'cross':
      return agents.length > 1 ? [] : [mistake('cross is for two agents or more; name another one')];
    case 'cells':
      return [
        ...twice(schedule.cells, 'cells', 'cell', ['schedule']),
        ...schedule.cells.flatMap((cell, i) => cellMistakes(contest, cell, i)),
      ];
  }
}

const tooFew = (there: number, what: string, game: ContestGame, i: number): readonly Mistake[] =>
  there >= seatsOf(game)
    ? []
    : [
        {
          path: ['games', i],
          says: `${there} ${what} for the ${seatsOf(game)} seats of ${game.rules}; name more, or play with fewer players`,
        },
      ];

/** That some would never play. @param field where the schedule says how many sets there are */
function leftOut(field: string, sets: number, players: number, what: string, game: ContestGame): readonly Mistake[] {
  const seats = seatsOf(game);
  if (sets * seats >= players) return [];
  const says = `${sets} ${sets === 1 ? 'set' : 'sets'} of ${game.rules} for ${seats} seats leave out some of the ${players} ${what}; write ${Math.ceil(players / seats)} or more`;
  return [{ path: ['schedule', field], says }];
}

const unbalanceable = (agents: number, seats: number): string =>
  `${agents} agents for ${seats} seats cannot be balanced, for some would have more seats than others; name ${seats} agents or more, or a number that divides ${seats}`;

function cellMistakes({ games }: Contest, { sides, seats, others }: Cell, i: number): readonly Mistake[] {
  const path = ['schedule', 'cells', i];
  const known = [...new Set(games.flatMap(({ rules }) => Object.keys(ruleSetNamed(rules).sides ?? {})))];
  const strange = Object.keys(sides).flatMap((side) =>
    known.includes(side) ? [] : [{ path: [...path, 'sides', side], says: `there is no side ${side}; there are ${known.join(', ')}` }],
  );
  const most = Math.max(...games.map(seatsOf));
  const beyond = Object.keys(seats).flatMap((seat) =>
    Number(seat) <= most ? [] : [{ path: [...path, 'seats', seat], says: `there is no seat ${seat}; there are ${most}, counted from 1` }],
  );
  const empty = others !== undefined || games.every((game) => isFull(game, sides, seats));
  return [...strange, ...beyond, ...(empty ? [] : [{ path, says: 'some seats have no agent; say with others: who plays them' }])];
}

/** The sides that may be dealt in a game. Options that do not suit it are told elsewhere. */
const sidesIn = (game: ContestGame): readonly string[] => {
  const text = tryTo(() => ruleSetNamed(game.rules).text(seatsOf(game), game.options ?? {}));
  return sidesAmong(game.rules, rolesIn({ name: game.rules, text }));
};

/** Whether every seat of a game has an agent, whatever is dealt. */
const isFull = (game: ContestGame, sides: Cell['sides'], seats: Cell['seats']): boolean =>
  sidesIn(game).every((side) => side in sides) ||
  Array.from({ length: seatsOf(game) }, (_, seat) => String(seat + 1)).every((seat) => seat in seats);

/** Schedules in which every deal is played by both of two agents, each in the place of the other. */
const PAIRED: readonly string[] = ['balanced', 'sides', 'cross'];

function stoppingMistakes(
  { agents, schedule, stopping: { sprt, maxCost }, prices }: Contest,
  recipes: readonly Recipe[],
): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  const path = ['stopping', 'sprt'];
  if (sprt) {
    const { agents: [one, two], bounds } = sprt; // prettier-ignore
    if (one === two) mistakes.push({ path: [...path, 'agents'], says: `${one} cannot be compared with itself; name two agents` });
    if (!(bounds[0] < bounds[1])) mistakes.push({ path: [...path, 'bounds'], says: 'write the smaller bound first, then the larger one' });
    if (!PAIRED.includes(schedule.kind))
      mistakes.push({ path, says: `the schedule ${schedule.kind} does not play each deal with both agents in the same places; ${PAIRED.join(', ')} do` }); // prettier-ignore
  }
  if (maxCost === undefined) return mistakes;
  const never = whyNeverReached({ agents, prices }, recipes);
  if (never !== undefined) mistakes.push({ path: ['stopping', 'maxCost'], says: never });
  for (const [i, agent] of agents.entries()) {
    const recipe = tryTo(() => recipeOf(agent, recipes));
    if (typeof recipe === 'string' || !recipe.usesModel) continue;
    if (agent.model === undefined)
      mistakes.push({ path: ['agents', i], says: 'with a limit of cost, say its model, so that there is a price' });
    else if (!Object.hasOwn(prices, agent.model))
      mistakes.push({ path: ['prices'], says: `there is no price of ${agent.model}, so stopping.maxCost cannot be kept; add it` });
  }
  return mistakes;
}

/** Why a limit of cost can never be reached; undefined where it can. */
export function whyNeverReached({ agents, prices }: Pick<Contest, 'agents' | 'prices'>, recipes: readonly Recipe[]): string | undefined {
  const asking = agents.filter((agent) => {
    const recipe = agent.outside === undefined ? tryTo(() => recipeOf(agent, recipes)) : { usesModel: false };
    return typeof recipe === 'string' || recipe.usesModel;
  });
  if (!asking.length) return 'no agent asks a model, so nothing costs anything; leave it out';
  const isFree = asking.every(({ model = '' }) => prices[model] && !prices[model].prompt && !prices[model].completion);
  return isFree ? 'the prices of all models are 0, so it is never reached; leave it out, or write what they cost' : undefined;
}

const namesOf = (all: readonly { readonly name: string }[]): string => {
  const names = all.map(({ name }) => name);
  return names.length > 20 ? `${names.slice(0, 20).join(', ')} and ${names.length - 20} more` : names.join(', ');
};

/** What comes of a function, or what it says is wrong. */
function tryTo<T>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    return error instanceof Refusal ? error.detail : (error as Error).message;
  }
}
