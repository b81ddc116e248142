import { fixedRoll } from '../records/fixed-dice.ts';
import { play } from '../kernel/play.ts';
import { type Eye, type Open, type Seat, stepOf } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import { aiwolf } from './aiwolf.ts';
import type { Aiwolf, Role } from './state.ts';

export interface Happening {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The roles of the contest's tables, in an order that is easy to remember: wolves last. */
export const FIVE: readonly Role[] = ['villager', 'villager', 'seer', 'possessed', 'werewolf'];
export const FIFTEEN: readonly Role[] = [
  ...Array<Role>(8).fill('villager'),
  'seer',
  'medium',
  'bodyguard',
  'possessed',
  'werewolf',
  'werewolf',
  'werewolf',
];
/** Ten at a table: villagers 0 to 3, seer 4, medium 5, bodyguard 6, possessed 7, wolves 8 and 9. */
export const TEN: readonly Role[] = [
  ...Array<Role>(4).fill('villager'),
  'seer',
  'medium',
  'bodyguard',
  'possessed',
  'werewolf',
  'werewolf',
];

/** The times of the tables of these specs, in milliseconds, all different. */
export const TIMES = { turnMs: 1_000, voteMs: 20_000, nightMs: 30_000, whisperMs: 400_000 };

/** Whom seer, bodyguard and wolves choose in a night. */
interface Night {
  readonly divine?: Seat;
  readonly guard?: Seat;
  readonly attack?: Seat;
}

export type Table = ReturnType<typeof tableOf>;

/** A table without a match around it, dealt as it is told, played by hand. */
export function tableOf(
  roles: readonly Role[],
  options: { readonly [name: string]: unknown } = {},
  draws: (step: string, name: string) => unknown = () => undefined,
  seed = 'seed',
) {
  const counts = Object.fromEntries(roles.map((role) => [role, roles.filter((each) => each === role).length]));
  const rules = aiwolf.rules(roles.length, { ...TIMES, roles: counts, ...options });
  const drawn: { readonly step: string; readonly name: string; readonly is: unknown }[] = [];
  const roll = fixedRoll(
    (step, name) => (name === 'roles' ? roles : draws(step, name)),
    ({ step, name, is, objection }) => {
      if (objection) throw new Error(`${step} ${name}: ${objection.wrong}; ${objection.right}`);
      drawn.push({ step, name, is });
    },
  );
  const game = play(rules, roll);
  const tape: Happening[] = [];
  let now = 0;
  let position = game.begin();
  const add = (events: readonly { readonly type: string }[]): readonly Happening[] => {
    tape.push(...(events as Happening[]));
    position = game.fold(events, position);
    return events as Happening[];
  };
  add(game.deal(roles.length, now, seed));

  const find = (step: string): Open | undefined => position.open.find(({ id }) => stepOf(id) === step);
  const question = (step: string): Open => {
    const q = find(step);
    if (!q) throw new Error(`no ${step} is open, only ${position.open.map(({ id }) => id).join(', ') || 'nothing'}`);
    return q;
  };
  const act = (seat: Seat, step: string, ...says: string[]): readonly Happening[] =>
    add(game.act(position, question(step).id, { by: seat, says }, now, seed));
  const wait = (): readonly Happening[] => {
    now = Math.max(now, game.wake(position)!);
    return add(game.tick(position, now, seed));
  };

  const self = {
    game,
    tape,
    drawn,
    act,
    wait,
    question,
    find,
    get state(): Aiwolf {
      return position.game as Aiwolf;
    },
    get position() {
      return position;
    },
    get now() {
      return now;
    },
    get open(): readonly string[] {
      return position.open.map(({ id }) => id);
    },
    get isOver() {
      return game.isOver(position);
    },
    pass(ms: number): void {
      now += ms;
    },
    /** Why an act is refused, and undefined when it is not; changes nothing. */
    refusal(seat: Seat, step: string, ...says: string[]): Refusal | undefined {
      try {
        game.act(position, find(step)?.id ?? `nowhere/${step}`, { by: seat, says }, now, seed);
        return undefined;
      } catch (error) {
        if (error instanceof Refusal) return error;
        throw error;
      }
    },
    view: (eye: Eye): readonly Happening[] => game.view(tape, eye) as Happening[],
    of: (type: string): readonly Happening[] => tape.filter((e) => e.type === type),
    outcome: () => game.rules.outcome(position.game),

    /** One turn of talk or whispering, each saying what `says` gives for the seat. */
    turn(says: (seat: Seat) => string = () => 'Over', step = 'talk'): readonly Happening[] {
      const events: Happening[] = [];
      for (const seat of question(step).of) events.push(...act(seat, step, says(seat)));
      return events;
    },
    /** Talk until it is over, everybody having nothing to say. */
    hush(): void {
      while (find('talk')) self.turn();
    },
    /** Everybody votes for `target`, and `target` for somebody else. */
    vote(target: Seat, other?: Seat): readonly Happening[] {
      const { of } = question('vote');
      return of.flatMap((seat) => act(seat, 'vote', `seat:${seat === target ? (other ?? of.find((each) => each !== target)!) : target}`));
    },
    /** Votes by seat. */
    votes(by: { readonly [seat: number]: Seat }): readonly Happening[] {
      return Object.entries(by).flatMap(([seat, target]) => act(Number(seat), 'vote', `seat:${target}`));
    },
    /** Lets time go until a step is asked of somebody, the game is over, or, without a step, the talk of the day begins. */
    until(step = 'talk'): void {
      for (let i = 0; i < 500 && !self.isOver; i++) {
        if (find(step)?.of.length) return;
        wait();
      }
      if (!self.isOver) throw new Error(`${step} never comes`);
    },
    /** From a day's talk to the next: nobody has anything to say, `execute` is executed, and what is named is done in the night. */
    day({ execute, ...doing }: { readonly execute: Seat } & Night): void {
      self.hush();
      self.vote(execute);
      self.night(doing);
    },
    /** From the execution to the next talk, or the end: each does what is named as soon as it is asked. */
    night(doing: Night): void {
      const targets: { readonly [step: string]: Seat | undefined } = doing as {};
      for (let i = 0; i < 500 && !self.isOver && !find('talk'); i++) {
        for (const { id, verb, of } of position.open) {
          const step = stepOf(id);
          const target = verb === 'choose' ? targets[step] : undefined;
          if (target === undefined) continue;
          for (const seat of of) if (!self.refusal(seat, step, `seat:${target}`)) act(seat, step, `seat:${target}`);
        }
        if (!find('talk') && !self.isOver) wait();
      }
    },
  };
  return self;
}
