import { smallTalk } from '../conversation/small-talk.ts';
import type { Book } from '../conversation/voice.ts';

/** What is said at Werewolf for seven. `suspicion` accuses `{name}`, `defence` also claims to be a villager, `plain` and `farewell` only that. */
export const sentences = {
  ...smallTalk,
  idle: {
    any: [
      'I have nothing to tell yet.',
      'Let us look at who votes for whom.',
      'Nobody should die without a reason today.',
      'Whoever knows something should say it in time.',
      'Two Werewolves sit at this table, and they have all the time in the world.',
      'I pass on guessing for now.',
      'Let us hear everybody before we vote.',
    ],
    blunt: ['Nothing from me.', 'I know nothing. Next.'],
    cautious: ['I would rather vote for nobody than for the wrong one.', 'Without a result I do not dare to name anybody.'],
    chatty: [
      'I have turned it over in my head all night, and I still know nothing for certain.',
      'What a village this is; everybody watches everybody, and nobody knows a thing.',
    ],
    dry: [
      'My crystal ball is at the mender’s, so nothing from me today.',
      'I would name somebody, if only to pass the time, but I cannot.',
    ],
  },
  candidate: {
    any: [
      'Give me the badge, and I will use it for the village.',
      'I would carry the badge with care, and hear everybody first.',
      'Whoever wears the badge has more to say than others. I would use it well.',
      'I want the badge, because a tie helps nobody but them.',
      'Somebody has to break our ties, and I am willing.',
    ],
  },
  plain: {
    any: [
      'I am a Villager, and I know no more than you.',
      'I am a Villager, so do not expect any revelations from me.',
      'For what it is worth, I am a Villager.',
    ],
    blunt: ['I am a Villager. That is all.'],
    chatty: ['I am a Villager, and I must say I had hoped for a quieter life.'],
    dry: ['I am a Villager; somebody has to be.'],
  },
  suspicion: {
    any: [
      'I suspect {name}.',
      'I suspect {name} more than anybody else.',
      '{name} may be a Werewolf.',
      'I do not trust {name}.',
      'As far as I can see {name} could be a Werewolf.',
      'All I have seen so far tells me the same: I suspect {name}.',
    ],
    blunt: ['{name} must be a Werewolf.', 'I suspect {name}, plain and simple.'],
    cautious: ['I cannot prove it, but I suspect {name}.', '{name} might be a Werewolf, or so it seems to me.'],
    chatty: ['I have counted it on my fingers twice, and I suspect {name}.', 'You may laugh, but to me {name} looks like a Werewolf.'],
    dry: ['Unless I am very stupid {name} must be a Werewolf.', 'I do not trust {name}, and I doubt that it is mutual.'],
  },
  defence: {
    any: [
      'I am a Villager. I suspect {name}.',
      'I am a Villager, and {name} may be a Werewolf.',
      'Think again: I am a Villager. If you must have somebody, I suspect {name}.',
    ],
    blunt: ['I am a Villager. I suspect {name}. Done.'],
    cautious: ['Please believe me: I am a Villager. I suspect {name}, though I cannot prove it.'],
    dry: ['I am a Villager, which makes this awkward. I suspect {name}.'],
  },
  farewell: {
    any: [
      'I am a Villager. You are making a mistake.',
      'I am a Villager. Look at who wanted this.',
      'I am a Villager. Remember this day when the count gets close.',
    ],
    blunt: ['I am a Villager. Fools.'],
    cautious: ['I am a Villager. I only hope that you choose better tomorrow.'],
    chatty: ['I am a Villager, and I would have loved to see how this ends. Take care of each other.'],
    dry: ['I am a Villager. Well done, everybody.'],
  },
  last: { any: ['I am a Villager.'] },
  guard: { any: ['I am the Guard.', 'You should know it: I am the Guard.', 'Believe it or not, I am the Guard.'] },
  witch: {
    any: [
      'I am the Witch.',
      'You should know it: I am the Witch.',
      'Believe it or not, I am the Witch.',
      'One more thing: I am the Witch.',
    ],
  },
  saved: { any: ['I saved {name}.', 'It is true, I saved {name}.', 'In the night I saved {name}.'] },
  poisoned: { any: ['I poisoned {name}.', 'It is true, I poisoned {name}.', 'In the night I poisoned {name}.'] },
  seer: {
    any: [
      'I am the Seer.',
      'Listen, I am the Seer.',
      'It is time to say it: I am the Seer.',
      'I can keep it to myself no longer: I am the Seer.',
    ],
  },
  seerAgain: {
    any: [
      'I am the Seer, as you know.',
      'I am the Seer, and I looked again last night.',
      'I am the Seer, and this is what I have.',
      'I am the Seer, and I stand by it.',
      'I am the Seer, whatever others may tell you.',
    ],
  },
  found: {
    any: [
      '{name} is a Werewolf.',
      'I have seen it: {name} is a Werewolf.',
      'Mark my words, {name} is a Werewolf.',
      'There can be no doubt, {name} is a Werewolf.',
      'What I saw was clear: {name} is a Werewolf.',
    ],
  },
  cleared: { any: ['{name} is not a Werewolf.', '{name} is innocent.', 'I looked at this one, and {name} is not a Werewolf.'] },
  foundDead: { any: ['{name} was a Werewolf.'] },
  clearedDead: { any: ['{name} was not a Werewolf.', '{name} was innocent.'] },
} as const satisfies Book;
export type Occasion = keyof typeof sentences;
