import { rolesFor } from '@maw/games/avalon/setup.ts';
import { type AvalonOptions, avalonOptions } from '@maw/games/avalon/options.ts';
import { type Avalon, type AvalonEvent, evolve, initialState, type Proposal, type Role } from '@maw/games/avalon/state.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Line as Spoken } from '@maw/games/english/reader.ts';
import { type Line, recorder } from '../shared/recorder.ts';
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
  /** The last two speeches, which may explain the next one. */
  readonly lately?: readonly Spoken[];
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

export const recordNews = recorder(avalonOptions, {
  open: (options, players) => newRecord(0, options, players),
  begin: ({ options }: Known, round, players) => newRecord(round, options, players),
  event: recordEvent,
  line: recordLine,
});

function recordEvent(known: Known, event: AvalonEvent): Known {
  const game = evolve(known.game, event);
  if (event.type !== 'proposed' || !event.isForced) return { ...known, game };
  const { quest, proposal, leader, team } = event;
  return { ...known, game, forced: [...known.forced, { quest, proposal, leader, team }] };
}

/** Records a speech: `quest-2/proposal-1/talk`, or the room `quest-2/proposal-1/Table`. A speech that arrives twice counts once. */
function recordLine(known: Known, { by, speech, place, names, before }: Line): Known {
  const quest = /^quest-(\d+)\//.exec(place)?.[1];
  return by === undefined || speech === undefined || quest === undefined
    ? known
    : recordSpeech(known, by, readSpeech({ speech, by, names, before }), Number(quest));
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
