import { joinList } from '../kernel/format-text.ts';
import { type NameOf, namesOf, tellQuestion } from '../kernel/narration.ts';
import { isTableEvent } from '../kernel/play.ts';
import { type Seat, seatOf } from '../kernel/question.ts';
import type { QuestionEvent, Telling } from '../kernel/rules.ts';
import { PASS } from './night.ts';
import { CARDS, type Card, type Onuw, type OnuwEvent, type Place, placeOf, type Seen } from './state.ts';

export const CARD_NAMES: { readonly [card in Seen]: string } = {
  werewolf: 'Werewolf',
  villager: 'Villager',
  seer: 'Seer',
  robber: 'Robber',
  troublemaker: 'Troublemaker',
  insomniac: 'Insomniac',
  minion: 'Minion',
  mason: 'Mason',
  drunk: 'Drunk',
  tanner: 'Tanner',
  hunter: 'Hunter',
  doppelganger: 'Doppelgänger',
  hidden: 'unknown card',
};

/** A card with its article: `an Insomniac`. */
const a = (card: Seen): string => `${/^[aeiou]/.test(card) ? 'an' : 'a'} ${CARD_NAMES[card]}`;
const ORDINALS = ['first', 'second', 'third'] as const;

/** Where a card lies, in words: `Ann’s card`, `the first centre card`. */
function placed(at: Place, name: NameOf): string {
  const { zone, index } = placeOf(at);
  return zone === 'seat' ? `${name(index)}’s card` : `the ${ORDINALS[index]} centre card`;
}

export function tell(e: OnuwEvent | QuestionEvent, about: Telling): string | undefined {
  const name = namesOf(about.names);
  if (isTableEvent(e)) return tellQuestion(e, about, (by, says, step) => choice(name(by), says, step, name));
  switch (e.type) {
    case 'dealt':
      return 'The cards are dealt. Night falls.';
    case 'called':
      return e.card === 'copied' ? 'The Doppelgänger acts as the card that it has copied.' : `The ${CARD_NAMES[e.card]} is called.`;
    case 'copied':
      return `${name(e.by)} copies ${name(e.of)}’s card: ${a(e.card)}.`;
    case 'met':
      return e.seats.length > 1
        ? `${joinList(e.seats.map(name))} wake together: each was dealt ${a(e.card)}.`
        : `${joinList(e.seats.map(name))} wakes alone: no other player was dealt ${a(e.card)}.`;
    case 'saw':
      return e.of.length
        ? `${name(e.seat)} sees who woke as ${e.of.length > 1 ? 'Werewolves' : 'a Werewolf'}: ${joinList(e.of.map(name))}.`
        : `${name(e.seat)} sees that nobody woke as a Werewolf.`;
    case 'looked':
      return e.at === `seat:${e.by}`
        ? `${name(e.by)} looks at the card that is now in front of ${name(e.by)}: ${a(e.card)}.`
        : `${name(e.by)} sees that ${placed(e.at, name)} is ${a(e.card)}.`;
    case 'swapped':
      return `${name(e.by)} makes ${e.seats.map((seat) => `${name(seat)}’s card`).join(' and ')} change places.`;
    case 'exchanged':
      return `${name(e.by)} exchanges ${name(e.by)}’s card for ${placed(e.at, name)}, unseen.`;
    case 'dawned':
      return 'The night is over.';
    case 'counted': {
      const got = e.votes.flatMap((count, seat) => (count ? [`${name(seat)} ${count}`] : []));
      return got.length ? `Votes: ${got.join(', ')}.` : 'Nobody has voted.';
    }
    case 'died':
      return e.seats.length ? `${joinList(e.seats.map(name))} ${e.seats.length > 1 ? 'die' : 'dies'}.` : 'Nobody dies.';
    case 'shot':
      return `The Hunter ${name(e.by)} takes ${name(e.seat)} along.`;
    case 'revealed': {
      const last = e.cards.map(
        (card, seat) => `${name(seat)} has ${a(card)}${card === e.dealt[seat] ? '' : `, and was dealt ${a(e.dealt[seat]!)}`}`,
      );
      return `${last.join('; ')}.${e.centre.length ? ` In the centre: ${joinList(e.centre.map(a))}.` : ''}`;
    }
    case 'ended':
      return won(
        {
          'werewolf-died': 'A Werewolf is dead. The village wins.',
          'werewolves-live': 'No Werewolf is dead. The Werewolves win.',
          'peace': 'Nobody is a Werewolf, and nobody is dead. The village wins.',
          'no-werewolf': 'Nobody is a Werewolf. Nobody wins.',
          'one-vote-each': 'Nobody has got more than one vote. Nobody wins.',
          'nobody-voted': 'Nobody has voted. The village wins.',
          'minion-died': 'Nobody is a Werewolf, and a Minion is dead. The village wins.',
          'minion-lives': 'Nobody is a Werewolf, and another than a Minion is dead. The Minions win.',
          'tanner-died': '',
        }[e.because],
        e.tanners ?? [],
        name,
      );
  }
}

/** How a game has ended, and who else wins by dying. */
const won = (why: string, tanners: readonly Seat[], name: NameOf): string =>
  [why, ...tanners.map((seat) => `${name(seat)} is a Tanner who is dead, and wins.`)].filter(Boolean).join(' ');

function choice(who: string, says: readonly string[], step: string, name: NameOf): string {
  const [first = PASS, second = PASS] = says;
  if (says.includes(PASS)) return `${who} does nothing.`;
  switch (step) {
    case 'robber':
      return `${who} takes ${name(seatOf(first))}’s card.`;
    case 'troublemaker':
      return `${who} chooses ${name(seatOf(first))} and ${name(seatOf(second))}.`;
    case 'vote':
      return `${who} votes for ${name(seatOf(first))}.`;
    default:
      return `${who} looks ${first.startsWith('seat:') ? `at ${name(seatOf(first))}’s card` : 'into the centre'}.`;
  }
}

/** Others may have moved the seat's card since. */
export function brief(s: Onuw, seat: Seat, names: readonly string[]): string {
  const name = namesOf(names);
  const dealt = s.roles[seat] ?? 'hidden';
  const partners = s.met.flatMap(({ seats }) => (seats.includes(seat) ? seats.filter((other) => other !== seat) : []));
  const isAlone = dealt === 'werewolf' && !partners.length;
  const taken = dealt === 'robber' ? s.swaps.find(({ by }) => by === seat)?.seats[1] : undefined;
  const swapped = dealt === 'troublemaker' ? s.swaps.filter(({ by }) => by === seat) : [];
  const looks = s.looks.filter(({ by }) => by === seat);
  const seen = looks.filter(({ at }) => at !== `seat:${seat}`).map(({ at, card }) => `${placed(at, name)} was ${a(card)}`);
  const own = looks.find(({ at }) => at === `seat:${seat}`);
  return [
    `You were dealt ${a(dealt)}.`,
    ...(partners.length ? [`So ${partners.length > 1 ? 'were' : 'was'} ${joinList(partners.map(name))}.`] : []),
    ...(isAlone ? ['No other player was.'] : []),
    ...(seen.length ? [`In the night you saw that ${joinList(seen)}.`] : []),
    ...(taken !== undefined && own ? [`In the night you gave your card to ${name(taken)} and took ${a(own.card)} for it.`] : []),
    ...swapped.map(({ seats }) => `In the night you swapped the cards of ${joinList(seats.map(name))}, unseen.`),
    ...(dealt === 'insomniac' && own ? [`At the end of the night your card was ${a(own.card)}.`] : []),
    ...(s.ended && s.held[seat] ? [`At the end your card was ${a(s.held[seat])}.`] : []),
  ].join(' ');
}

/** Cards counted in words: `2 Werewolves, 1 Seer`. */
export function cardList(counts: { readonly [card in Card]?: number }): string {
  const many = (card: Card): string => (card === 'werewolf' ? 'Werewolves' : `${CARD_NAMES[card]}s`);
  return joinList(CARDS.flatMap((card) => (counts[card] ? [`${counts[card]} ${counts[card] > 1 ? many(card) : CARD_NAMES[card]}`] : [])));
}
