import { stepOf } from '@maw/games/kernel/question.ts';
import type { RecordedGame } from './recorded-games.ts';
import { tacticThoughtOf } from '@maw/learning/observation/tactic-thought.ts';
import { type GameRecord, gamesOf, type NarratedEvent } from '../../measures/game-record.ts';

/** A step that a mind thought in a round of a table. */
export interface TableThought {
  readonly seat: number;
  readonly round: number;
  readonly content: { readonly [field: string]: unknown };
}

/** The round that a phase belongs to: `round-2/day/vote` to the second. */
export const roundOf = (phase: string | undefined): number => Number(/^round-(\d+)\//.exec(`${phase ?? ''}/`)?.[1] ?? 1);

/**
 * The finished games of a table with the tactics that its minds chose; those without any are left out.
 * @param tape as the narrator sees it
 * @throws Error naming the table, the seat and the field of a thought that is wrong
 */
export function recordedGames(table: string, tape: readonly NarratedEvent[], thoughts: readonly TableThought[]): readonly RecordedGame[] {
  const chosen = thoughts.flatMap(({ seat, round, content }) => {
    try {
      const choice = tacticThoughtOf(content);
      return choice ? [{ seat, round, choice: { ...choice, recipe: content['recipe'] as string } }] : [];
    } catch (error) {
      throw new Error(`table ${table}, round ${round}, seat ${seat}: ${(error as Error).message}`, { cause: error });
    }
  });
  const speeches = speechesOf(tape);
  return gamesOf(table, tape)
    .filter(({ round }) => chosen.some((each) => each.round === round))
    .map((game) => ({
      game: `${table}/${game.round}`,
      deal: `${game.rules}: ${game.roles.join(' ')}`,
      seats: game.roles.map((_, seat) => ({
        points: pointsOf(game, seat),
        votes: game.votes[seat]! / game.roles.length,
        speeches: speeches.get(`${game.round}/${seat}`) ?? 0,
        choices: chosen.flatMap((each) => (each.round === game.round && each.seat === seat ? [each.choice] : [])),
      })),
    }));
}

const pointsOf = ({ winner, winners }: GameRecord, seat: number): number => (winner === 'draw' ? 0 : winners.includes(seat) ? 1 : -1);

/** By round and seat: how often it spoke. */
function speechesOf(tape: readonly NarratedEvent[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { type, question, answer } of tape) {
    if (type !== 'answered' || stepOf(String(question)) !== 'talk') continue;
    const { by, says } = answer as { readonly by: number; readonly says: readonly string[] };
    const key = `${roundOf(String(question))}/${by}`;
    if (says[0]) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
