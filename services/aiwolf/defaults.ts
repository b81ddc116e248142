import { PEOPLE_LOBBY_MS } from '@maw/aiwolf/server/server-terms.ts';

export interface AiwolfServiceOptions {
  /** How long a reply of another service is awaited before the request is repeated, in milliseconds. */
  readonly requestMs: number;
  /** How long to wait after a request that failed, and before a table is opened again that was refused for want of room, in milliseconds. */
  readonly retryMs: number;
  /** How often a table is read without news of it, in milliseconds: news can be lost. */
  readonly pollMs: number;
  /** After a restart: how long agents that have not returned yet are waited for, in milliseconds. */
  readonly graceMs: number;
  /** How long the minds of a table may take to sit down, in milliseconds. */
  readonly lobbyMs: number;
  /** How long a table waits in the Lobby for people, in milliseconds. */
  readonly peopleLobbyMs: number;
}

export const defaultOptions: AiwolfServiceOptions = {
  requestMs: 10_000,
  retryMs: 1_000,
  pollMs: 2_000,
  graceMs: 30_000,
  lobbyMs: 60_000,
  peopleLobbyMs: PEOPLE_LOBBY_MS,
};
