import { formatDuration, joinList } from '../kernel/format-text.ts';
import { countsOf, deckOf, fixedDeal } from './deck.ts';
import type { OnuwOptions } from './options.ts';
import { type Call, type Card, NIGHT } from './state.ts';
import { CARD_NAMES, cardList } from './narration.ts';

export function rulesText(players: number, o: OnuwOptions): string {
  const deck = deckOf(players, o);
  const fixed = fixedDeal(o.setup);
  const centre = deck.length - players;
  const night = NIGHT.filter((call) => deck.includes(call === 'copied' ? 'doppelganger' : call));
  return [
    `${players} players, ${deck.length} cards: ${cardList(countsOf(deck))}.`,
    centre
      ? `Each player is dealt one card and sees it; ${centre} cards lie face down in the centre, so a card of the list may be nobody’s.`
      : `Each player is dealt one card and sees it; there is no centre.`,
    `There is one night${isSilent(o) ? '' : ', one talk'} and one vote. Cards may change places in the night: the card that lies in front of a player at the end decides the player’s side, whether the player knows it or not. ${sides(deck)}`,
    `In the night the cards are called in the order ${night.map((call) => (call === 'copied' ? 'what it copied' : CARD_NAMES[call])).join(', ')}. Who was dealt a card acts when it is called, and only then, whatever card lies in front of them by now. ${
      o.hurry
        ? 'A step ends as soon as it is answered.'
        : `Every step lasts ${formatDuration(o.stepMs)}${centre ? ', also when the card lies in the centre' : ''}.`
    } Silence does nothing${musts(deck)}. Players who were dealt the same of these cards see each other.`,
    ...night.flatMap((card) => (powers(o, deck)[card] ? [`${CARD_NAMES[card as Card]}: ${powers(o, deck)[card]}`] : [])),
    ...(fixed?.acts
      ? ['In this game the night has been played beforehand: nobody is asked, and each learns what their own card did and saw.']
      : []),
    talk(o),
    `Then all vote at once, ${o.selfVote ? 'for any player' : 'for another player'}, for at most ${formatDuration(o.voteMs)}. Silence is no vote.`,
    ...verdictText(o, deck),
    o.utility === 'plain'
      ? 'Points: 1 for winners, -1 for losers, 0 in a draw.'
      : 'Points: 1 for winners, -1 for losers, 0 in a draw, less a fifth of a point for each vote got.',
    'At the end all cards are turned up.',
    `A speech has at most ${o.maxChars} characters.`,
  ].join('\n');
}

const namesOf = (cards: readonly Card[], deck: readonly Card[]): readonly string[] =>
  cards.filter((card) => deck.includes(card)).map((card) => CARD_NAMES[card]);

/** Who is of which side, and what the last card decides besides it. */
const sides = (deck: readonly Card[]): string =>
  [
    `Werewolves${deck.includes('minion') ? ' and Minions' : ''} are one side, ${deck.includes('tanner') ? 'each Tanner is one of its own, ' : ''}all others the village.`,
    ...(deck.includes('doppelganger')
      ? ['A Doppelgänger card counts as what it copied, whoever has it at the end, and as a Villager if it was dealt to the centre.']
      : []),
  ].join(' ');

/** For whom the dice choose. */
function musts(deck: readonly Card[]): string {
  const names = namesOf(['doppelganger', 'drunk'], deck);
  return names.length ? `, but the dice choose for a silent ${joinList(names, 'or')}` : '';
}

const powers = (o: OnuwOptions, deck: readonly Card[]): { readonly [card in Call]?: string } => ({
  doppelganger: copies(deck),
  werewolf: `the Werewolves see who the others are.${
    o.loneWolf === 'peek' ? ' One who is alone may look at one centre card: centre:0, centre:1, centre:2, or pass.' : ''
  }`,
  minion: 'sees who woke as Werewolves, perhaps nobody. They do not learn who is a Minion.',
  mason: 'the Masons see each other. One who is alone learns that no other player woke as a Mason: the other card lies in the centre.',
  seer: `may look at another player’s card, or at two of the centre${
    o.seerCentre === 'chosen' ? ': centre:0+1, centre:0+2, centre:1+2' : ', which two is rolled: centre'
  }; or pass.`,
  robber: 'may take another player’s card, giving the own for it, and sees the new one; or pass. The new card is not acted on.',
  troublemaker:
    'may make the cards of two other players change places, without looking; or pass (with any name beside it, where two are asked for).',
  drunk: 'must exchange the card in front of them for one of the centre, without looking: centre:0, centre:1, centre:2.',
  insomniac: 'sees the card in front of them at the end of the night.',
});

/** What the Doppelgänger does, as itself and as the card that it has copied. */
function copies(deck: readonly Card[]): string {
  const as = (cards: readonly Card[], does: string): string[] => {
    const names = namesOf(cards, deck);
    return names.length ? [`as ${joinList(names, 'or')} it ${does}`] : [];
  };
  const kinds = [
    ...as(['seer', 'robber', 'troublemaker', 'drunk'], 'acts at once, in a step of its own and not again'),
    ...as(['werewolf', 'mason'], 'wakes with the others'),
    ...as(['minion', 'insomniac'], 'learns what that card learns, when it is called, unseen by others'),
  ].join('; ');
  return `must name another player, sees the card that this player was dealt, and copies it${kinds && `: ${kinds}`}. Whoever looks at its card sees a Doppelgänger.`;
}

const isSilent = (o: OnuwOptions): boolean => (o.setup === 'analysis' && !o.analysisTalk) || (o.talk === 'rounds' && o.talkRounds === 0);

function talk(o: OnuwOptions): string {
  if (isSilent(o)) return 'There is no talk by day.';
  if (o.talk === 'free') return `By day all talk freely for ${formatDuration(o.talkMs)}.`;
  return `By day there ${o.talkRounds === 1 ? 'is 1 round' : `are ${o.talkRounds} rounds`} of one speech each, in the order of the seats, ${formatDuration(o.turnMs)} for each speech.`;
}

function verdictText({ verdict, setup, selfVote, loneMinion }: OnuwOptions, deck: readonly Card[]): readonly string[] {
  const isIn = (card: Card): boolean => deck.includes(card);
  const foes = `Werewolves${isIn('minion') ? ' and Minions' : ''}`;
  const wolves = `The ${foes} win if a player is a Werewolf and no Werewolf dies.`;
  if (verdict === 'program')
    return [
      'The most voted dies, all of them in a tie. Nobody dies when nobody has more than one vote, unless a single player has got the only vote.',
      `The village wins if a Werewolf dies, or if nobody votes. ${wolves} When several players have got one vote and nobody has more, it is a draw. When no player is a Werewolf it is a draw.`,
    ];
  return [
    `The most voted dies, all of them in a tie. Nobody dies when nobody has more than one vote.${
      isIn('hunter')
        ? ` A Hunter who dies takes along the player it voted for, however many votes that one has; a Hunter who dies so does the same. One who voted for nobody${selfVote ? ' or for itself' : ''} takes nobody along.`
        : ''
    }`,
    `The village wins if a Werewolf dies, or if no player is a Werewolf and nobody dies. ${wolves}${
      setup === 'analysis' ? ' When everybody has got one vote it is a draw.' : ''
    }${isIn('minion') ? minionText(loneMinion) : ''} When no player is a Werewolf${isIn('minion') ? ' or Minion' : ''} and somebody dies, nobody wins.${
      isIn('tanner') ? ` But a Tanner who dies wins, alone or besides the village; ${foes} do not win then. Tanners who live lose.` : ''
    }`,
  ];
}

/** Who wins when a player is a Minion and none a Werewolf. */
const minionText = (loneMinion: OnuwOptions['loneMinion']): string =>
  ` When no player is a Werewolf and one is a Minion, ${
    loneMinion === 'target'
      ? 'the village wins if a Minion dies, and the Minions win if only others die.'
      : 'the Minions win if somebody other than a Minion dies, and nobody wins if only Minions die.'
  }`;
