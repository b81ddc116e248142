import { isDoubted, isMentioned, isOthers, PLAYER, PLAYERS, ROLE, type Result, seatsIn, type Sentence } from './sentence.ts';
import { SAID_OF } from './opinions.ts';

const BEING = new RegExp(
  `(?:^| )i(?: (?:am|was|were|be|have|been|got|drew|had|dealt|started|start|as|is|being|claim|to|maybe|still))+( not| never| no)* (${ROLE})(?! (?:of|too many|about|role|at))`,
  'g',
);
const BARE = new RegExp(
  `^(?:as |claim :? ?|claiming |i claim |my (?:card|role) (?:is|was)? ?:? ?|i started as |started as |role :? |am |was |actual |here )*(${ROLE})(?: (?:here|claim|coming out|time)\\b| ?[,:]| (?:and )?i\\b| ${PLAYER}|$)`,
);
/** A role said before of somebody else: `no way X is Percival, because I am`. */
const I_AM = new RegExp(`(${ROLE})\\b.*\\bi am(?: [,.]|$)`);
const LAST = new RegExp(`\\bat end(?: of (?:the )?night)?,?(?: ,)? i (?:was|had|am|have)(?: still)? (${ROLE})`);
const LOOKED = new RegExp(
  `(?:^| )(?:checked|asked about|asked|looked at|looked|look at|saw|see|seen|peeked at|robbed|took card of|took|got|result|results)(?: (?:on|from|n\\d|last|night|card|of|for|and|by|:|is|was))* (${PLAYER}|centre)(?: 's)?(?: (?:card|n\\d|last|night|,|:|and|is|was|'s|are|it|as|found|got|took|saw|came|back|says|said|result|she|he|they|to|be|one|turned|out|with|had|has|&\\d+))* (not |no )?(${ROLE})`,
  'g',
);
const TOOK_FROM = new RegExp(`(?:^| )(?:robbed|took|got) (${ROLE}) from (${PLAYER})`, 'g');
const ROBBED = new RegExp(`(?:^| )(?:robbed|took card of) (nobody|${PLAYER})`);
const DEEDS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?:^| )protected ${PLAYER}(?: n\\d| (?:and|,) (?:then )?${PLAYER})*`, 'g'), 'protected'],
  [new RegExp(`(?:^| )(?:saved|save|healed|antidote (?:on|for)) ${PLAYER}`, 'g'), 'saved'],
  [new RegExp(`(?:^| )(?:poisoned|poison (?:on|for)) ${PLAYER}`, 'g'), 'poisoned'],
  [new RegExp(`(?:^| )swapped (?:nobody|${PLAYER}(?: (?:and|with|,) ${PLAYER})?)`, 'g'), 'swapped'],
];
const SHOWN = new RegExp(`(?:^| )(?:see|saw|shown|got|know) (${PLAYERS})`);
const IS_ONE = new RegExp(`(${PLAYERS}) (?:is|are) (?:either )?#(?:merlin|morgana) (?:and|or) #(?:merlin|morgana)`);

/** Claims of a role, of results and of deeds. */
export function readClaims(sentence: Sentence, roles: readonly string[], isDenial: () => boolean): void {
  const { text, isQuestion, acts } = sentence;
  const hasSides = roles.includes('merlin');
  const [evil, good] = hasSides ? ['evil', 'good'] : ['werewolf', 'not-werewolf'];
  const claim = (sign: string, isNot: boolean): void => {
    const side = sign === '#wolf' ? evil : sign === '#clean' || (hasSides && sign === '#good') ? good : undefined;
    const role = side ?? sign.slice(1);
    if (isNot && side === good) return;
    if (side || roles.includes(role)) acts.push({ act: 'claims-role', role: isNot ? `not-${role}` : role });
  };
  if (/^(?:it is |i am |is |was |no ,? ?)?(?:not me|i am not|am not|i am not (?:it|him|one))$/.test(text) && isDenial())
    claim('#wolf', true);
  const last = LAST.exec(text);
  const before = acts.length;
  if (text.includes('#') && !last) {
    for (const { index, 1: not, 2: sign = '' } of text.matchAll(BEING))
      if (!isMentioned(sentence, index) && !isDoubted(sentence, index)) claim(sign, not !== undefined);
    const bare = isQuestion ? undefined : BARE.exec(text)?.[1];
    if (bare && !/#(?:sus|bad|good|clean|bot|wolf)/.test(bare)) claim(bare, false);
    const fetched = I_AM.exec(text)?.[1];
    if (fetched && acts.length === before && !isQuestion && !/\bif\b/.test(text)) claim(fetched, false);
  }
  if (!isQuestion) readResults(sentence, roles, last?.[1]);
}

function readResults(sentence: Sentence, roles: readonly string[], last: string | undefined): void {
  const { text, acts } = sentence;
  const hasCards = roles.includes('troublemaker');
  const [evil, good] = roles.includes('merlin') ? ['evil', 'good'] : ['werewolf', 'not-werewolf'];
  const cardOf = (sign: string): string => (sign === '#wolf' ? 'werewolf' : sign.slice(1));
  const result = (about: Result['about'], sign: string, isNot: boolean, by?: Result['by']): void => {
    const isBad = /#(?:wolf|bad|sus)/.test(sign);
    const isCard = hasCards && !isNot && roles.includes(cardOf(sign));
    if (!isCard && !isBad && !/#(?:clean|good|villager)/.test(sign)) return;
    acts.push({ act: 'claims-result', about, result: isCard ? cardOf(sign) : isBad === isNot ? good! : evil!, ...(by ? { by } : {}) });
  };
  if (last) result('self', last, false);
  for (const { index, 1: who = '', 2: not, 3: sign = '', 0: all } of text.matchAll(LOOKED))
    if (who !== 'centre' && !isMentioned(sentence, index) && !isOthers(sentence, index))
      result(Number(who.slice(1)), sign, not !== undefined, /^ ?(?:robbed|took)/.test(all) ? 'rob' : 'look');
  if (hasCards) readNight(sentence, roles, result);
  for (const [pattern, deed] of DEEDS)
    for (const { index, 0: all } of text.matchAll(pattern)) {
      if (isMentioned(sentence, index) || isOthers(sentence, index) || / not$/.test(text.slice(0, index))) continue;
      const seats = seatsIn(all);
      for (const about of all.endsWith('nobody') ? (['nobody'] as const) : seats) acts.push({ act: 'claims-result', about, result: deed });
    }
  const claimed = acts.find((one) => one.act === 'claims-role' && /^(?:seer|medium|merlin|percival)$/.test(one.role));
  if (claimed?.act !== 'claims-role') return;
  if (claimed.role === 'percival') {
    const shown = IS_ONE.exec(text)?.[1] ?? SHOWN.exec(text)?.[1] ?? '';
    for (const about of seatsIn(shown)) acts.push({ act: 'claims-result', about, result: 'merlin-or-morgana' });
    return;
  }
  for (const { index, 1: who = '', 2: be = '', 3: not, 4: rest = '', 5: sign = '' } of text.matchAll(SAID_OF))
    if (!isMentioned(sentence, index) && !/\b(?:may|might|could|seems?|looks?|must)\b/.test(be + rest) && sign !== '#sus')
      for (const about of seatsIn(who))
        if (!acts.some((one) => one.act === 'claims-result' && one.about === about)) result(about, sign, not !== undefined);
}

/** What happened to the cards of ONUW. */
function readNight(
  sentence: Sentence,
  roles: readonly string[],
  result: (about: Result['about'], sign: string, isNot: boolean, by?: Result['by']) => void,
): void {
  const { text, acts } = sentence;
  const at = text.indexOf('centre');
  if (at >= 0 && !isMentioned(sentence, at)) {
    const own = new RegExp(BARE).exec(text)?.[1];
    const signs = (text.match(/#[a-z-]+/g) ?? []).filter((sign) => roles.includes(sign === '#wolf' ? 'werewolf' : sign.slice(1)));
    for (const sign of own && signs[0] === own ? signs.slice(1) : signs)
      if (!text.includes(`i am ${sign}`)) result('centre', sign, false, 'look');
  }
  for (const { index, 1: sign = '', 2: who = '' } of text.matchAll(TOOK_FROM))
    if (!isMentioned(sentence, index) && !isOthers(sentence, index)) result(seatsIn(who)[0]!, sign, false, 'rob');
  const robbed = ROBBED.exec(text);
  if (!robbed || isMentioned(sentence, robbed.index) || isOthers(sentence, robbed.index)) return;
  const about = robbed[1] === 'nobody' ? 'nobody' : seatsIn(robbed[1]!)[0]!;
  if (!acts.some((one) => one.act === 'claims-result' && one.about === about)) acts.push({ act: 'claims-result', about, result: 'robbed' });
}
