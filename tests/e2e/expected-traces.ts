/** One span is begun within another, or by what it has sent. */
export interface Edge {
  /** `service: name`; `*` stands for the name of a step or a model. */
  readonly parent: string;
  readonly child: string;
}

/** Every arrow within the trace of a decision, from the question to the act. Answers to requests go back along the same way. */
export const edges: readonly Edge[] = [
  { parent: 'gamemaster: ask seat', child: 'gamemaster: publish commands:seat.decide' },
  { parent: 'gamemaster: publish commands:seat.decide', child: 'player: process commands:seat.decide:player' },
  { parent: 'player: process commands:seat.decide:player', child: 'player: decide' },
  { parent: 'player: decide', child: 'player: act *' },
  { parent: 'player: act *', child: 'player: publish commands:llm.complete' },
  { parent: 'player: publish commands:llm.complete', child: 'llm-gateway: process commands:llm.complete:llm-gateway' },
  { parent: 'llm-gateway: process commands:llm.complete:llm-gateway', child: 'llm-gateway: chat *' },
  { parent: 'llm-gateway: chat *', child: 'llm-gateway: attempt' },
  { parent: 'player: publish commands:table.act', child: 'gamemaster: process commands:table.act:gamemaster' },
  { parent: 'gamemaster: process commands:table.act:gamemaster', child: 'gamemaster: take act' },
  { parent: 'player: publish commands:room.speak', child: 'chatroom: process commands:room.speak:chatroom' },
  { parent: 'chatroom: publish commands:table.act', child: 'gamemaster: process commands:table.act:gamemaster' },
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
