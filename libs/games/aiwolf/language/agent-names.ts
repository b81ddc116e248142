import { escapePattern } from '../../kernel/name-pattern.ts';
import type { Seat } from '../../kernel/question.ts';
import { agentOf } from './content-reader.ts';
import { writeAgent } from './content-writer.ts';

/** A player as people see it at AIWolf, with the number that the language counts by: `Ann[02]`, who is `Agent[02]`. */
export const numberedName = (name: string, seat: Seat): string => `${name}${writeAgent(agentOf(seat)).slice('Agent'.length)}`;

/** A text for people: `VOTE Agent[02]` is `VOTE Ann[02]`. */
export const withNames = (text: string, names: readonly string[]): string =>
  text.replaceAll(/Agent\[0*(\d+)\]/g, (agent, number: string) => {
    const name = names[Number(number) - 1];
    return name === undefined ? agent : numberedName(name, Number(number) - 1);
  });

/** A text for people that names players: `Ann is executed.` is `Ann[02] is executed.` */
export function withNumbers(text: string, names: readonly string[]): string {
  const seats = new Map(names.flatMap((name, seat) => (name ? [[name, seat] as const] : [])));
  const found = [...seats.keys()].toSorted((a, b) => b.length - a.length).join('|');
  if (!found) return text;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${found})(?![\\p{L}\\p{N}_[-])`, 'gu'); // names have no signs
  return text.replaceAll(pattern, (name) => numberedName(name, seats.get(name)!));
}

/** The reverse of `withNames`, in upper or lower case. */
export const withAgents = (text: string, names: readonly string[]): string =>
  names.reduce((done, name, seat) => {
    const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])${escapePattern(name)}\[0*${agentOf(seat)}\]`, 'giu');
    return name ? done.replaceAll(pattern, writeAgent(agentOf(seat))) : done;
  }, text);
