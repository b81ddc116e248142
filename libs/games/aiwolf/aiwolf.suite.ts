import { type Seat, stepOf } from '../kernel/question.ts';
import type { Rules } from '../kernel/rules.ts';
import { type ManualGame, manualGame } from '../records/manual-game.suite.ts';
import { aiwolf } from './aiwolf.ts';
import type { Aiwolf, AiwolfEvent, Role } from './state.ts';

export interface Happening {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The roles of the contest's tables, wolves last. */
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

/** The time limits in these specs, in milliseconds, all different. */
export const TIMES = { turnMs: 1_000, voteMs: 20_000, nightMs: 30_000, whisperMs: 400_000 };

/** The choices of seer, bodyguard and wolves in one night. */
interface Night {
  readonly divine?: Seat;
  readonly guard?: Seat;
  readonly attack?: Seat;
}

export type Table = ReturnType<typeof tableOf>;

/** A game dealt with these roles, played by hand. */
export function tableOf(
  roles: readonly Role[],
  options: { readonly [name: string]: unknown } = {},
  draws: (step: string, name: string) => unknown = () => undefined,
  seed = 'seed',
) {
  const counts = Object.fromEntries(roles.map((role) => [role, roles.filter((each) => each === role).length]));
  const rules: Rules<Aiwolf, AiwolfEvent> = aiwolf.rules(roles.length, { ...TIMES, roles: counts, ...options });
  const table = manualGame<Aiwolf, AiwolfEvent, Happening>(rules, roles.length, seed, (step, name) =>
    name === 'roles' ? roles : draws(step, name),
  );
  const vote = (target: Seat, other?: Seat): readonly Happening[] => {
    const { of } = table.question('vote');
    return of.flatMap((seat) =>
      table.act(seat, 'vote', `seat:${seat === target ? (other ?? of.find((each) => each !== target)!) : target}`),
    );
  };
  /** Plays one turn of talk or whispering; each seat says `says(seat)`. */
  const turn = (says: (seat: Seat) => string = () => 'Over', step = 'talk'): readonly Happening[] =>
    table.question(step).of.flatMap((seat) => table.act(seat, step, says(seat)));
  /** Ends the talk: everybody says Over. */
  const hush = (): void => {
    while (table.find('talk')) turn();
  };
  const night = (choices: Night): void => playNight(table, choices);
  return Object.assign(table, {
    turn,
    hush,
    /** Everybody votes for `target`, and `target` for somebody else. */
    vote,
    /** Ballots by seat. */
    votes: (by: { readonly [seat: number]: Seat }): readonly Happening[] =>
      Object.entries(by).flatMap(([seat, target]) => table.act(Number(seat), 'vote', `seat:${target}`)),
    /** Advances time until a step asks somebody or the game ends. Without a step: until the day's talk begins. */
    until(step = 'talk'): void {
      for (let i = 0; i < 500 && !table.isOver; i++) {
        if (table.find(step)?.of.length) return;
        table.wait();
      }
      if (!table.isOver) throw new Error(`${step} never comes`);
    },
    /** Plays from one day's talk to the next: no talk, `execute` is executed, and the night's choices are made as given. */
    day({ execute, ...choices }: { readonly execute: Seat } & Night): void {
      hush();
      vote(execute);
      night(choices);
    },
    /** Plays from the execution to the next talk or the end. Each role chooses as soon as it is asked. */
    night,
  });
}

function playNight(table: ManualGame<Aiwolf, AiwolfEvent, Happening>, choices: Night): void {
  const targets = choices as { readonly [step: string]: Seat | undefined };
  for (let i = 0; i < 500 && !table.isOver && !table.find('talk'); i++) {
    for (const { id, verb, of } of table.position.open) {
      const step = stepOf(id);
      const target = verb === 'choose' ? targets[step] : undefined;
      if (target === undefined) continue;
      for (const seat of of) if (!table.refusal(seat, step, `seat:${target}`)) table.act(seat, step, `seat:${target}`);
    }
    if (!table.find('talk') && !table.isOver) table.wait();
  }
}

/** Villagers 0 to 2, seer 3, medium 4, bodyguard 5, fox 6, immoralist 7, wolves 8 and 9. */
export const WITH_FOX: readonly Role[] = [
  'villager',
  'villager',
  'villager',
  'seer',
  'medium',
  'bodyguard',
  'fox',
  'immoralist',
  'werewolf',
  'werewolf',
];
