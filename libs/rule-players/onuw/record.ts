import { deckOf } from '@maw/games/onuw/deck.ts';
import { onuwOptions } from '@maw/games/onuw/options.ts';
import { type Card, evolve, initialState, type Onuw, type OnuwEvent } from '@maw/games/onuw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Line as Spoken } from '@maw/games/english/reader.ts';
import { type Line, recorder } from '../shared/recorder.ts';
import { type Claim, type Meaning, readSpeech, wordsOf } from './speech.ts';

/** What the player knows of a game of ONUW: its own view, and what everybody has said. */
export interface Known {
  readonly game: Onuw;
  readonly round: number;
  /** The last two speeches, which may explain the next one. */
  readonly lately?: readonly Spoken[];
  /** All cards of the game. */
  readonly deck: readonly Card[];
  /** As in `Evidence`. */
  readonly isMinionTarget?: true;
  /** By seat: its last claim. */
  readonly claims: { readonly [by: Seat]: Claim };
  /** By seat: its last suspect. */
  readonly suspects: { readonly [by: Seat]: Seat };
  /** By seat: whom it defended last. */
  readonly defended: { readonly [by: Seat]: Seat };
  /** The seats that have had the floor, whether they used it or not. */
  readonly heard: readonly Seat[];
  /** Its own speeches, and the lie it tells. */
  readonly mine: { readonly said: readonly string[]; readonly lie: Claim | undefined };
}

export const newRecord = (round = 0, deck: readonly Card[] = [], isMinionTarget = false): Known => ({
  game: initialState,
  round,
  deck,
  ...(isMinionTarget ? { isMinionTarget } : {}),
  claims: {},
  suspects: {},
  defended: {},
  heard: [],
  mine: { said: [], lie: undefined },
});

export const recordNews = recorder(onuwOptions, {
  open: (options, players) => newRecord(0, deckOf(players, options), options.loneMinion === 'target'),
  begin: ({ deck, isMinionTarget }: Known, round) => newRecord(round, deck, isMinionTarget),
  event: (known, event: OnuwEvent) => ({ ...known, game: evolve(known.game, event) }),
  line: recordLine,
});

function recordLine(known: Known, { by, speech, event, place, names, before }: Line): Known {
  if (!place.startsWith('day/')) return known;
  if (event?.type === 'passed') return heard(known, event['seat'] as Seat);
  return by === undefined || speech === undefined
    ? known
    : recordSpeech(heard(known, by), by, readSpeech({ speech, by, names, before, roles: wordsOf(known.deck) }));
}

const heard = (known: Known, seat: Seat): Known => (known.heard.includes(seat) ? known : { ...known, heard: [...known.heard, seat] });

/** Claiming another card withdraws the earlier claims. */
function recordSpeech(known: Known, by: Seat, { claim, suspects, defends }: Meaning): Known {
  const before = known.claims[by];
  const hasClaim = Object.keys(claim).length > 0;
  const kept = claim.role === undefined || claim.role === before?.role ? before : undefined;
  const about = suspects.findLast((seat) => seat !== by);
  return {
    ...known,
    claims: hasClaim ? { ...known.claims, [by]: { ...kept, ...claim } } : known.claims,
    suspects: about === undefined ? known.suspects : { ...known.suspects, [by]: about },
    defended: defends === undefined ? known.defended : { ...known.defended, [by]: defends },
  };
}
