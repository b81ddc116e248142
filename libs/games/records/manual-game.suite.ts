import { type Game, play, type Position } from '../kernel/play.ts';
import { type Eye, type Instant, type Open, type Seat, stepOf } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Outcome, Rules } from '../kernel/rules.ts';
import { type DrawResult, fixedRoll } from './fixed-dice.ts';

type GameEvent = { readonly type: string };
export type ManualGame<S, E extends GameEvent, T extends GameEvent = E> = ReturnType<typeof manualGame<S, E, T>>;

/**
 * One game without a match, dealt at time 0 and played by hand.
 * @template T the event type of the tape, as its specs read it
 * @param fixed the value of a draw; undefined: it is rolled. An impossible value is an error.
 */
export function manualGame<S, E extends GameEvent, T extends GameEvent = E>(
  rules: Rules<S, E>,
  players: number,
  seed: string,
  fixed: (step: string, name: string) => unknown,
) {
  const drawn: DrawResult[] = [];
  const roll = fixedRoll(fixed, (draw) => {
    if (draw.objection) throw new Error(`${draw.step} ${draw.name}: ${draw.objection.wrong}; ${draw.objection.right}`);
    drawn.push(draw);
  });
  const game = play<S, E>(rules, roll);
  const table = standing<S, E, T>(game, []);
  const add = (events: readonly GameEvent[]): readonly T[] => {
    table.tape.push(...(events as readonly T[]));
    table.at.push(...events.map(() => table.now));
    table.position = game.fold(events as readonly E[], table.position);
    return events as readonly T[];
  };
  const find = (step: string): Open | undefined => table.position.open.find(({ id }) => stepOf(id) === step);
  const question = (step: string): Open => {
    const q = find(step);
    if (!q) throw new Error(`no ${step} is open, only ${table.open.join(', ') || 'nothing'}`);
    return q;
  };
  const attempt = (id: string, seat: Seat, says: readonly string[]) => game.act(table.position, id, { by: seat, says }, table.now, seed);
  add(game.deal(players, 0, seed));

  return Object.assign(table, {
    drawn,
    find,
    question,
    act: (seat: Seat, step: string, ...says: string[]): readonly T[] => add(attempt(question(step).id, seat, says)),
    /** Advances time to the next deadline. */
    wait(): readonly T[] {
      table.now = Math.max(table.now, game.wake(table.position)!);
      return add(game.tick(table.position, table.now, seed));
    },
    pass: (ms: number): void => void (table.now += ms),
    of: (type: string): readonly T[] => table.tape.filter((e) => e.type === type),
    view: (eye: Eye): readonly T[] =>
      game.view(table.tape as readonly GameEvent[] as readonly E[], eye) as readonly GameEvent[] as readonly T[],
    /** Why an act is refused; undefined when it is legal. Changes nothing. */
    refusal: (seat: Seat, step: string, ...says: string[]): Refusal | undefined =>
      refusalOf(() => attempt(find(step)?.id ?? `nowhere/${step}`, seat, says)),
  });
}

/** Where the game stands. `at`: the time of each event of the tape. */
function standing<S, E extends GameEvent, T extends GameEvent>(game: Game<S, E>, tape: T[]) {
  const table = {
    game,
    tape,
    at: [] as Instant[],
    now: 0,
    position: game.begin() as Position<S>,
    get state(): S {
      return table.position.game;
    },
    get open(): readonly string[] {
      return table.position.open.map(({ id }) => id);
    },
    get isOver(): boolean {
      return game.isOver(table.position);
    },
    /** Once the game is over. */
    get outcome(): Outcome {
      return game.rules.outcome(table.position.game)!;
    },
  };
  return table;
}

function refusalOf(attempt: () => unknown): Refusal | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
