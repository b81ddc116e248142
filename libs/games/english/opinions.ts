import type { Seat } from '../kernel/question.ts';
import { type Act, BE, isDoubted, isMentioned, isOthers, NOT, PLAYER, PLAYERS, ROLE, seatsIn, type Sentence } from './sentence.ts';

/** What is said of a player: a side, a role, a program. */
export const SAID_OF = new RegExp(
  `(${PLAYERS})(?:(?: who)?(${BE})?(${NOT})?(${BE})?|(?: [,:])) (#wolf|#bad|#sus|#clean|#good|#bot|${ROLE})(?! (?:${PLAYER}|'s|idea|point|question|one|job|luck|game|at|if))`,
  'g',
);
/** Doings that speak against one. */
const SHADY = new RegExp(
  `(${PLAYERS})(?:${BE})?(${NOT})?(?:${BE})? (?:(?:talks?|talking|spoke|speaks|knows) too much|too nice|did it|killed (?:[@&]\\d+|me|him|her)|together|teaming|partners|playing us|stop lying|covering|protecting|(?:never|(?:did|does|do|has|have|is|was) not) (?:answer|say|said|saying|talk|respond|speak|spoken|contribut)\\w*|changed (?:his|her|their) vote|wants to|(?:accuses|blames) (?:everyone|everybody)|quiet|silent|hiding|hides|trying to|tries to|keeps? (?:accus|blam|chang|push|try)ing|avoid\\w*|deflect\\w*|defensive|panick\\w+|bluff\\w*|fake|faking|pretend\\w*|off|failed|threw|blaming|mislead\\w*|manipulat\\w*|accusing (?:much )?(?:everyone|everybody|others|people))(?![^ ])`,
  'g',
);
const IT_IS = new RegExp(
  `(?:^| )(?:it|maybe|answer|(?:^|(?<= ))(?:must|got to|has to|have to|could|may|might|can|can not) be|between|either|#wolf|#bad|#sus|suspects?(?= (?:is|are|:))|choice|think|bet|go|going|say)(?: (?:is|are|was|must|has|got|to|may|could|might|can|be|:|maybe|going|with|on|for|that|it|might))*(${NOT})?(?: (?:is|be|:))? (${PLAYERS})(?=(?: , | )?(?:$|[,@&]|or|and|too|because|but|then|for sure|again|as well|this|today|here|who|from|i think|all along))(?!(?: [,]| and)* (?:is|are|was|has|'s)\\b)`,
  'g',
);
/** `X is the one`. */
const THE_ONE = new RegExp(
  `(${PLAYERS})(?:${BE})?(${NOT})?(?:${BE})? (?:one|him|it|my guess|my pick|my suspect|suspect)(?= (?:i|to vote|$)|$| ,)`,
  'g',
);
const AGAINST = new RegExp(
  `(?:^| )(?:suspect|accuse|distrust|blame|suspicious of|#sus of|not trust|not believe|not like|hate|against|doubt|onto|watch out for|worried about|feeling about|not buy|not buying|not listen to|all in on|money is on|stick with|let us do|everyone on)(?: (?:people|anyone|anybody|someone|somebody|persons?|players?|guys) (?:named|called|like))? (${PLAYERS})`,
  'g',
);
const FOR = new RegExp(
  `(?:^| )(?:trust|believe|believe in|vouch for|defend|side with|stand by) (${PLAYERS})(?! is| are| was)|(?:^| )leave (${PLAYERS}) alone|^not (${PLAYERS})$`,
  'g',
);
const VOTE = new RegExp(
  `(?:^| )(?:voted?|kill|get rid of|get|take out|throw out|throw|kick out|kick|remove|murder|bye to|bye|goodbye)(?: (?:for|against|out|off|on|to|kill|be|is|goes|him|:|again))* (${PLAYERS})`,
  'g',
);
const OUT = new RegExp(
  `(${PLAYERS})(?: (?:(?:should|must|has to|have to|needs to|need to|got to) (?:go|die|be (?:out|gone|dead|next|voted|killed|executed)|leave|hang)|(?:has|have|gets|get) my vote|for (?:vote|execution)$|\\+ ?1|then$|(?<=(?:want|need) [^ ]+ )(?:out|dead|gone)$))`,
  'g',
);
const ON_TEAM = new RegExp(
  `(?:^| )(?:send|sending|take|taking|pick|picking|bring|include|go with|going with|team(?: (?:is|:|with))*)(?: (?:along|me|and|,))* (${PLAYERS})|(${PLAYERS}) (?:should|would) go\\b`,
  'g',
);
const OFF_TEAM = new RegExp(
  `(?:^| )(?:leave out|leave|keep out|keep|drop|without|exclude|(?:not|never) (?:take|send|pick|bring|include|want|trust)|reject|against) (${PLAYERS})|(${PLAYERS}) (?:should not go|should (?:stay|sit)|stays? (?:at )?home)\\b`,
  'g',
);

/** Good by its name, and not evil for want of it. */
const LOVER = /#(?:tristan|isolde)/;
const isAbout = (sign: string): 'bad' | 'good' | undefined =>
  /#(?:wolf|bad|sus|morgana|assassin|mordred|oberon)/.test(sign)
    ? 'bad'
    : /#(?:clean|good|villager|servant|tristan|isolde)/.test(sign)
      ? 'good'
      : undefined;

/** Accusations and defences. `isOnBots`: whether the talk is of programs, so that `it is X` accuses nobody. */
export function readOpinions(sentence: Sentence, isOnBots: () => boolean): void {
  const { text, acts } = sentence;
  const add = (act: 'accuses' | 'defends' | 'calls-bot', seats: readonly Seat[]): void =>
    void acts.push(...seats.map((about) => ({ act, about })));
  const isResult = (seat: Seat): boolean => acts.some((one) => one.act === 'claims-result' && one.about === seat);
  if (text.includes('#'))
    for (const { index, 1: who = '', 2: be = '', 3: not, 4: rest = '', 5: sign = '' } of text.matchAll(SAID_OF)) {
      if (isMentioned(sentence, index) || /\b(?:would|could|might|may) (?:have )?been\b/.test(be + rest)) continue;
      const isNot = (not !== undefined) !== isDoubted(sentence, index);
      const seats = seatsIn(who).filter((seat) => !isResult(seat));
      if (sign === '#bot') add('calls-bot', isNot ? [] : seats);
      const is = isNot && LOVER.test(sign) ? undefined : isAbout(sign);
      if (is) add((is === 'bad') === isNot ? 'defends' : 'accuses', seats);
    }
  for (const { index, 1: who = '', 2: not } of text.matchAll(SHADY))
    if (!not && !isMentioned(sentence, index) && !isDoubted(sentence, index)) add('accuses', seatsIn(who));
  for (const { index, 1: not, 2: who = '', 0: all } of text.matchAll(IT_IS)) {
    if (isMentioned(sentence, index) || isOthers(sentence, index)) continue;
    const isNot = (not !== undefined) !== isDoubted(sentence, index + all.indexOf(who));
    add(isNot ? 'defends' : isOnBots() ? 'calls-bot' : 'accuses', seatsIn(who));
  }
  for (const { index, 1: who = '', 2: not } of text.matchAll(THE_ONE))
    if (!isMentioned(sentence, index))
      add((not !== undefined) !== isDoubted(sentence, index) ? 'defends' : isOnBots() ? 'calls-bot' : 'accuses', seatsIn(who));
  for (const { index, 1: who = '' } of text.matchAll(AGAINST))
    if (!isMentioned(sentence, index) && !isOthers(sentence, index))
      add(/ not$/.test(text.slice(0, index)) ? 'defends' : 'accuses', seatsIn(who));
  for (const { index, 1: them, 2: alone = them, 3: who = alone } of text.matchAll(FOR))
    if (!isMentioned(sentence, index) && !isOthers(sentence, index) && !/ (?:not|never|nobody)$/.test(text.slice(0, index)))
      add('defends', seatsIn(who ?? ''));
}

const DENIED = /\b(?:not|never|nobody|stop)(?: (?:let|us|to|want|going|should|we|all|you|[@&]\d+))*$/;
const OWN = /(?:^| )(?:i|my|am)(?: (?:am|will|would|want|going|have|to|did|do|think|not|had|should|got|always|again|also|on|maybe))*$/;

/** The own vote, and calls to vote for somebody. */
export function readVotes(sentence: Sentence): void {
  const { text, acts } = sentence;
  for (const { index, 0: all, 1: who = '' } of text.matchAll(VOTE)) {
    const before = text.slice(0, index);
    const isAddressed = /^ vote /.test(all) && /^[@&]\d+$/.test(before);
    if (isMentioned(sentence, index) || (isOthers(sentence, index) && !isAddressed)) continue;
    if (/^ ?voted/.test(all) && !OWN.test(before)) continue;
    const act = DENIED.test(before) || isDoubted(sentence, index) ? 'defends' : OWN.test(before) ? 'own-vote' : 'calls-vote';
    acts.push(...seatsIn(who).map((about) => ({ act, about }) as const));
  }
  for (const { index, 0: all, 1: who = '' } of text.matchAll(OUT))
    if (!isMentioned(sentence, index))
      acts.push(...seatsIn(who).map((about) => ({ act: /my vote$/.test(all) ? 'own-vote' : 'calls-vote', about }) as const));
}

/** Whom the speaker wants on a team, and whom not. */
export function readTeam(sentence: Sentence): void {
  const { text, acts } = sentence;
  const shunned: Act[] = [];
  for (const { index, 1: them, 2: who = them } of text.matchAll(OFF_TEAM))
    if (!isMentioned(sentence, index)) shunned.push(...seatsIn(who ?? '').map((about) => ({ act: 'shuns', about }) as const));
  acts.push(...shunned);
  if (shunned.length) return;
  for (const { index, 1: them, 2: who = them } of text.matchAll(ON_TEAM))
    if (!isMentioned(sentence, index)) acts.push(...seatsIn(who ?? '').map((about) => ({ act: 'wants', about }) as const));
}
