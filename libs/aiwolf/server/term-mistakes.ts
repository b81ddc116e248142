import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { PRESETS } from '@maw/games/aiwolf/presets.ts';
import type { z } from 'zod';

const MIND = 'the name of a mind, or {"recipe": NAME, "parameters": {...}}';
const MILLISECONDS = 'a whole number of milliseconds, at most 3600000';

/** What each term of a server must be. */
const FIELDS: { readonly [field: string]: string } = {
  division: 'protocol or natural',
  host: 'an address to listen on, such as 127.0.0.1 or 0.0.0.0',
  port: 'a whole number from 0 (any free port) to 65535',
  players: `a whole number from ${aiwolf.players.least} to ${aiwolf.players.most}`,
  agents: 'a whole number from 1 to the number of players',
  people: `a whole number from 0 to ${aiwolf.players.most}`,
  peopleMs: `${MILLISECONDS} and at least 10`,
  games: 'a whole number from 1 to 1000',
  sets: 'a whole number from 1 on; leave it out to play without end',
  fill: MIND,
  standIn: MIND,
  answerMs: `${MILLISECONDS} and at least 1`,
  extraMs: MILLISECONDS,
  signMs: MILLISECONDS,
  faults: 'a whole number from 1 on',
  perAddress: 'a whole number from 1 on',
  contests: 'true or false',
  awayMs: `${MILLISECONDS} and at least 1`,
  strict: 'true or false',
  preset: `one of ${PRESETS.join(', ')}`,
  options: 'an object with options of the rule set: {"language": "free"}',
  match: 'any in the protocol division; any, teams or self in the other',
  secret: 'a text that is not empty',
};

/** A mistake in the terms of a server, in words that say what to write instead. It never shows a value: that may be a secret. */
export function mistakeOf(issue: z.core.$ZodIssue, isMissing: boolean): string {
  if (issue.code === 'custom') return issue.message;
  const field = issue.path.find((part) => typeof part === 'string');
  if (field === 'options' && issue.path.at(-1) !== field) return 'must be a text, a number, true or false';
  if (field !== undefined) return `${isMissing ? 'is missing; it must be' : 'must be'} ${FIELDS[field] ?? 'left out'}`;
  if (issue.code === 'unrecognized_keys')
    return `${issue.keys.join(', ')} ${issue.keys.length > 1 ? 'are no terms' : 'is no term'} of a server of this division; leave out what it does not have`;
  return issue.path.length
    ? 'must be an object with the terms of a server'
    : 'must be an array with the terms of each: [{"division": ..., "port": ...}]';
}

/** Whether there is nothing at this place of a JSON value. */
export const isMissingAt = (value: unknown, path: readonly PropertyKey[]): boolean =>
  path.reduce<unknown>((part, key) => (part as { readonly [key: PropertyKey]: unknown } | undefined)?.[key], value) === undefined;
