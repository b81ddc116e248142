import type { Seat } from '../kernel/question.ts';
import { type Event, seat, type Seven } from './werewolf-7.suite.ts';

type Votes = { readonly [voter: number]: Seat | 'pass' };
const say = (choice: Seat | 'pass') => (choice === 'pass' ? choice : seat(choice));

/** The question that is open. */
export const openNow = ({ table }: Seven) => table.standing.open[0]!;
/** Its part of the day and step: `election/elect`. */
export const stepNow = (g: Seven): string => openNow(g).id.split('/').slice(-2).join('/');

/** Everybody asked says whether it runs. */
export function run(g: Seven, ...candidates: readonly Seat[]): readonly Event[] {
  return openNow(g).of.flatMap((s) => g.table.act(s, 'run', candidates.includes(s) ? 'run' : 'stay'));
}

/** Silence for whoever may speak. */
export function hush(g: Seven): readonly Event[] {
  const out: Event[] = [];
  while (/\/(?:talk|last-words)$/.test(stepNow(g))) out.push(...g.table.wait());
  return out;
}

/** All who are asked vote in turn; who is left out passes. */
export function vote(g: Seven, votes: Votes = {}): readonly Event[] {
  const { id, of } = openNow(g);
  return of.flatMap((s) => g.table.act(s, id.slice(id.lastIndexOf('/') + 1), say(votes[s] ?? 'pass')));
}

/** A sheriff is elected: one runs. */
export function badge(g: Seven, sheriff: Seat): Seven {
  run(g, sheriff);
  return g;
}
