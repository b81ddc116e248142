/** A figure that was measured, and where it stands. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
  /** The section of docs/benchmarks.md. */
  readonly section: string;
  /** The day of the measurement. */
  readonly date: string;
}

const scale = (value: number, unit: string): Figure => ({ value, unit, section: 'Scale', date: '2026-11-22' });
const memory = (value: number, unit: string): Figure => ({ value, unit, section: 'A hundred games at once', date: '2026-11-20' });
const stored = (value: number, unit: string): Figure => ({ value, unit, section: 'What a game stores', date: '2026-11-23' });

/** Of a game of seven minds without a model: what every game costs, whatever thinks in it. */
export const base = {
  messages: scale(449, 'messages a game'),
  events: scale(159, 'events a game'),
  services: scale(0.939, 's of processor time a game'),
  servers: scale(0.93, 's of processor time a game'),
} as const;

/** How a game's processor time is divided among the services, and among broker and database. */
export const shares = {
  'gamemaster': scale(0.337, 'of the services'),
  'chatroom': scale(0.123, 'of the services'),
  'player': scale(0.41, 'of the services'),
  'llm-gateway': scale(0.036, 'of the services'),
  'web': scale(0.094, 'of the services'),
  'rabbitmq': scale(0.48, 'of both servers'),
  'postgresql': scale(0.52, 'of both servers'),
} as const;

/** Memory of one process: at rest, and for each game that it has in hand. */
export const memories = {
  'gamemaster': { rest: memory(124, 'MiB'), game: memory(1.97, 'MiB a game') },
  'chatroom': { rest: memory(119, 'MiB'), game: memory(1.81, 'MiB a game') },
  'player': { rest: memory(120, 'MiB'), game: memory(2.56, 'MiB a game') },
  'llm-gateway': { rest: memory(130, 'MiB'), game: memory(0, 'MiB a game') },
  'web': { rest: memory(128, 'MiB'), game: memory(0.56, 'MiB a game') },
} as const;

/** What a call of a model costs beside the model. */
export const call = {
  messages: { value: 2.5, unit: 'messages a call', section: 'Messages per played action', date: '2026-11-23' },
  gateway: { value: 0.000_228, unit: 's of processor time a call', section: 'Gateway: overhead', date: '2026-11-24' },
  player: { value: 0.002, unit: 's of processor time a call', section: 'Minds', date: '2026-11-23' },
  broker: { value: 0.001_15, unit: 's of processor time a message', section: 'Scale', date: '2026-11-22' },
} as const satisfies Record<string, Figure>;

/** Rows and bytes in the database, indexes included. */
export const rows = {
  event: stored(532, 'bytes an event'),
  lines: stored(80, 'lines a game'),
  line: stored(382, 'bytes a line'),
  seat: stored(72_000, 'bytes of memory a seat'),
  thoughts: stored(5.2, 'rows of thoughts a call'),
  thought: stored(3_090, 'bytes a row of thoughts'),
} as const;

/** What cannot be divided among more machines within one cell, and how much of it was seen. */
export const limits = {
  gateway: { value: 4_564, unit: 'calls/s by one leader', section: 'Gateway: overhead', date: '2026-11-24' },
  broker: { value: 6_706, unit: 'messages/s on two cores', section: 'Scale', date: '2026-11-22' },
  tape: { value: 9_393, unit: 'events/s of 64 tables', section: 'Events into the tape', date: '2026-11-22' },
} as const satisfies Record<string, Figure>;

/** What minds of a recipe ask of a model in a game. */
export interface RecipeLoad {
  readonly seats: number;
  readonly decisions: number;
  /** Of a decision. */
  readonly calls: number;
  /** Calls of a decision in a row. */
  readonly chain: number;
  /** Of a decision, estimated. */
  readonly promptTokens: number;
}

type Row = readonly [decisions: number, calls: number, chain: number, promptTokens: number];
const seatsOf = { 'maw': 6, 'aiwolf': 5, 'avalon': 5, 'onuw': 5, 'werewolf-7': 7 } as const;
export type PlannedRules = keyof typeof seatsOf;
export const plannedRules = Object.keys(seatsOf) as readonly PlannedRules[];

/** docs/benchmarks.md, Minds, 2026-11-23: in the order of `plannedRules`. */
const minds: Readonly<Record<string, readonly [Row, Row, Row, Row, Row]>> = {
  'algorithm-1': [
    [80, 1, 1, 818],
    [88, 1, 1, 1041],
    [65, 1, 1, 845],
    [22, 1, 1, 853],
    [481, 1, 1, 2586],
  ],
  'lan': [
    [80, 3.7, 5, 2838],
    [88, 4, 5, 4150],
    [65, 4.3, 5, 3455],
    [22, 4.8, 5, 4376],
    [481, 4.4, 5, 4661],
  ],
  'onuw': [
    [80, 3, 3, 3129],
    [88, 2.8, 3, 3435],
    [65, 2.2, 3, 2262],
    [22, 2.6, 3, 2917],
    [481, 2.1, 3, 5909],
  ],
  'react': [
    [80, 1, 1, 878],
    [88, 1, 1, 1093],
    [65, 1, 1, 896],
    [22, 1, 1, 905],
    [481, 1, 1, 2637],
  ],
  'recon': [
    [80, 3.6, 4, 2999],
    [88, 3.5, 4, 4237],
    [56, 3.8, 4, 3562],
    [22, 3.4, 4, 3345],
    [481, 4, 4, 7224],
  ],
  'werewolf-arena': [
    [73, 1.2, 3, 1025],
    [88, 1, 1, 1200],
    [65, 1.3, 2, 1171],
    [22, 1, 1, 982],
    [481, 1.4, 2, 2581],
  ],
  'xu': [
    [80, 11, 5, 9368],
    [88, 11, 5, 12432],
    [65, 11, 5, 10139],
    [22, 11, 5, 11215],
    [481, 11, 5, 12145],
  ],
  'rules': [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ],
};
export const plannedRecipes = Object.keys(minds);

/** @throws Error for a recipe that was not measured */
export function recipeLoad(recipe: string, rules: PlannedRules): RecipeLoad {
  const row = minds[recipe]?.[plannedRules.indexOf(rules)];
  if (!row) throw new Error(`the recipe ${recipe} was not measured; there are figures for ${plannedRecipes.join(', ')}`);
  const [decisions, calls, chain, promptTokens] = row;
  return { seats: seatsOf[rules], decisions, calls, chain, promptTokens };
}
