import { type Played, type Setting, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import type { Role, Werewolf7, Werewolf7Event } from './state.ts';
import { werewolf7 } from './werewolf-7.ts';

export const seat = (n: number) => `seat:${n}`;
export const without = (seats: readonly number[], ...gone: readonly number[]) => seats.filter((s) => !gone.includes(s));
export const list = (seats: readonly number[]) => [...seats.map(seat), 'pass'];
export const sorted = (seats: readonly number[]) => seats.toSorted((a, b) => a - b);
const say = (option: number | 'pass') => (option === 'pass' ? option : seat(option));
export type Event = { readonly type: string; readonly [field: string]: unknown };

/** The choices of a night, by step; steps left out are silent. */
export interface Choices {
  readonly wolf1?: number | 'pass';
  readonly wolf2?: number | 'pass';
  readonly guard?: number | 'pass';
  readonly save?: number | 'pass';
  readonly poison?: number | 'pass';
  readonly seer?: number | 'pass';
}
const CHOICE: { readonly [step: string]: keyof Choices } = {
  'wolf-1/hunt': 'wolf1',
  'wolf-2/hunt': 'wolf2',
  'guard/protect': 'guard',
  'witch-1/save': 'save',
  'witch-2/poison': 'poison',
  'seer/inspect': 'seer',
};

export type Seven = ReturnType<typeof sevenAt>;

/** A table of seven at its first night, with helpers to play nights and days. */
export function sevenAt(options: Setting['options'] = {}, seed = 'seed') {
  const table: Played = tableOf(werewolf7, { players: 7, seed, options });
  const state = (): Werewolf7 => table.state as Werewolf7;
  const who = (role: Role) => state().roles.flatMap((r, s) => (r === role ? [s] : []));
  const [wolf1, wolf2] = who('werewolf') as [number, number];
  const [villager1, villager2] = who('villager') as [number, number];
  const one = (role: Role) => who(role)[0]!;
  const stepNow = () => table.standing.open[0]!.id.split('/').slice(-2).join('/');

  /** Plays up to a step of the night, exclusive, with the given choices. */
  function nightUpTo(step: string | undefined, choices: Choices = {}): readonly Event[] {
    const out: Event[] = [];
    while (state().night && !state().ended && (step === undefined || !table.standing.open[0]!.id.endsWith(`/${step}`))) {
      const { id, of } = table.standing.open[0]!;
      const choice = choices[CHOICE[stepNow()]!];
      if (choice !== undefined) out.push(...table.act(of[0]!, id.split('/').at(-1)!, say(choice)));
      if (table.standing.open[0]?.id === id) out.push(...table.wait());
    }
    return out;
  }

  /** Silence in the talk, then `votes`; the others pass. */
  function day(votes: { readonly [voter: number]: number | 'pass' } = {}): readonly Event[] {
    const out: Event[] = [];
    while (table.standing.open[0]?.id.endsWith('/talk')) out.push(...table.wait());
    for (const voter of state().order.filter((s) => !state().dead.includes(s)))
      out.push(...table.act(voter, 'vote', say(votes[voter] ?? 'pass')));
    return out;
  }

  /** All but the target vote for it; it has no last words. */
  function execute(target: number): readonly Event[] {
    const out = [...day(Object.fromEntries(state().roles.map((_, s) => [s, s === target ? 'pass' : target])))];
    if (table.standing.open[0]?.id.endsWith('/last-words')) out.push(...table.wait());
    return out;
  }

  return {
    table,
    state,
    wolf1,
    wolf2,
    villager1,
    villager2,
    seer: one('seer'),
    guard: one('guard'),
    witch: one('witch'),
    all: [0, 1, 2, 3, 4, 5, 6],
    nightUpTo,
    night: (choices: Choices = {}) => nightUpTo(undefined, choices),
    day,
    execute,
    kill: (target: number) => ({ wolf1: target, wolf2: target }),
    options: (step: string) => table.question(step).options,
    seen: (eye: number | 'audience') => table.game.view(table.tape, eye) as Event[],
    result: () => table.standing.game.results[0],
  };
}

/** The events of a type. */
export const of = (events: readonly Event[], type: Werewolf7Event['type'] | 'asked' | 'answered' | 'settled'): Event[] =>
  events.filter((e) => e.type === type);
