import { formatDuration } from '../kernel/format-text.ts';
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
    `There is one night${isSilent(o) ? '' : ', one talk'} and one vote. Cards may change places in the night: the card that lies in front of a player at the end decides the player’s side, whether the player knows it or not. Werewolves are one side, all others the village.`,
    `In the night the cards are called in the order ${night.map((card) => CARD_NAMES[card as Card]).join(', ')}. Who was dealt a card acts when it is called, and only then, whatever card lies in front of them by now. ${
      o.hurry
        ? 'A step ends as soon as it is answered.'
        : `Every step lasts ${formatDuration(o.stepMs)}${centre ? ', also when the card lies in the centre' : ''}.`
    } Silence does nothing. Players who were dealt the same of these cards see each other.`,
    ...night.flatMap((card) => (powers(o, deck)[card] ? [`${CARD_NAMES[card as Card]}: ${powers(o, deck)[card]}`] : [])),
    ...(fixed?.acts
      ? ['In this game the night has been played beforehand: nobody is asked, and each learns what their own card did and saw.']
      : []),
    talk(o),
    `Then all vote at once, ${o.selfVote ? 'for any player' : 'for another player'}, for at most ${formatDuration(o.voteMs)}. Silence is no vote.`,
    ...verdictText(o),
    o.utility === 'plain'
      ? 'Points: 1 for winners, -1 for losers, 0 in a draw.'
      : 'Points: 1 for winners, -1 for losers, 0 in a draw, less a fifth of a point for each vote got.',
    'At the end all cards are turned up.',
    `A speech has at most ${o.maxChars} characters.`,
  ].join('\n');
}

const powers = (o: OnuwOptions, deck: readonly Card[]): { readonly [card in Call]?: string } => ({
  werewolf: `the Werewolves see who the others are.${
    o.loneWolf === 'peek' ? ' One who is alone may look at one centre card: centre:0, centre:1, centre:2, or pass.' : ''
  }`,
  seer: `may look at another player’s card, or at two of the centre${
    o.seerCentre === 'chosen' ? ': centre:0+1, centre:0+2, centre:1+2' : ', which two is rolled: centre'
  }; or pass.`,
  robber: 'may take another player’s card, giving the own for it, and sees the new one; or pass. The new card is not acted on.',
  troublemaker:
    'may make the cards of two other players change places, without looking; or pass (with any name beside it, where two are asked for).',
  insomniac: deck.includes('insomniac') ? 'sees the card in front of them at the end of the night.' : '',
});

const isSilent = (o: OnuwOptions): boolean => (o.setup === 'analysis' && !o.analysisTalk) || (o.talk === 'rounds' && o.talkRounds === 0);

function talk(o: OnuwOptions): string {
  if (isSilent(o)) return 'There is no talk by day.';
  if (o.talk === 'free') return `By day all talk freely for ${formatDuration(o.talkMs)}.`;
  return `By day there ${o.talkRounds === 1 ? 'is 1 round' : `are ${o.talkRounds} rounds`} of one speech each, in the order of the seats, ${formatDuration(o.turnMs)} for each speech.`;
}

function verdictText({ verdict, setup }: OnuwOptions): readonly string[] {
  const wolves = 'The Werewolves win if a player is a Werewolf and no Werewolf dies.';
  if (verdict === 'program')
    return [
      'The most voted dies, all of them in a tie. Nobody dies when nobody has more than one vote, unless a single player has got the only vote.',
      `The village wins if a Werewolf dies, or if nobody votes. ${wolves} When several players have got one vote and nobody has more, it is a draw. When no player is a Werewolf it is a draw.`,
    ];
  return [
    `The most voted dies, all of them in a tie. Nobody dies when nobody has more than one vote.`,
    `The village wins if a Werewolf dies, or if no player is a Werewolf and nobody dies. ${wolves}${
      setup === 'analysis' ? ' When everybody has got one vote it is a draw.' : ''
    } When no player is a Werewolf and somebody dies, nobody wins.`,
  ];
}
