import { type Played, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import type { Eye } from '../kernel/question.ts';
import { avalonDealt } from './dealt.suite.ts';
import type { Role } from './state.ts';
export type Event = { readonly type: string; readonly [field: string]: unknown };
export type Options = { readonly [name: string]: unknown };
export type Cards = { readonly [seat: number]: string };

export const SIX = ['servant', 'morgana', 'percival', 'assassin', 'merlin', 'servant'] as const; // evil: 1 and 3, Merlin: 4
export const SEVEN = ['merlin', 'percival', 'servant', 'servant', 'morgana', 'assassin', 'minion'] as const; // evil: 4, 5, 6
export const TEN = ['oberon', 'morgana', 'servant', 'merlin', 'assassin', 'percival', 'servant', 'mordred', 'servant', 'servant'] as const;

export const seat = (n: number) => `seat:${n}`;
export const seats = (of: readonly number[]) => of.map(seat);
export const of = (events: readonly { readonly type: string }[], type: string) => events.filter((e) => e.type === type) as Event[];
export const ids = (table: Played) => table.standing.open.map((q) => q.id);
export const result = (table: Played) => table.standing.game.results[0];
export const all = (table: Played) => table.standing.game.names.map((_, n) => n);
export const view = (table: Played, eye: Eye) => table.game.view(table.tape, eye) as Event[];

/** A table without talk, dealt as given. `leader` leads first. */
export function make(roles: readonly Role[] = SIX, options: Options = {}, leader = 0): Played {
  const own = roles === TEN ? { tenth: 'oberon' } : {};
  return tableOf(avalonDealt(roles, leader), { players: roles.length, options: { talk: false, ...own, ...options } });
}

/** The leader names a team. */
export const name = (table: Played, ...team: number[]) => table.act(table.state.leader, 'team', ...seats(team));

/** `approving` approve, all others reject. */
export const vote = (table: Played, ...approving: number[]) =>
  all(table).flatMap((n) => table.act(n, 'approve', approving.includes(n) ? 'approve' : 'reject'));

/** The team plays its cards: success unless given. */
export const play = (table: Played, cards: Cards = {}) =>
  table.question('quest').of.flatMap((n) => table.act(n, 'quest', cards[n] ?? 'success'));

/** Plays one quest at its first proposal: named, approved by all, played. */
export function quest(table: Played, team: readonly number[], cards: Cards = {}) {
  name(table, ...team);
  vote(table, ...all(table));
  return play(table, cards);
}

export const reject = (table: Played) => {
  table.wait(); // the default team of a silent leader
  return vote(table);
};

/** The first seats, as many as the quest needs. */
export const first = (table: Played) => all(table).slice(0, table.question('team').pick);
