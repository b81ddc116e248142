import { smallTalk } from '../conversation/small-talk.ts';
import type { Book } from '../conversation/voice.ts';

/** What is said at One Night Ultimate Werewolf. `suspicion` and `vote` accuse `{name}`; claims are read as in `speech.ts`. */
export const sentences = {
  ...smallTalk,
  countered: { any: ['{by}, we cannot both be {card}: I was dealt {card}.'] },
  clauseMine: { any: ['{who} claimed the card that I was dealt'] },
  clauseNoCard: { any: ['I have heard of no card from {who}', '{who} never named a card'] },
  role: {
    any: ['I was dealt {card}.', 'I am {card}.', 'My card: I was dealt {card}.'],
    chatty: ['No secrets from me: I was dealt {card}.'],
    dry: ['For what it is worth, I was dealt {card}.'],
  },
  looked: { any: ['I looked at {name}: {card}.', 'I looked at {name} and saw {card}.', 'I checked {name} and found {card}.'] },
  copied: { any: ['I copied {name}: {card}.', 'I copied {name} and got {card}.'] },
  fellow: { any: ['I woke with {name}: {card} too.', 'I woke up with {name}, who is {card} too.'] },
  alone: { any: ['Nobody woke with me, so the other one lies in the centre.', 'I woke alone; my fellow lies in the centre.'] },
  threat: {
    any: ['If I die, whoever I vote for dies with me.', 'Kill me, and whoever I vote for goes with me.'],
    dry: ['I do not go alone, mind you: whoever I vote for goes with me.'],
  },
  took: { any: ['I took the {which} card of the centre, unseen.', 'I left my card in the centre and took the {which} card.'] },
  centre: { any: ['In the centre I saw {card} and {other}.', 'I looked where nobody sits: in the centre I saw {card} and {other}.'] },
  robbed: { any: ['I robbed {name} and got {card}.', 'I robbed {name} and found {card}.'] },
  robbedUnseen: { any: ['I robbed {name}.'] },
  robbedNobody: { any: ['I robbed nobody.', 'In the end I robbed nobody.'] },
  swapped: { any: ['I swapped {name} and {other}.', 'I swapped {name} with {other}.'] },
  swappedNobody: { any: ['I swapped nobody.', 'In the end I swapped nobody.', 'I thought about it, and I swapped nobody.'] },
  last: { any: ['At the end I had {card}.', 'At the end of the night I had {card}.'] },
  suspicion: {
    any: [
      'I suspect {name}.',
      'I do not trust {name}.',
      'After all this I suspect {name}.',
      '{name} must be a Werewolf.',
      'The stories do not fit together, and I suspect {name}.',
    ],
    blunt: ['I accuse {name}.', '{name} is a Werewolf.'],
    cautious: ['If I had to choose now: I suspect {name}.', '{name} may be a Werewolf, if I have followed all the cards.'],
    chatty: ['I have moved all the cards around in my head, and I suspect {name}.'],
    dry: ['What a lovely story. I suspect {name}.', 'I do not trust {name}, nor that story.'],
  },
  vote: {
    any: [
      'I vote for {name}.',
      'I will vote for {name}.',
      'My mind is made up: I vote for {name}.',
      'It has to be somebody, and I vote for {name}.',
    ],
    blunt: ['I vote for {name}. Done.'],
    cautious: ['With a bad feeling I vote for {name}.'],
    chatty: ['I have changed my mind three times, but now I vote for {name}.'],
    dry: ['Nothing personal: I vote for {name}.'],
  },
  defence: { any: ['{name} is no Werewolf.', '{name} is not a Werewolf, so leave that alone.', 'As I see it, {name} is no Werewolf.'] },
  selfDefence: {
    any: ['I do not belong to the Werewolves.', 'You are wrong about me: I play for the village.', 'I have no part in this.'],
  },
  peace: {
    any: [
      'Perhaps no player is a Werewolf. Then nobody must die.',
      'I suspect nobody.',
      'It all fits. I see no Werewolf among us.',
      'Everything adds up; let us spread our votes.',
      'All stories agree, so let nobody die.',
    ],
    blunt: ['Nobody is lying. Spread the votes.'],
    cautious: ['As far as I can tell the Werewolves lie in the centre.'],
    chatty: ['I went through the whole night twice, and it fits like a glove; nobody has to die.'],
    dry: ['For once everybody seems to be honest. Suspicious, but so be it.'],
  },
} as const satisfies Book;
export type Occasion = keyof typeof sentences;
