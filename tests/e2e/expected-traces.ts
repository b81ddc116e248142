/** One span is begun within another, or by what it has sent. */
export interface Edge {
  /** `service: name`; `*` stands for the name of a step or a model. */
  readonly parent: string;
  readonly child: string;
}

/** Every arrow within the trace of a decision, from the question to the act. Answers to requests go back along the same way. */
export const edges: readonly Edge[] = [
  { parent: 'gamemaster: ask seat', child: 'gamemaster: send seat.decide' },
  { parent: 'gamemaster: send seat.decide', child: 'player: process seat.decide' },
  { parent: 'player: process seat.decide', child: 'player: decide' },
  { parent: 'player: decide', child: 'player: act *' },
  { parent: 'player: act *', child: 'player: send llm.complete' },
  { parent: 'player: send llm.complete', child: 'llm-gateway: process llm.complete' },
  { parent: 'llm-gateway: process llm.complete', child: 'llm-gateway: chat *' },
  { parent: 'llm-gateway: chat *', child: 'llm-gateway: attempt' },
  { parent: 'player: send table.act', child: 'gamemaster: process table.act' },
  { parent: 'gamemaster: process table.act', child: 'gamemaster: take act' },
  { parent: 'player: send room.speak', child: 'chatroom: process room.speak' },
  { parent: 'chatroom: send table.act', child: 'gamemaster: process table.act' },
];

/** Those that write no line in a good game: they are sent what nobody can read, and write one of that. */
export const silent = ['gamemaster', 'chatroom', 'player', 'llm-gateway'] as const;

/** Which service gives which signal while minds play at a table: spans, measures of its own, lines that name a trace. */
export const signals: readonly (readonly [service: string, ...('spans' | 'metrics' | 'lines')[]])[] = [
  ['gamemaster', 'spans', 'metrics', 'lines'],
  ['chatroom', 'spans', 'metrics', 'lines'],
  ['player', 'spans', 'metrics', 'lines'],
  ['llm-gateway', 'spans', 'metrics', 'lines'],
  ['web', 'spans', 'metrics', 'lines'],
];
