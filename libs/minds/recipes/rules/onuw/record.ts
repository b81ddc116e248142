import { deckOf } from '@maw/games/onuw/deck.ts';
import { onuwOptions } from '@maw/games/onuw/options.ts';
import { type Card, evolve, initialState, type Onuw, type OnuwEvent } from '@maw/games/onuw/state.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { News } from '../../../news.ts';
import { type Claim, readSpeech } from './speech.ts';

/** What the player without a model knows of a game of ONUW: its own view, and what everybody has said. */
export interface Known {
  readonly game: Onuw;
  readonly round: number;
  /** All cards of the game. */
  readonly deck: readonly Card[];
  /** By seat: what it has claimed last. */
  readonly claims: { readonly [by: Seat]: Claim };
  /** By seat: whom it has suspected last. */
  readonly suspects: { readonly [by: Seat]: Seat };
  /** The seats that have had the floor, whether they used it or not. */
  readonly heard: readonly Seat[];
  /** What it has said itself, and as what it says to have been dealt what it was not. */
  readonly mine: { readonly said: readonly string[]; readonly lie: Claim | undefined };
}

export const newRecord = (round = 0, deck: readonly Card[] = []): Known => ({
  game: initialState,
  round,
  deck,
  claims: {},
  suspects: {},
  heard: [],
  mine: { said: [], lie: undefined },
});

const OF_GAME: ReadonlySet<string> = new Set<OnuwEvent['type']>([
  'dealt',
  'called',
  'met',
  'looked',
  'swapped',
  'dawned',
  'counted',
  'died',
  'revealed',
  'ended',
]);

/** Takes one piece of news into the record; the same again changes nothing. */
export function recordNews(known: Known, news: News, names: readonly string[]): Known {
  const { event } = news;
  if (event?.type === 'opened') return newRecord(0, deckFor(names.length, (event['opening'] as { options: object }).options));
  if (event?.type === 'began') return newRecord(event['round'] as number, known.deck);
  if (event && OF_GAME.has(event.type)) return { ...known, game: evolve(known.game, event as unknown as OnuwEvent) };
  const place = !event ? news.room : event.type === 'answered' || event.type === 'passed' ? (event['question'] as string) : undefined;
  if (!place?.startsWith(`round-${known.round}/day/`)) return known;
  if (event?.type === 'passed') return heard(known, event['seat'] as Seat);
  return news.by !== undefined && news.speech !== undefined ? recordSpeech(heard(known, news.by), news.by, news.speech, names) : known;
}

const deckFor = (players: number, options: object): readonly Card[] => deckOf(players, readOptions(onuwOptions, options as {}));

const heard = (known: Known, seat: Seat): Known => (known.heard.includes(seat) ? known : { ...known, heard: [...known.heard, seat] });

/** Who claims another card than before takes back what was claimed with it. */
function recordSpeech(known: Known, by: Seat, speech: string, names: readonly string[]): Known {
  const { claim, suspects } = readSpeech(speech, names);
  const before = known.claims[by];
  const isSaying = Object.keys(claim).length > 0;
  const kept = claim.role === undefined || claim.role === before?.role ? before : undefined;
  const about = suspects.findLast((seat) => seat !== by);
  return {
    ...known,
    claims: isSaying ? { ...known.claims, [by]: { ...kept, ...claim } } : known.claims,
    suspects: about === undefined ? known.suspects : { ...known.suspects, [by]: about },
  };
}
