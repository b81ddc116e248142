import { diceOf } from '@maw/games/kernel/dice.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { play } from '@maw/games/kernel/play.ts';
import { phaseOf, waiting } from '@maw/games/kernel/question.ts';
import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { meanOf } from '../../ratings/distributions.ts';
import { seatsOf } from '../deal.ts';
import type { ContestGame } from '../definition.ts';

/** How a game usually goes when every answer takes all the time that there is for it. */
export interface Course {
  /** How long it takes, in milliseconds. */
  readonly ms: number;
  /** The share of it that is over when a phase begins, by the name of the phase within its round: `day-2`. */
  readonly shares: ReadonlyMap<string, number>;
}

const GAMES = 10;

/** By some random games. */
export function courseOf(game: ContestGame): Course {
  const games = Array.from({ length: GAMES }, (_, n) => slowGame(game, String(n)));
  const begun = Map.groupBy(games.flatMap(({ begins, ms }) => [...begins].map(([phase, at]) => ({ phase, share: at / ms }))), ({ phase }) => phase); // prettier-ignore
  return {
    ms: meanOf(games.map(({ ms }) => ms)),
    shares: new Map([...begun].map(([phase, all]) => [phase, meanOf(all.map(({ share }) => share))])),
  };
}

/** A random game in which everybody answers at the last moment, each question once. */
function slowGame(about: ContestGame, seed: string): { readonly ms: number; readonly begins: ReadonlyMap<string, number> } {
  const rules = ruleSetNamed(about.rules).rules(seatsOf(about), about.options);
  const game = play(rules);
  const dice = diceOf(seed, 'course');
  const begins = new Map<string, number>();
  let now = 0;
  let position = game.fold(game.deal(seatsOf(about), now, seed));
  while (!game.isOver(position)) {
    for (const { id } of position.open) if (!begins.has(phaseOf(id))) begins.set(phaseOf(id), now);
    const until = game.wake(position)!;
    const out = rules.out(position.game);
    const [answer] = position.open.flatMap((q) => {
      const by = waiting(q).find((seat) => !out.includes(seat) && !q.answers.some((one) => one.by === seat));
      const says = by === undefined || q.until > until ? undefined : randomAnswer(q, by, dice, rules.narrow?.(position.game, q, by));
      return says ? [{ question: q.id, by: by!, says }] : [];
    });
    now = answer ? Math.max(now, until - 1) : until;
    position = (answer ? game.acted(position, answer.question, answer, now, seed) : game.ticked(position, now, seed)).position;
  }
  return { ms: now, begins };
}
