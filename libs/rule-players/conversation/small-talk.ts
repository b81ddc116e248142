import type { Book } from './voice.ts';

/** What a seat says as an answer. `{asker}`, `{name}`, `{target}`: players. `{reason}`: one of the clauses below. */
const replies = {
  replySuspect: {
    any: [
      '{asker}, at the moment {name} worries me most.',
      'To answer you, {asker}: I keep an eye on {name}.',
      'You ask whom I have in mind, {asker}? {name}.',
      'If I had to pick right now, {asker}, I would pick {name}.',
      '{asker}, I have thought about it, and it is {name}.',
      'My answer is {name}, {asker}.',
    ],
    blunt: ['You want a name, {asker}? {name}.', '{asker}: {name}. Next question.'],
    cautious: ['I may be wrong, {asker}, but {name} makes me uneasy.', 'With all reservations, {asker}, I would name {name}.'],
    chatty: ['Glad you ask, {asker}! I keep coming back to {name}, and I could go on about it all day.'],
    dry: ['I would say {name}, {asker}. Not that anybody will thank me for it.'],
  },
  replySuspectAsker: {
    any: ['Since you ask, {asker}: you.', 'To be honest, {asker}, I have my eye on you.', 'You will not like it, {asker}, but it is you.'],
    dry: ['Funny that you should ask, {asker}.'],
  },
  replyNobody: {
    any: ['Nobody in particular yet, {asker}.', 'I have no name for you yet, {asker}.', 'Too early for me to point at anybody, {asker}.'],
    dry: ['If only I knew, {asker}.'],
  },
  replyTrust: {
    any: [
      'More than the others, {asker}, I rely on {name}.',
      'So far I feel safest with {name}, {asker}.',
      'Of all of you, {asker}, I would pick {name}.',
    ],
    blunt: ['{asker}: {name}.'],
  },
  replyTrustNobody: {
    any: ['Nobody but myself, {asker}.', 'Ask me again later, {asker}. So far, no one.', 'Myself, {asker}, and that is about it.'],
  },
  replyOpinionBad: {
    any: [
      '{name}? I have my worries there, {asker}.',
      '{asker}, I would watch {name} very closely.',
      '{name} is high on my list, {asker}.',
    ],
    dry: ['{name}, {asker}? I would count my spoons.'],
  },
  replyOpinionFine: {
    any: ['{asker}, I see nothing wrong with {name}.', '{name} seems all right to me, {asker}.', 'No complaints about {name}, {asker}.'],
  },
  replyOpinionOpen: {
    any: ['I cannot make {name} out yet, {asker}.', '{asker}, {name} could be either.', 'No idea about {name} so far, {asker}.'],
  },
  replyWhy: {
    any: ['Because {reason}, {asker}.', 'Well, {asker}: {reason}.', 'You want a reason, {asker}? Well, {reason}.'],
    blunt: ['Simple, {asker}: {reason}.'],
    cautious: ['I was not sure about it, {asker}, but {reason}.'],
    dry: ['Because {reason}, {asker}. Call me petty.'],
  },
  replyWhyOpen: {
    any: [
      '{asker}, I went by what I had seen so far, nothing more.',
      'It seemed the best choice to me, {asker}.',
      'I judged it as well as I could, {asker}.',
    ],
  },
  replyNotSo: {
    any: ['I never voted for {target}, {asker}.', '{asker}, you must mean somebody else: I have not voted for {target}.'],
  },
  replyGuilty: {
    any: ['Certainly not, {asker}.', 'I am not, {asker}.', 'No, {asker}, and I would say the same to anybody.'],
    blunt: ['No, {asker}.'],
    chatty: ['Me, {asker}? No! But I see why you have to ask.'],
    dry: ['If I were, {asker}, I would hardly tell you.'],
  },
  replyRole: {
    any: [
      '{asker}, whoever is the {role} should think twice before saying so.',
      'That stays with me for now, {asker}.',
      'You will hear from me when the time has come, {asker}.',
      'I would not tell you now, {asker}, whatever I am.',
    ],
    blunt: ['Not telling, {asker}.'],
    dry: ['The {role} would give you the same answer, {asker}: none.'],
  },
  replyPlain: { any: ['{asker}, I am a {role}.', 'A {role}, {asker}, no more than that.', 'You ask what I am, {asker}? A {role}.'] },
  replyClaimed: {
    any: [
      'I have said what I am, {asker}, and it still holds.',
      'You have heard it from me already, {asker}: nothing has changed.',
      'I told everybody what I am, {asker}.',
    ],
    blunt: ['I told you, {asker}. Listen.'],
  },
  replyOther: {
    any: ['I have no answer to that yet, {asker}.', 'Let me think about that, {asker}.', '{asker}, I wish I knew.'],
    dry: ['Deep question, {asker}. Ask me an easier one.'],
  },
} as const;

/** Reasons, as clauses with `{who}` as their subject: `you` or a name. Each but the last names what all have seen. */
const clauses = {
  clauseFound: { any: ['{by} claimed to have found a Werewolf in {who}', 'the word of {by} stands against {who}'] },
  clauseVote: { any: ['{who} voted for {target}, and {target} was no Werewolf', '{who} wanted {target} dead, who was no Werewolf'] },
  clauseTurn: { any: ['{who} accused {target} and then voted for {other}', '{who} spoke against {target} and voted for {other}'] },
  clauseCritic: { any: ['{who} voted for me'] },
  clauseAccuser: { any: ['{who} accused me', '{who} spoke against me'] },
  clauseQuiet: { any: ['{who} said nothing at all', '{who} had not said a word yet'] },
  clauseHunch: {
    any: ['it was a guess', 'I had nothing better than a feeling', 'nobody had told us anything better', 'it was no more than a hunch'],
  },
} as const;

/** What a seat adds to its opinion: that it answers, why it thinks so, what it thought before. */
const asides = {
  replyAnswer: { any: ['You asked, {asker}.', '{asker}, you wanted a name.', 'An answer for {asker}.'], chatty: ['Gladly, {asker}.'] },
  because: {
    any: ['Remember: {reason}.', '{reason}.', 'After all, {reason}.'],
    blunt: ['{reason}.'],
    dry: ['{reason}. Not that it proves anything.'],
  },
  turned: { any: ['I have changed my mind about {name}.', 'I was too quick with {name}.', 'Forget what I said about {name}.'] },
  conceded: { any: ['I was wrong about {name}.', 'I did {name} wrong.'], dry: ['I was wrong about {name}. It happens.'] },
  replyUnsaid: { any: ['I said no such thing, {asker}.', '{asker}, those are not my words.'] },
  untrue: {
    any: ['{by}, that is not so: {name} never voted for {target}.', 'Look again, {by}: {name} did not vote for {target}.'],
  },
} as const;

/** What a seat says to what it has heard. `{by}`: who said it. `{about}`: about whom. */
const reactions = {
  protest: {
    any: ['Why me, {by}?', 'You have the wrong one, {by}.', '{by}, you are barking up the wrong tree.', 'That is unfair, {by}.'],
    blunt: ['Nonsense, {by}.', 'Wrong, {by}.'],
    cautious: ['I can see how you came to that, {by}, but it is not me.'],
    chatty: ['Oh come on, {by}, of all the people at this table you pick me?'],
    dry: ['Me, {by}? How original.'],
  },
  thanks: {
    any: ['Thank you, {by}.', 'I appreciate that, {by}.', 'That is kind, {by}.'],
    blunt: ['Thanks, {by}.'],
    dry: ['Flattery, {by}? I will allow it.'],
  },
  claimHeard: {
    any: ['That is quite a claim, {by}.', '{by}, I hope you can back that up.', 'I heard you, {by}; let us see who says otherwise.'],
    blunt: ['Big words, {by}.'],
    cautious: ['I would like to take your word for it, {by}, but one word is not much.'],
    chatty: ['Well, {by}, that changes everything, or nothing at all.'],
    dry: ['Very convenient, {by}.'],
  },
  confessed: {
    any: ['Very funny, {by}.', 'I will pretend I did not hear that, {by}.', 'How honest of you, {by}.', 'Careful with such jokes, {by}.'],
  },
  agree: {
    any: ['I see it the way {by} does.', '{by} has a point there.', 'I had the same thought as {by}.', 'What {by} says makes sense to me.'],
    blunt: ['{by} is right.'],
    cautious: ['{by} may have a point.'],
    chatty: ['{by} took the words out of my mouth.'],
    dry: ['{by} and I think alike, I fear.'],
  },
  disagree: {
    any: ['I do not follow you there, {by}.', 'I see {about} differently, {by}.', '{by}, that is a little quick for me.'],
    blunt: ['I disagree, {by}.'],
    cautious: ['I would not be so quick about {about}, {by}.'],
    dry: ['A bold guess about {about}, {by}.'],
  },
  mourn: {
    any: ['So we have lost {dead}.', 'I did not expect to lose {dead}.', 'We will miss {dead}.'],
    blunt: ['{dead} dead. Right.'],
    cautious: ['First {dead} dead, and who comes next?'],
    chatty: ['Poor {dead}! I had hoped we would all sit here together a little longer.'],
    dry: ['With {dead} dead there is more room at the table.'],
  },
  ask: {
    any: [
      '{name}, whom do you have in mind?',
      'What do you make of all this, {name}?',
      '{name}, where do you stand?',
      'And what do you say, {name}?',
    ],
    blunt: ['{name}, a name, please: who is it?', 'Out with it, {name}: who is it?', '{name}, who is it, in your opinion?'],
    cautious: ['{name}, may I ask whom you have in mind?'],
    chatty: ['{name}, you always have an opinion: what do you think?'],
    dry: ['{name}, do you have an opinion, or are you saving it?'],
  },
  askQuiet: {
    any: ['{name}, you have been quiet. What do you think?', 'We have hardly heard from {name}. What do you say, {name}?'],
    blunt: ['{name}, say something: whom do you have in mind?'],
  },
} as const;

/** The sentences that every game has. None of them is evidence: no strategy reads an accusation, a favour or a claim in them. */
export const smallTalk = { ...replies, ...asides, ...clauses, ...reactions } as const satisfies Book;
export type SmallTalk = keyof typeof smallTalk;

/** What is said in free talk where people sit, when there is no new opinion. `{by}`: who did it; `{name}`: for whom; `{before}`: for whom before. */
export const banter = {
  votedMe: { any: ['{by}, why me?', 'What have I done, {by}?', 'Why my name, {by}?', 'And the reason, {by}?'] },
  voted: {
    any: [
      '{by}, why {name}?',
      'So {by} goes for {name}.',
      'What makes you choose {name}, {by}?',
      'That was quick, {by}.',
      '{by} has chosen.',
    ],
    dry: ['{by} wastes no time.'],
  },
  voteTurned: {
    any: ['{by}, why the change?', 'First {before}, now {name}, {by}?', 'Changed your mind, {by}?', '{by} has moved on to {name}.'],
  },
  voteRecalled: { any: ['{by}, why did you vote for {name} then?', '{by}, I still wonder: why {name}?'] },
  tally: { any: ['{count} votes on {name} now.', 'That makes {count} on {name}.', '{name} has {count} votes.'] },
  unvoted: { any: ['{name}, your vote?', 'Where is your vote, {name}?', '{name} has not voted yet.', 'We still wait for {name}.'] },
  nudge: {
    any: [
      '{name}?',
      'Anything, {name}?',
      '{name}, are you there?',
      'Not a word, {name}?',
      '{name}, talk to us.',
      'What do you say, {name}?',
    ],
    chatty: ['Come on, {name}, we do not bite!'],
  },
  wonder: {
    any: [
      '{by}, what do you make of {name}?',
      'Any thoughts on {name}, {by}?',
      '{by}, what about {name}?',
      '{by}, what do you think of {name}?',
    ],
  },
  nod: {
    any: [
      'Fair enough, {by}.',
      'Noted, {by}.',
      'I hear you, {by}.',
      'Go on, {by}.',
      'I will think about that, {by}.',
      'Well said, {by}.',
      'Ha, {by}!',
    ],
    blunt: ['As you like, {by}.'],
    cautious: ['Perhaps, {by}. I do not know.'],
    dry: ['If you say so, {by}.'],
  },
  muse: {
    any: [
      'Hm.',
      'Hard to say.',
      'Let me think.',
      'This is tricky.',
      'What else?',
      'Anything new?',
      'So what now?',
      'I need more than this.',
    ],
    blunt: ['Facts, please.', 'Get to the point.', 'We go in circles.'],
    cautious: ['Let us not rush.', 'This goes too fast for me.', 'I keep listening.'],
    chatty: ['Oh, I love this part.', 'It is too quiet for me!', 'Who else has something?'],
    dry: ['Riveting.', 'I have seen livelier tables.'],
  },
  hurry: { any: ['Time is short.', 'Not much time left.', 'We have to decide.', 'Last words, anyone?'] },
} as const satisfies Book;
export type Banter = keyof typeof banter;
