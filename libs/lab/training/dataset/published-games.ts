import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { labelsFor } from '@maw/learning/observation/observation.ts';
import { readTextFile } from '@maw/text/text-file.ts';
import { type Choice, type Dataset, jsonValue } from './dataset.ts';
import { type Reward, rewarded } from './rewards.ts';
import { TACTICS_004 } from '@maw/learning/policy/tactics.ts';

const roles = z.record(z.string().min(1), z.string().min(1));

/** A game as the program of document 004 writes it (KylJin/Werewolf, `dataset_process`). What is not needed is not read. */
const PublishedGame = z.object({
  messages: z.array(
    z.object({
      agent_name: z.string(),
      /** What it believed before it spoke, in words. */
      belief: z.string(),
      /** The tactic of a speech; else empty. */
      strategy: z.string(),
      content: z.string(),
      /** `all`, a player, or several. */
      visible_to: z.union([z.string(), z.array(z.string())]),
    }),
  ),
  evaluation: z.object({
    /** By player, as dealt. */
    roles_assigned: roles,
    /** By player, at the end. */
    roles_ground_truth: roles,
    /** By player: the votes it got. */
    voting_result: z.record(z.string(), z.int().min(0)),
    winner: z.string(),
  }),
});
type PublishedGame = z.infer<typeof PublishedGame>;
type PublishedMessage = PublishedGame['messages'][number];

const MODERATOR = 'Moderator';
const [NIGHT_ENDS, DAY_ENDS] = ['Night phase ends.', 'Day phase ends.'] as const;

/**
 * The dataset of published games.
 * @param paths of games, or of folders with them
 * @throws Error that says which file is wrong, and where
 */
export function readPublishedGames(paths: readonly string[], reward: Reward): Dataset {
  const files = paths.flatMap(gameFiles);
  const choices = files.flatMap((path) => choicesOfPublished(readTextFile(path), basename(path), reward));
  const source = `${files.length} games published with document 004, reward ${reward}`;
  return { format: 'maw-tactics-1', tactics: [...TACTICS_004], source, choices };
}

function gameFiles(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const games = readdirSync(path).filter((name) => name.endsWith('.json')).toSorted(); // prettier-ignore
  if (!games.length) throw new Error(`${path} has no games: no file there ends in .json`);
  return games.map((name) => join(path, name));
}

/**
 * The choices of one published game, seat by seat. What a player could not see is not in its log. Games of one deal have the same roles at the
 * same seats.
 * @param name of the file, for messages and as the game's name
 * @throws Error that says what is wrong, in which message
 */
export function choicesOfPublished(text: string, name: string, reward: Reward): readonly Choice[] {
  const { messages, evaluation } = readGame(text, name);
  const players = Object.keys(evaluation.roles_assigned);
  const [from, to] = [NIGHT_ENDS, DAY_ENDS].map((words) =>
    messages.findIndex(({ agent_name: by, content }) => by === MODERATOR && content.includes(words)),
  ) as [number, number];
  if (from < 0 || to < from) throw new Error(`${name}: no message of the ${MODERATOR} says “${from < 0 ? NIGHT_ENDS : DAY_ENDS}”`);
  for (const [i, message] of messages.entries()) if (i > from && i < to) checkSpeech(message, players, `${name}, message ${i}`);
  const deal = players.map((player) => evaluation.roles_assigned[player]!.toLowerCase()).join(' ');
  return players.flatMap((player, seat) => {
    const role = evaluation.roles_assigned[player]!.toLowerCase();
    const about = { deal, game: name.replace(/\.json$/, ''), seat, role };
    const own = choicesOf(messages.slice(0, to), from, player, labeller(players, seat)).map((choice) => ({ ...about, ...choice }));
    const result = { points: pointsOf(evaluation, player, name), votes: (evaluation.voting_result[player] ?? 0) / players.length };
    return rewarded(own, result, reward);
  });
}

function readGame(text: string, name: string): PublishedGame {
  const read = PublishedGame.safeParse(jsonValue(text, name));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`${name} is no game of document 004's program: ${issue!.path.join('.') || 'the whole'}: ${issue!.message}`);
}

function checkSpeech({ agent_name: by, strategy }: PublishedMessage, players: readonly string[], where: string): void {
  if (by === MODERATOR) return;
  if (!players.includes(by)) throw new Error(`${where}: ${JSON.stringify(by)} has no role in roles_assigned`);
  if (!(TACTICS_004 as readonly string[]).includes(strategy))
    throw new Error(`${where}: ${JSON.stringify(strategy)} is no tactic; they are ${TACTICS_004.join(', ')}`);
}

/** The choices of one player in messages up to the end of the day; its speeches come after message `from`. */
function choicesOf(messages: readonly PublishedMessage[], from: number, player: string, label: (text: string) => string) {
  const log: string[] = [];
  const choices: Pick<Choice, 'turn' | 'log' | 'thought' | 'tactic'>[] = [];
  for (const [i, message] of messages.entries()) {
    const { agent_name: by, content, belief, strategy } = message;
    if (i > from && by === player) choices.push({ turn: choices.length, log: [...log], thought: label(belief), tactic: strategy });
    if (isVisible(message, player)) log.push(label(`${by}: ${content}`));
  }
  return choices;
}

/** Replaces names by the labels that the player at a seat has for them. */
function labeller(players: readonly string[], own: number): (text: string) => string {
  const labels = new Map(labelsFor(own, players.length).map((label, seat) => [players[seat]!.toLowerCase(), label]));
  return (text) => text.replaceAll(/[\p{L}\p{N}_]+/gu, (word) => labels.get(word.toLowerCase()) ?? word);
}

const isVisible = ({ visible_to: to }: PublishedMessage, player: string): boolean =>
  typeof to === 'string' ? to === 'all' || to === player : to.includes(player);

function pointsOf({ winner, roles_ground_truth: finals }: PublishedGame['evaluation'], player: string, name: string): number {
  const final = finals[player];
  if (final === undefined) throw new Error(`${name}: ${player} has no role in roles_ground_truth`);
  const [isVillage, isWerewolf] = [winner.includes('Village'), winner.includes('Werewolf')];
  if (winner === 'Draw') return 0;
  if (isVillage === isWerewolf)
    throw new Error(`${name}: the winner is ${JSON.stringify(winner)}; “Team Village”, “Team Werewolf” or “Draw” was expected`);
  return (final === 'Werewolf') === isWerewolf ? 1 : -1;
}
