import { isTableEvent } from '@maw/games/kernel/play.ts';
import { type OptionsOf, type OptionTable, type Pace, pace, readOptions } from '@maw/games/kernel/options.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { isMatchEvent } from '@maw/games/match/state.ts';
import type { Line as Spoken } from '@maw/games/english/reader.ts';
import type { Moment, News } from '../moment.ts';

/** News of a question or a room of the round: a speech, a choice, or what became of the question. */
export interface Line extends News {
  /** The question or the room, within the round: `day-2/vote`, `day-2/Village`. */
  readonly place: string;
  readonly names: readonly string[];
  /** Who reads it. */
  readonly reader: Seat;
  /** The two speeches before it. */
  readonly before: readonly Spoken[];
}

/** How the record of a game is kept. Adding the same news again changes nothing. */
interface Recorder<Known, Options, Event> {
  /** The record of a table when it is opened, and when a round begins. */
  open(options: Options & { readonly pace: Pace }, players: number): Known;
  begin(known: Known, round: number, players: number): Known;
  event(known: Known, event: Event, players: number): Known;
  line(known: Known, line: Line): Known;
}

/** Adds one piece of news to a record. Lines of other rounds are left out. */
export const recorder =
  <Known extends { readonly round: number; readonly lately?: readonly Spoken[] }, Table extends OptionTable, Event>(
    options: Table,
    { open, begin, event: add, line }: Recorder<Known, OptionsOf<Table>, Event>,
  ) =>
  (known: Known, news: News, { seat: reader, players }: Pick<Moment, 'seat' | 'players'>): Known => {
    const { event } = news;
    if (event?.type === 'opened') {
      const opening = event['opening'] as { readonly options: { readonly [name: string]: unknown } };
      const given = readOptions({ ...options, pace }, opening.options);
      return open({ ...given, pace: opening.options['pace'] === 'people' ? 'people' : 'machines' }, players.length);
    }
    if (event?.type === 'began') return begin(known, event['round'] as number, players.length);
    if (event && !isMatchEvent(event) && !isTableEvent(event)) return add(known, event as Event, players.length);
    const id = news.event?.['question'] ?? news.room;
    const round = `round-${known.round}/`;
    if (typeof id !== 'string' || !id.startsWith(round)) return known;
    const names = players.map(({ name }) => name);
    const { lately = [] } = known;
    const { by, speech } = news;
    const isNew = by !== undefined && speech !== undefined && !lately.some((one) => one.by === by && one.text === speech);
    const before = isNew ? lately : lately.slice(0, -1);
    const next = line(known, { ...news, place: id.slice(round.length), names, reader, before });
    return isNew ? { ...next, lately: [...lately, { by, text: speech }].slice(-2) } : next;
  };
