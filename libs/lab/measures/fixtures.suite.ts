import type { GameRecord } from './game-record.ts';

/** A game in which nothing happened, but for what is given. */
export const gameRecord = (more: Partial<GameRecord> = {}): GameRecord => ({
  table: 't1',
  round: 1,
  rules: 'avalon',
  options: {},
  names: [],
  recipes: [],
  roles: [],
  finals: more.roles ?? [],
  winner: 'good',
  winners: [],
  days: 1,
  lastTeams: [],
  cards: [],
  proposals: [],
  votes: [],
  ballots: [],
  dead: [],
  choices: [],
  ...more,
});
