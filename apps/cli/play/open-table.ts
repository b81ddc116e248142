import type { WebClient } from '../clients/web-client.ts';
import type { PlayOptions } from './play-options.ts';

/** Opens a table and returns its id. At a running system, a person takes a table with a free seat instead, when there is one. */
export async function openTable(web: WebClient, options: PlayOptions, isRemote: boolean): Promise<string> {
  if (isRemote && options.human !== undefined) {
    const waiting = (await web.tables()).find(({ free, stage }) => stage === 'lobby' && free > 0);
    if (waiting) return waiting.table;
  }
  const rules = await web.rules(options.rules);
  const players = options.players ?? rules.players.usual;
  const phaseTimes = Object.keys(rules.options).filter((name) => name.endsWith('Ms'));
  const seats = Array.from({ length: players }, (_, seat) => ({
    kind: seat === 0 && options.human !== undefined ? ('person' as const) : ('mind' as const),
    ...(options.minds.length ? { recipe: options.minds[seat % options.minds.length]! } : {}),
    ...(isRemote && options.model !== undefined ? { model: options.model } : {}),
  }));
  const { table } = await web.open({
    rules: options.rules,
    players,
    seats,
    rounds: options.rounds,
    options: { ...Object.fromEntries(phaseTimes.map((name) => [name, Math.round(options.seconds * 1000)])), ...options.option },
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    lobbyMs: 120_000,
    pauseMs: 3_000,
    spectators: 'narrator',
  });
  return table;
}
