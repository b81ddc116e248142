import { labelsFor } from '@maw/learning/observation/observation.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import type { AnyRules } from '@maw/games/kernel/rule-set.ts';
import { isMatchEvent } from '@maw/games/match/state.ts';
import { LRUCache } from 'lru-cache';
import type { Mind, Moment, Step } from '../../mind.ts';
import { escapePattern, wordPattern } from '@maw/games/kernel/name-pattern.ts';
import type { News } from '../../news.ts';
import { dealtRole } from '@maw/games/roles.ts';
import { sanitize } from '../../sanitize.ts';

/** What a seat has heard in this game, with labels for names. JSON. */
export interface Heard {
  /** The dealt role; empty before the deal. */
  readonly role: string;
  readonly lines: readonly string[];
  /** How often the seat itself has spoken. */
  readonly spoken: number;
  /** Lines that were read in their room, and arrive again as events. */
  readonly read: readonly string[];
}

const nothing: Heard = { role: '', lines: [], spoken: 0, read: [] };

export const heardOf = ({ notes }: Pick<Mind, 'notes'>): Heard => (notes['heard'] as Heard | undefined) ?? nothing;

/** How many lines of rooms are remembered as read: they soon arrive as events. */
const KEPT = 60;

/** Events that every game has, whatever happens in it. */
const ALWAYS: ReadonlySet<string> = new Set(['dealt', 'called', 'dawned']);

/**
 * Notes speeches and what the game tells the seat, in words with labels for names. It reads only what the seat was told, and events rather than
 * their sentences, so that a seat notes the same at a table and in the arena.
 */
export const hear: Omit<Step, 'name'> = {
  kind: 'observe',
  chain: 0,
  async run(mind, moment) {
    const before = heardOf(mind);
    const heard = moment.news.reduce((sum, news) => hearNews(sum, news, moment), before);
    return heard === before ? {} : { notes: { ...mind.notes, heard } };
  },
  shows: () => ({}),
};

function hearNews(heard: Heard, news: News, moment: Moment): Heard {
  const { event, by, speech, room, line } = news;
  if (event?.type === 'began') return nothing;
  const role = dealtRole(event, moment.seat);
  if (role !== undefined) return { ...heard, role };
  if (speech !== undefined && by !== undefined) {
    const key = room === undefined || line === undefined ? undefined : `${room} ${line}`;
    if (key !== undefined && heard.read.includes(key)) return heard;
    const said = `${labelsFor(moment.seat, moment.players.length)[by]}: ${labelled(speech, moment)}`;
    const read = key === undefined ? heard.read : [...heard.read, key].slice(-KEPT);
    return { ...heard, lines: [...heard.lines, said], spoken: heard.spoken + (by === moment.seat ? 1 : 0), read };
  }
  if (!event || isTableEvent(event) || isMatchEvent(event) || ALWAYS.has(event.type)) return heard;
  const told = tell(event, moment);
  return told === undefined ? heard : { ...heard, lines: [...heard.lines, told] };
}

/** A text with the labels of players in place of their names. */
export function labelled(text: string, { seat, players }: Pick<Moment, 'seat' | 'players'>): string {
  const labels = labelsFor(seat, players.length);
  const names = new Map(players.map((player) => [sanitize(player.name).toLowerCase(), labels[player.seat]!]));
  names.delete('');
  if (!names.size) return sanitize(text);
  const all = [...names.keys()].toSorted((a, b) => b.length - a.length).map(escapePattern);
  return sanitize(text).replace(new RegExp(wordPattern(`(?:${all.join('|')})`), 'giu'), (name) => names.get(name.toLowerCase()) ?? name);
}

/** Rules by name and number of players; the options do not change what they tell. */
const known = new LRUCache<string, Pick<AnyRules, 'tell'>>({ max: 50 });

/** The sentence about an event, as the seat was told it. */
function tell(event: NonNullable<News['event']>, { rules: { name }, players, seat }: Moment): string | undefined {
  const key = `${name} ${players.length}`;
  const rules = known.get(key) ?? ruleSetNamed(name).rules(players.length, {});
  known.set(key, rules);
  return rules.tell(event as never, { names: labelsFor(seat, players.length) });
}
