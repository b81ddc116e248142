import { rolesFor } from '@maw/games/avalon/setup.ts';
import { type AvalonOptions, avalonOptions } from '@maw/games/avalon/options.ts';
import { type Avalon, type AvalonEvent, evolve, initialState, type Proposal, type Role } from '@maw/games/avalon/state.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { News } from '../../../news.ts';
import { gameEvents, openedWith } from '../shared/game-events.ts';
import { type Meaning, readSpeech } from './speech.ts';

/** A seat spoke for or against another; counted once per quest. */
export interface Opinion {
  readonly by: Seat;
  readonly about: Seat;
  readonly isAgainst: boolean;
  readonly quest: number;
}

/** What the player knows of a round of Avalon. */
export interface Known {
  readonly round: number;
  readonly options: AvalonOptions;
  readonly cast: readonly Role[];
  readonly game: Avalon;
  /** Teams that went without a vote. */
  readonly forced: readonly Proposal[];
  readonly opinions: readonly Opinion[];
}

const usual = readOptions(avalonOptions);
export const newRecord = (round = 0, options: AvalonOptions = usual, players = 0): Known => ({
  round,
  options,
  cast: players ? rolesFor(players, options) : [],
  game: initialState,
  forced: [],
  opinions: [],
});

const isGameEvent = gameEvents<AvalonEvent>(['dealt', 'saw', 'led', 'proposed', 'voted', 'quested', 'sought', 'shot', 'ended']);

/** Adds one piece of news to the record; a speech that arrives twice counts once. */
export function recordNews(known: Known, news: News, { players }: Pick<Moment, 'players'>): Known {
  const { event, by, speech } = news;
  if (event?.type === 'opened') return newRecord(0, readOptions(avalonOptions, openedWith(event)), players.length);
  if (event?.type === 'began') return newRecord(event['round'] as number, known.options, players.length);
  if (isGameEvent(event)) return recordEvent(known, event);
  const quest = by === undefined || speech === undefined ? undefined : questOf(known.round, news);
  if (quest === undefined) return known;
  const names = players.map(({ name }) => name);
  return recordSpeech(known, by!, readSpeech(speech!, names), quest);
}

function recordEvent(known: Known, event: AvalonEvent): Known {
  const game = evolve(known.game, event);
  if (event.type !== 'proposed' || !event.isForced) return { ...known, game };
  const { quest, proposal, leader, team } = event;
  return { ...known, game, forced: [...known.forced, { quest, proposal, leader, team }] };
}

/** The quest of a line or an answer: `round-1/quest-2/proposal-1/talk`, or the room `round-1/quest-2/proposal-1/Table`. */
function questOf(round: number, { room, event }: News): number | undefined {
  const id = (event?.['question'] as string | undefined) ?? room;
  const found = id === undefined ? undefined : /^round-(\d+)\/quest-(\d+)\//.exec(id);
  return found && Number(found[1]) === round ? Number(found[2]) : undefined;
}

function recordSpeech(known: Known, by: Seat, { against, favour }: Meaning, quest: number): Known {
  const said = [
    ...against.map((about) => ({ by, about, isAgainst: true, quest })),
    ...favour.map((about) => ({ by, about, isAgainst: false, quest })),
  ].filter(
    (one) =>
      one.about !== by &&
      !known.opinions.some((old) => old.by === by && old.about === one.about && old.isAgainst === one.isAgainst && old.quest === quest),
  );
  return said.length ? { ...known, opinions: [...known.opinions, ...said] } : known;
}
