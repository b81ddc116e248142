/** What players say, by mood. {target}, {accuser}, {other} and {me} stand for names. */
export const SPEECH = {
  opening: [
    'Good morning, everyone. Before anybody points a finger, let us hear from each of us once.',
    'Well, here we are. I would like to hear what {other} makes of this.',
    'Nobody knows much yet, so let us talk before we vote.',
    'I have nothing solid so far. {other}, what is your first impression?',
    'Let us not rush. The quiet ones usually have something to hide.',
    'Hello all. I am {me}, and I will say plainly when I suspect somebody.',
    'Who slept well? I did not, and I keep thinking about {other}.',
    'I suggest we go around the table once, and then compare what we heard.',
  ],
  accuse: [
    'I am not comfortable with {target}. Too careful with every word.',
    '{target} has said very little that could ever be proven wrong. That worries me.',
    'If I had to vote right now, it would be {target}.',
    'Has anybody noticed that {target} agrees with whoever spoke last?',
    'I keep coming back to {target}. Something about that story does not fit.',
    '{target}, you changed the subject twice. Why?',
    'My suspicion falls on {target}, and I would like to hear a good answer.',
    'A villager would have spoken up by now. {target} looks like a wolf to me.',
    'I watched {target} closely, and I do not like what I saw.',
    'Let us put some pressure on {target} and see what happens.',
  ],
  agree: [
    'I agree with {accuser}: {target} seems suspicious.',
    '{accuser} has a point about {target}. I will go along with that.',
    'I was unsure, but {accuser} convinced me. {target} should explain.',
    'What {accuser} said about {target} matches what I saw.',
    'Count me in with {accuser}. My vote goes to {target} unless somebody knows better.',
    'That makes two of us, {accuser}. {target} has my vote.',
  ],
  doubt: [
    '{accuser}, you were very quick to name {target}. What do you base it on?',
    'I am not sure about {target}. {accuser} may be steering us.',
    'Everybody piles on {target}, and that is just what the wolves would want.',
    'Before we settle on {target}, can {accuser} tell us one concrete reason?',
    'It could be {target}, but I would rather hear {other} first.',
  ],
  defend: [
    'I understand the doubt, {accuser}, but you have the wrong one.',
    '{accuser}, I have been open from the start. Look elsewhere.',
    'It is easy to accuse me. Ask yourselves who gains from it: {accuser} does.',
    'If you vote me out, you lose a villager, and you will remember that I warned you about {other}.',
    'Fair enough, {accuser}. Ask me anything and I will answer.',
    'I am on your side. {accuser}, tell us what exactly I did wrong.',
  ],
  know: [
    'Listen: I have good reason to believe that {target} is a wolf. Please trust me on this one.',
    'I am certain about {target}. We should vote there today.',
    'I looked into it, and {target} is not who they claim to be.',
    'Stop the guessing. {target} is a wolf, and I stand by that with my seat.',
  ],
  ask: [
    '{other}, we have not heard from you. Whom do you suspect?',
    'What do you think, {other}? You have been listening carefully.',
    '{target}, where do you stand? A simple answer will do.',
    'Can somebody explain why we are talking about {target} and not about {other}?',
    '{other}, would you vote with us today?',
  ],
  pack: [
    'Let us take {target} tonight.',
    'I say {target}. Nobody will miss the loudest voice.',
    '{target} is getting too close. Tonight, then.',
    'Agreed on {target}? We should not split.',
    'Stay calm tomorrow and do not defend each other. Tonight it is {target}.',
  ],
  nameless: [
    'I would rather listen a little longer before I decide.',
    'Let us look at the facts and not at the loudest voice.',
    'I see it the same way, with some doubt left.',
    'We should agree on one plan and then keep to it.',
    'Somebody here is not telling the truth, and time is on their side.',
    'Let us compare notes before we vote.',
  ],
  quest: [
    'I would not put {target} on this team.',
    'A team with {other} on it would have my support.',
    'Let us see who approves this team, and why.',
    'The quests will tell. Until then I keep an eye on {target}.',
    'Who would you send, {other}?',
    'I would rather see {other} on this quest than {target}.',
    '{target} wants to be on every team. That makes me careful.',
  ],
  short: ['I suspect {target}.', 'My vote: {target}.', 'I am listening.', 'Not me.', 'Hm.'],
} as const;

/** What players answer to `{asker}`. */
export const REPLIES = {
  suspect: [
    '{asker}, since you ask: {target} worries me most.',
    'My answer, {asker}: I would keep an eye on {target}.',
    'If you want a name, {asker}: {target}.',
    'I keep coming back to {target}, {asker}.',
    'Honestly, {asker}? It is {target} who bothers me.',
  ],
  why: [
    '{asker}, it was the best guess I had.',
    'I went by what had been said up to then, {asker}.',
    'I had a feeling, {asker}, and nothing better to go by.',
    'You ask why, {asker}. The others had given me less reason.',
  ],
  role: [
    '{asker}, I would rather not say what I am yet.',
    'You would like to know that, {asker}. So would others who should not.',
    'I will tell you when it helps us, {asker}, and not before.',
    'What I am, {asker}, you will hear from me in time.',
  ],
  trust: [
    'So far nobody but myself, {asker}.',
    'I am not sure of anyone yet, {asker}.',
    'Ask me again later, {asker}. It is too early to rely on anyone.',
  ],
  other: [
    'I cannot tell you yet, {asker}.',
    'Good question, {asker}. I am still thinking about it.',
    'I do not know, {asker}. What is your own view?',
  ],
} as const;

/** What players think and do not say. */
export const THOUGHTS = {
  named: [
    '{target} has been named more often than anybody else, so that is where the table will go.',
    '{target} gave no reason for the last claim, and {other} did not press the point.',
    'I do not trust {target} yet, while {other} has been consistent.',
    'If {target} is innocent, then whoever pushed that vote deserves a closer look.',
    'It is safer to follow the table on {target} than to stand alone.',
    '{other} tends to agree with me, which is useful for the vote.',
    'The talk is turning against {target}; waiting costs nothing.',
  ],
  wolf: [
    'The table must not look at us; {target} is a convenient suspect.',
    'I should sound like a worried villager and let others lead against {target}.',
    'Too much silence draws attention, so a short remark about {target} is best.',
  ],
  nameless: [
    'There is little to go on so far, so it is better to keep options open.',
    'The evidence is thin, and nobody has committed to a claim.',
    'I should speak briefly, keep to facts and watch who reacts.',
    'So far everybody has been careful, which tells me almost nothing.',
  ],
} as const;

export const QUESTIONS = [
  'Who has spoken the least, and why?',
  'Who voted together more than once?',
  'What has {target} claimed, and does it fit the events?',
  'Who gained from the last elimination?',
  'Whom has {other} defended so far?',
  'Which claims contradict each other?',
  'Is {target} likely to be a wolf?',
] as const;

/** First names a simulated player may choose. */
export const FIRST_NAMES: readonly string[] =
  `Ada Alma Amir Arne Asha Bela Bram Carmen Cleo Cyrus Dario Edda Elias Elif Enzo Farah Felix Fiona Gideon Greta Hana Hugo Ida Ilya Ines
  Iris Ivo Jada Jonas Juno Kaia Kenji Kiran Lara Lena Linus Luca Maeve Malik Marta Mateo Mina Nadia Nikos Noor Odile Olga Omar Oskar Paloma
  Petra Priya Quentin Rafael Rhea Rosa Ruben Sana Selma Silas Sofia Tamar Tariq Thea Tomas Uma Vera Viktor Willa Yara Zeno`.split(/\s+/);
