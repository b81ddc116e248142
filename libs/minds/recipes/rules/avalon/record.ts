import { rolesFor } from '@maw/games/avalon/setup.ts';
import { type AvalonOptions, avalonOptions } from '@maw/games/avalon/options.ts';
import { type Avalon, type AvalonEvent, evolve, initialState, type Proposal, type Role } from '@maw/games/avalon/state.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { News } from '../../../news.ts';
import { readSpeech } from './speech.ts';

/** Somebody has spoken for or against somebody else, once in a quest. */
export interface Opinion {
  readonly by: Seat;
  readonly about: Seat;
  readonly isAgainst: boolean;
  readonly quest: number;
}

/** What the player without a model knows of a round of Avalon: its own view, counted. */
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

const OF_GAME: ReadonlySet<string> = new Set<AvalonEvent['type']>([
  'dealt',
  'saw',
  'led',
  'proposed',
  'voted',
  'quested',
  'sought',
  'shot',
  'ended',
]);

/** Takes one piece of news into the record; speech that comes twice counts once. */
export function recordNews(known: Known, news: News, names: readonly string[]): Known {
  const { event } = news;
  if (event?.type === 'opened')
    return newRecord(0, readOptions(avalonOptions, (event['opening'] as { options: { [name: string]: unknown } }).options), names.length);
  if (event?.type === 'began') return newRecord(event['round'] as number, known.options, names.length);
  if (event && OF_GAME.has(event.type)) {
    const happened = event as unknown as AvalonEvent;
    const game = evolve(known.game, happened);
    if (happened.type !== 'proposed' || !happened.isForced) return { ...known, game };
    const { quest, proposal, leader, team } = happened;
    return { ...known, game, forced: [...known.forced, { quest, proposal, leader, team }] };
  }
  if (news.by === undefined || news.speech === undefined) return known;
  const quest = questOf(known.round, news);
  return quest === undefined ? known : recordSpeech(known, news.by, news.speech, quest, names);
}

/** The quest of a line or an answer: `round-1/quest-2/proposal-1/talk`, or the room `round-1/quest-2/proposal-1/Table`. */
function questOf(round: number, { room, event }: News): number | undefined {
  const id = (event?.['question'] as string | undefined) ?? room;
  const found = id === undefined ? undefined : /^round-(\d+)\/quest-(\d+)\//.exec(id);
  return found && Number(found[1]) === round ? Number(found[2]) : undefined;
}

function recordSpeech(known: Known, by: Seat, speech: string, quest: number, names: readonly string[]): Known {
  const { against, favour } = readSpeech(speech, names);
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
