import { joinList } from '../kernel/format-text.ts';
import { type NameOf, namesOf, tellQuestion } from '../kernel/narration.ts';
import { isTableEvent } from '../kernel/play.ts';
import { type Seat, seatOf } from '../kernel/question.ts';
import type { QuestionEvent, Telling } from '../kernel/rules.ts';
import { PASS } from './night.ts';
import { CARDS, type Card, countedAs, type Ending, type Onuw, type OnuwEvent, type Place, placeOf, type Seen } from './state.ts';

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

const ENDINGS: { readonly [because in Ending]: string } = {
  'werewolf-died': 'A Werewolf is dead. The village wins.',
  'werewolves-live': 'No Werewolf is dead. The Werewolves win.',
  'peace': 'Nobody is a Werewolf, and nobody is dead. The village wins.',
  'no-werewolf': 'Nobody is a Werewolf. Nobody wins.',
  'one-vote-each': 'Nobody has got more than one vote. Nobody wins.',
  'nobody-voted': 'Nobody has voted. The village wins.',
  'minion-died': 'Nobody is a Werewolf, and a Minion is dead. The village wins.',
  'minion-lives': 'Nobody is a Werewolf, and somebody other than a Minion is dead. The Minions win.',
  'tanner-died': 'No Werewolf is dead.',
};

/** A card with its article: `an Insomniac`. */
const a = (card: Seen): string => `${/^[aeiou]/.test(card) ? 'an' : 'a'} ${CARD_NAMES[card]}`;
const ORDINALS = ['first', 'second', 'third'] as const;

/** Where a card lies, in words: `Ann’s card`, `the first centre card`. */
function placed(at: Place, name: NameOf): string {
  const { zone, index } = placeOf(at);
  return zone === 'seat' ? `${name(index)}’s card` : `the ${ORDINALS[index]} centre card`;
}

/** @param mayCopy whether a Doppelgänger is among the cards: who wakes as a card may then have copied it */
export function tell(e: OnuwEvent | QuestionEvent, about: Telling, mayCopy = false): string | undefined {
  const name = namesOf(about.names);
  if (isTableEvent(e)) return tellQuestion(e, about, (by, says, step) => choice(name(by), says, step, name));
  switch (e.type) {
    case 'dealt':
      return 'The cards are dealt. Night falls.';
    case 'called':
      return e.card === 'copied'
        ? 'The Doppelgänger is called again, to act as what it has copied.'
        : `The ${CARD_NAMES[e.card]} is called.`;
    case 'copied':
      return `${name(e.by)} sees that ${name(e.of)} was dealt ${a(e.card)}, and copies it.`;
    case 'met': {
      const isJoined = mayCopy && (e.card === 'werewolf' || e.card === 'mason'); // a copier of any other card has acted alone
      const got = `was dealt ${isJoined ? 'or has copied ' : ''}${a(e.card)}`;
      return e.seats.length > 1
        ? `${joinList(e.seats.map(name))} wake together: each ${got}.`
        : `${joinList(e.seats.map(name))} wakes alone: no other player ${got}.`;
    }
    case 'saw':
      return `${name(e.seat)} sees that ${wokeAs(e.of, name)}.`;
    case 'looked':
      return e.at === `seat:${e.by}`
        ? `${name(e.by)} looks at the card that is now in front of ${name(e.by)}: ${a(e.card)}.`
        : `${name(e.by)} sees that ${placed(e.at, name)} is ${a(e.card)}.`;
    case 'swapped':
      return `${name(e.by)} makes ${e.seats.map((seat) => `${name(seat)}’s card`).join(' and ')} change places.`;
    case 'exchanged':
      return `${name(e.by)} makes ${name(e.by)}’s card and ${placed(e.at, name)} change places, unseen.`;
    case 'dawned':
      return 'The night is over.';
    case 'counted': {
      const got = e.votes.flatMap((count, seat) => (count ? [`${name(seat)} ${count}`] : []));
      return got.length ? `Votes: ${got.join(', ')}.` : 'Nobody has voted.';
    }
    case 'died':
      return e.seats.length ? `${joinList(e.seats.map(name))} ${e.seats.length > 1 ? 'die' : 'dies'}.` : 'Nobody dies.';
    case 'felled':
      return `The Hunter ${name(e.by)} takes ${name(e.seat)} along.`;
    case 'revealed': {
      const last = e.cards.map(
        (card, seat) => `${name(seat)} has ${a(card)}${card === e.dealt[seat] ? '' : `, and was dealt ${a(e.dealt[seat]!)}`}`,
      );
      const copied = e.copied ? ` The Doppelgänger counts as ${a(e.copied.card)}, copied from ${name(e.copied.of)}.` : '';
      return `${last.join('; ')}.${e.centre.length ? ` In the centre: ${joinList(e.centre.map(a))}.` : ''}${copied}`;
    }
    case 'ended':
      return [
        ENDINGS[e.because],
        ...(e.tanners ?? []).map((seat) => `${name(seat)} is a Tanner, is dead, and so wins${e.winner === 'tanner' ? '' : ', too'}.`),
      ].join(' ');
  }
}

/** Who woke as a Werewolf: `Ann and Bob woke as Werewolves`. */
const wokeAs = (of: readonly Seat[], name: NameOf): string =>
  `${of.length ? joinList(of.map(name)) : 'nobody'} woke as ${of.length > 1 ? 'Werewolves' : 'a Werewolf'}`;

function choice(who: string, says: readonly string[], step: string, name: NameOf): string {
  const [first = PASS, second = PASS] = says;
  if (says.includes(PASS)) return `${who} does nothing.`;
  switch (step) {
    case 'doppelganger':
      return `${who} chooses to copy ${name(seatOf(first))}.`;
    case 'drunk':
      return `${who} chooses ${placed(first as Place, name)}.`;
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

/** Others may have moved the seat's card since. @param mayCopy as for `tell` */
export function brief(s: Onuw, seat: Seat, names: readonly string[], mayCopy = false): string {
  const name = namesOf(names);
  const dealt = s.roles[seat] ?? 'hidden';
  const partners = s.met.flatMap(({ seats }) => (seats.includes(seat) ? seats.filter((other) => other !== seat) : []));
  const isAlone = s.met.some(({ seats }) => seats.length === 1 && seats[0] === seat);
  const copied = s.copied?.by === seat ? s.copied : undefined;
  const acts = copied?.card ?? dealt;
  const saw = s.saw.find((one) => one.seat === seat);
  const exchanged = s.exchanges.find(({ by }) => by === seat);
  const taken = acts === 'robber' ? s.swaps.find(({ by }) => by === seat)?.seats[1] : undefined;
  const swapped = acts === 'troublemaker' ? s.swaps.filter(({ by }) => by === seat) : [];
  const looks = s.looks.filter(({ by }) => by === seat);
  const seen = looks.filter(({ at }) => at !== `seat:${seat}`).map(({ at, card }) => `${placed(at, name)} was ${a(card)}`);
  const own = looks.find(({ at }) => at === `seat:${seat}`);
  const counts = s.held[seat] === 'doppelganger' ? `, which counts as ${a(countedAs(s)[seat]!)}` : '';
  return [
    `You were dealt ${a(dealt)}.`,
    ...(copied ? [`In the night you copied the card that ${name(copied.of)} was dealt: ${a(copied.card)}.`] : []),
    ...(partners.length && mayCopy ? [`${joinList(partners.map(name))} woke with you.`] : []),
    ...(partners.length && !mayCopy ? [`So ${partners.length > 1 ? 'were' : 'was'} ${joinList(partners.map(name))}.`] : []),
    ...(isAlone ? [mayCopy ? 'No other player woke with you.' : 'No other player was.'] : []),
    ...(saw ? [`In the night you saw that ${wokeAs(saw.of, name)}.`] : []),
    ...(seen.length ? [`In the night you saw that ${joinList(seen)}.`] : []),
    ...(taken !== undefined && own ? [`In the night you gave your card to ${name(taken)} and took ${a(own.card)} for it.`] : []),
    ...swapped.map(({ seats }) => `In the night you swapped the cards of ${joinList(seats.map(name))}, unseen.`),
    ...(exchanged ? [`In the night you gave your card for ${placed(exchanged.at, name)}, unseen.`] : []),
    ...(acts === 'insomniac' && own ? [`At the end of the night your card was ${a(own.card)}.`] : []),
    ...(s.ended && s.held[seat] ? [`At the end your card was ${a(s.held[seat])}${counts}.`] : []),
  ].join(' ');
}

/** Cards counted in words: `2 Werewolves, 1 Seer`. */
export function cardList(counts: { readonly [card in Card]?: number }): string {
  const many = (card: Card): string => (card === 'werewolf' ? 'Werewolves' : `${CARD_NAMES[card]}s`);
  return joinList(CARDS.flatMap((card) => (counts[card] ? [`${counts[card]} ${counts[card] > 1 ? many(card) : CARD_NAMES[card]}`] : [])));
}
