import { smallTalk } from '../conversation/small-talk.ts';
import type { Book } from '../conversation/voice.ts';

/** What is said at MAW. `suspicion`, `hunch` and `joining` accuse `{name}`; the sentences of a seer are results; the others say nothing of anybody. */
export const sentences = {
  ...smallTalk,
  opening: {
    any: [
      'Good morning. Who has something to tell?',
      'Let us not waste the day; every vote tells something.',
      'We should agree on one name today.',
      'Stay together, and look at who votes apart.',
      'A third of us are Werewolves, so let us be careful.',
      'Before anybody votes, let us hear everyone once.',
    ],
    blunt: ['Right. Somebody here is lying, so let us get on with it.', 'No speeches, please. Names.'],
    cautious: [
      'I know nothing yet, and I would rather not guess. What do the others think?',
      'Let us take our time; a hasty vote only helps the Werewolves.',
    ],
    chatty: [
      'Good morning, everybody! I hardly slept, and I see that I am not the only one.',
      'Good morning! I am a Villager, and I would love to hear how you all feel about this.',
    ],
    dry: ['Lovely village. Pity about the Werewolves.', 'Well, here we are, all Villagers, I am sure.'],
  },
  suspicion: {
    any: [
      'I suspect {name}.',
      'I do not trust {name}.',
      '{name} may be a Werewolf.',
      'The longer I listen, the more I suspect {name}.',
      'If you ask me, {name} could be a Werewolf.',
      'Something about {name} is not right: I suspect {name} more than anybody else.',
    ],
    blunt: ['{name} must be a Werewolf.', 'I suspect {name}. Prove me wrong.'],
    cautious: ['I may be mistaken, but I suspect {name}.', '{name} could be a Werewolf, though I would like to hear more first.'],
    chatty: [
      'I like {name}, I really do, and still {name} looks like a Werewolf to me.',
      'Call it a feeling, call it experience: I suspect {name}.',
    ],
    dry: ['Somebody has to say it: I suspect {name}.', '{name} looks like a Werewolf to me, and not even a clever one.'],
  },
  hunch: {
    any: ['It is only a hunch: I suspect {name}.', 'For a start, I suspect {name}.', 'With so little to go by, I suspect {name}.'],
    blunt: ['Call it instinct: I suspect {name}.'],
    cautious: ['It is early, and I may well be wrong, but I suspect {name}.'],
    dry: ['On no evidence whatever, I suspect {name}.'],
  },
  joining: {
    any: [
      'All right, I vote for {name} too.',
      'I go with the others and vote for {name}.',
      'Fine, I vote for {name}.',
      'You have convinced me: I vote for {name}.',
      'One name is better than three, so I vote for {name}.',
    ],
    blunt: ['Enough of this. I vote for {name}.'],
    cautious: ['Not gladly, but I vote for {name}.', 'With some doubt I vote for {name}.'],
    chatty: ['I have been back and forth all day, but very well, I vote for {name}.'],
    dry: ['Far be it from me to stand in the way: I vote for {name}.'],
  },
  defence: {
    any: [
      'You are wrong about me, I am a Villager.',
      'Do the Werewolves a favour and execute me, or think again: I am a Villager.',
      'Who wants me dead, and why so quickly? I am a Villager.',
      'If I die today, you will learn tomorrow how wrong you were.',
    ],
    blunt: ['I am a Villager. Stop this.'],
    cautious: ['Please think twice. I am a Villager, and I have nothing to hide.'],
    chatty: ['Me, a Werewolf? I cannot even keep a secret for an hour! I am a Villager.'],
    dry: ['By all means hang a Villager; the Werewolves will thank you.'],
  },
  night: {
    any: ['Let us take {name}.', '{name} tonight.', 'I say {name}.', 'My choice is {name}.'],
    cautious: ['I would say {name}, if you agree.'],
    chatty: ['{name} has been getting on my nerves all day. Tonight, then?'],
    dry: ['{name} will not be missed.'],
  },
  seer: {
    any: ['I am the Seer.', 'Listen, I am the Seer.', 'It is time to say it: I am the Seer.', 'Believe me or not, I am the Seer.'],
    chatty: ['I have kept it to myself as long as I could: I am the Seer.'],
  },
  seerAgain: {
    any: ['I am the Seer, as you know.', 'I am the Seer, and I have looked again.', 'I am the Seer, and there is more to tell.'],
  },
  found: { any: ['{name} is a Werewolf.'] },
  cleared: { any: ['{name} is not a Werewolf.', '{name} is innocent.'] },
  foundDead: { any: ['{name} was a Werewolf.'] },
  clearedDead: { any: ['{name} was not a Werewolf.', '{name} was innocent.'] },
} as const satisfies Book;
export type Occasion = keyof typeof sentences;
