import { smallTalk } from '../conversation/small-talk.ts';
import type { Book } from '../conversation/voice.ts';

/** What is said at AIWolf with `language: free`: the same statements as in the language of the protocol. */
export const sentences = {
  ...smallTalk,
  claim: {
    any: ['I am the {role}.', 'You should know it: I am the {role}.', 'Time to come out: I am the {role}.'],
    blunt: ['Listen, I am the {role}.'],
    dry: ['No point in hiding it: I am the {role}.'],
  },
  vote: {
    any: [
      'I vote for {name}.',
      'Today I vote for {name}.',
      'As it stands I vote for {name}.',
      'I suspect {name}.',
      'My vote is decided: I suspect {name}.',
      'I have made up my mind, and I vote for {name}.',
    ],
    blunt: ['I vote for {name}, and so should you.'],
    cautious: ['Unless I hear something better I vote for {name}.', 'For now I suspect {name}.'],
    chatty: ['I have listened to all of you with great patience, and I suspect {name}.'],
    dry: ['One has to start somewhere: I vote for {name}.'],
  },
  attack: { any: ['I vote for {name} tonight.', 'Tonight I vote for {name}.'] },
  found: { any: ['As the {role} I can tell you: {name} is a Werewolf.', 'My result as the {role}: {name} is a Werewolf.'] },
  cleared: { any: ['As the {role} I can tell you: {name} is human.', 'My result as the {role}: {name} is human.'] },
  foundDead: { any: ['As the {role} I can tell you: {name} was a Werewolf.', 'My result as the {role}: {name} was a Werewolf.'] },
  clearedDead: { any: ['As the {role} I can tell you: {name} was human.', 'My result as the {role}: {name} was human.'] },
} as const satisfies Book;
export type Occasion = keyof typeof sentences;
