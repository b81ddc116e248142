import { match } from '@maw/games/match/match.ts';
import type { Match } from '@maw/games/match/state.ts';
import { play, type Position } from '@maw/games/kernel/play.ts';
import { type Open, optionsFor, phaseOf, waiting } from '@maw/games/kernel/question.ts';
import type { SizedRuleSet } from './sized-rule-sets.ts';

/** A game as a gamemaster would hold it. */
export interface Held {
  readonly tape: readonly { readonly type: string }[];
  readonly position: Position<Match>;
}

/** How often each player speaks in a phase of free talk, and how long a speech is, in characters. */
const LINES = 5;
const CHARS = 120;

/**
 * Plays a game that lasts as long as its rules let it: everybody talks and nobody chooses, so that what happens is what silence leads to.
 * In games with days and an execution by vote nobody dies, and it takes all of `maxDays`.
 */
export function longGame({ set, players }: SizedRuleSet, seed: string): Held {
  const rules = match(set.rules(players, {}));
  const game = play(rules);
  const tape: { readonly type: string }[] = [];
  const spoken = new Map<string, number>();
  let now = 0;
  let position = game.begin();
  const add = (events: readonly { readonly type: string }[]): void => {
    tape.push(...events);
    position = game.fold(events, position);
  };
  const seats = Array.from({ length: players }, () => ({ kind: 'mind' as const }));
  const terms = { rules: set.name, version: set.version, options: {}, rounds: 1, seats, seed, lobbyMs: 0, pauseMs: 0 };
  add(rules.open({ ...terms, spectators: 'audience' }, now));
  for (const seat of seats.keys()) add(rules.join(position.game, seat, `Player ${seat + 1}`, now));
  while (!game.isOver(position)) {
    const line = nextLine();
    if (line) add(game.act(position, line.question, line, now, seed));
    else add(game.tick(position, (now = game.wake(position)!), seed));
  }
  return { tape, position };

  function nextLine(): { question: string; by: number; says: string[] } | undefined {
    const out = rules.out(position.game);
    for (const q of position.open) {
      if (q.verb === 'choose') continue;
      const by = waiting(q).find((seat) => !out.includes(seat) && (q.final || timesOf(q, seat) < LINES));
      if (by === undefined) continue;
      spoken.set(key(q, by), timesOf(q, by) + 1);
      const text = q.options[0] ?? `I have thought about it. ${'x'.repeat(CHARS)}`.slice(0, Math.min(CHARS, q.maxChars));
      const [whom] = optionsFor(q, by);
      if (q.verb === 'say') return { question: q.id, by, says: [text] };
      if (whom !== undefined) return { question: q.id, by, says: [whom, text] };
    }
    return undefined;
  }

  function timesOf(q: Open, seat: number): number {
    return spoken.get(key(q, seat)) ?? 0;
  }
}

const key = (q: Open, seat: number): string => `${phaseOf(q.id)}/${q.id}/${seat}`;
