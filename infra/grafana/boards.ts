import { agentTraffic } from './agent-traffic.ts';
import { type Board, built } from './board.ts';
import { brokerAndStore } from './broker-and-store.ts';
import { gateway } from './gateway.ts';
import { oneTable } from './one-table.ts';
import { overview } from './overview.ts';

export const boards: readonly Board[] = [overview, agentTraffic, gateway, oneTable, brokerAndStore];

/** The file of every board, by its path from the root: JSON. */
export const boardFiles = (): readonly (readonly [path: string, json: string])[] =>
  boards.map((board) => [`infra/grafana/boards/${board.uid}.json`, JSON.stringify(built(board))]);
