import { smallTalk } from '../conversation/small-talk.ts';
import type { Book } from '../conversation/voice.ts';

/** What is said at Avalon. `suspicion` and `certainty` speak against `{name}`, `trust` and `team` for, `lady` as she says; `nothing` for nobody. */
export const sentences = {
  ...smallTalk,
  replyWhyOpen: {
    any: [
      '{asker}, I went by the votes and the quests so far.',
      'I judged that team as I saw it, {asker}.',
      'That was my reading of the table, {asker}, nothing more.',
    ],
    blunt: ['I had my reasons, {asker}.'],
    dry: ['I watched, {asker}. You might try it.'],
  },
  replyNotSo: { any: ['I have nothing in particular on {target}, {asker}.', '{asker}, I said nothing of the kind about {target}.'] },
  claimHeard: {
    any: ['Whoever is Merlin says nothing, {by}.', 'Saying that aloud helps the Assassin, {by}.', 'Anybody could say that, {by}.'],
  },
  noFail: { any: ['{by}, no quest has failed so far.', 'Which fail card, {by}? There has been none.', 'Nothing has failed yet, {by}.'] },
  clauseFailed: { any: ['{who} went on a quest that failed', '{who} sat on a team whose quest failed'] },
  hunch: {
    any: [
      'A hunch, no more: I suspect {name}.',
      'If I had to choose now, I would leave out {name}.',
      'I suspect {name}, and I could not tell you why.',
      'For a start I would leave out {name}.',
      'I do not trust {name} yet.',
      'I suspect {name}, for want of anything better.',
    ],
    blunt: ['I suspect {name}. Call it instinct.'],
    cautious: ['It is early, and still I would leave out {name}.'],
    chatty: ['We have only just sat down, and already I suspect {name}; it must be the eyes.'],
    dry: ['I do not trust {name}, and we have hardly met.'],
  },
  suspicion: {
    any: [
      'I suspect {name}.',
      'I do not trust {name}.',
      '{name} may be evil, if I read the votes right.',
      'I would leave out {name}.',
      'All I have seen so far says the same: I suspect {name}.',
      'The votes do not add up, and so I suspect {name}.',
      'For my part, I would leave out {name}.',
      'I have watched all of you, and I suspect {name}.',
      'Quests are won without {name}: I would leave out {name}.',
      'For me it is simple: I suspect {name}.',
      'Better safe than sorry: I would leave out {name}.',
      'After this vote even more, I suspect {name}.',
      'Nothing has changed my mind: I suspect {name}.',
    ],
    blunt: ['Leave out {name}.', '{name} is evil, as I see it.'],
    cautious: ['I may be wrong, and still I would leave out {name}.', '{name} may be evil; I cannot be sure.'],
    chatty: ['I have gone through all the votes again, and I keep ending up at the same place: I suspect {name}.'],
    dry: ['I do not trust {name}, and I am not easily offended.', 'If {name} is a knight of Arthur, I am his horse: I suspect {name}.'],
  },
  certainty: {
    any: [
      'I am sure that {name} is evil.',
      '{name} is evil, mark my words.',
      'Whatever you do, leave out {name}.',
      'I have no question left: {name} is evil.',
      'Do not send {name} anywhere.',
    ],
    blunt: ['{name} is evil. Full stop.'],
    cautious: ['I do not say this lightly: {name} is evil.'],
    chatty: ['I would bet my sword and my horse on it: {name} is evil.'],
    dry: ['{name} is evil. I am as surprised as you are.'],
  },
  trust: {
    any: [
      'I trust {name}.',
      '{name} looks loyal to me.',
      'I believe that {name} is good.',
      'With {name} I would go on any quest: {name} looks loyal to me.',
      'So far {name} looks good.',
    ],
    blunt: ['{name} is loyal.'],
    cautious: ['If anybody is loyal, it is {name}.', 'I would rather believe {name} than anybody else.'],
    chatty: ['I have a soft spot for {name}, I admit, and {name} looks good to me.'],
    dry: ['I trust {name}, within reason.'],
  },
  lady: {
    any: [
      'I looked at {name} with the Lady of the Lake: {name} is {side}.',
      'The Lady of the Lake showed me that {name} is {side}.',
      'According to the Lady of the Lake, {name} is {side}.',
    ],
    blunt: ['The Lady says {name} is {side}.'],
  },
  team: {
    any: [
      'I would send {name}.',
      'First of all I will take {name}.',
      'I will take {name}.',
      'I am going to take {name} along.',
      'For this quest I would take {name}.',
    ],
    blunt: ['I take {name}.'],
    cautious: ['If nobody objects I would take {name}.', 'I think I would send {name}, to be on the safe side.'],
    chatty: ['After some thought, and with a heavy heart for those who stay behind, I would send {name}.'],
    dry: ['I will take {name}; somebody has to go.'],
  },
  nothing: {
    any: [
      'Nothing to add. Watch who votes for what.',
      'I know too little so far. Let us see how the votes fall.',
      'Let us go on and look at the cards.',
      'I listen, and I count the votes.',
      'One quest tells us more than ten speeches.',
      'Let the first cards speak.',
    ],
    blunt: ['Nothing from me.', 'Get on with it. I want to see cards.'],
    cautious: ['It is too early for me to name anybody.', 'I would rather hear the others first.'],
    chatty: [
      'What a handsome round table, and what long faces! I have no idea who is who.',
      'My mother always said: watch their hands, not their mouths. So I watch.',
    ],
    dry: ['I have heard much and learned little.', 'Nothing, and I say it with confidence.'],
  },
} as const satisfies Book;
export type Occasion = keyof typeof sentences;
