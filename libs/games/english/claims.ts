import { isDoubted, isMentioned, isOthers, PLAYER, PLAYERS, ROLE, type Result, seatsIn, type Sentence } from './sentence.ts';
import { SAID_OF } from './opinions.ts';

const BEING = new RegExp(
  `(?:^| )(?:i|me)(?: (?:am|was|were|be|have|been|got|drew|had|dealt|started|start|as|is|being|claim|to|still|real|actual|true|only|plain|simple|normal|regular|ordinary|poor|little|one|your|here|can))*( not| never| no)*(?: (?:be|been|is|one))*(?: #clean)? (${ROLE})(?! (?:of|too many|about|role|at|will|would|(?:in )?(?:(?:my|our) )?(?:last|previous) (?:game|round)|in round \\d))`,
  'g',
);
const BARE = new RegExp(
  `^(?:(?:as|claim|claiming|i claim|my (?:card|role) (?:is|was)?|i started as|started as|role|am|was|actual|real|here|:|plain|simple|regular|normal|boring|poor|got|dealt|drew|#clean|hi|yes) )*(${ROLE})(?: (?:here|claim|coming out|time|nothing|n\\d|is me|me)\\b| ?[,:](?! (?:check|look|speak|come|tell|protect|save|guard|who|what|where|are|do|you|can|should|kill|use|claim|show|say|reveal|stay|hide|vote|[@&]))| (?:and )?i\\b| ${PLAYER}|$)`,
);
/** A role said before of somebody else: `no way X is Percival, because I am`. */
const I_AM = new RegExp(`(${ROLE})\\b.*\\bi am(?: [,.]|$)`);
/** What makes an opinion of the words after it, also of somebody who sees. */
const OPINION = /\b(?:think|believe|suspect|maybe|opinion)\b[^,:]*$/;
/** The card at the end of the night. */
const LAST = new RegExp(
  `\\b(?:at end(?: of(?: the)? night)?(?: ,)? i (?:was|had|am|have)(?: still)?|(?:woke|ended)(?: up)?(?: as| with)?|, still) (${ROLE})`,
);
/** What only a seer does, so that what is said of players beside it are results. */
const SEEING = /(?:^| )(?:my )?(?:results?|checked|visions?|i asked about)(?: [,:]| &| @| as #|$)/;
/** Whom the Lady of the Lake is said to show, her holder has seen. */
const LADY = /(?:^| )lady\b/;
const GOT_ON = new RegExp(`(?:got|have|had|get) (${ROLE}) (?:check |result |read )?(?:on|from|for) (${PLAYER})`, 'g');
const LOOKED = new RegExp(
  `(?:^| )(?:checked|check|asked about|asked|looked at|looked|look at|saw|see|seen|peeked at|robbed|took card of|took|got|result|results)(?: (?:on|at|into|from|n\\d|last|night|card|of|for|and|by|:|is|was|that))* (${PLAYER}|centre)(?: 's)?(?: (?:card|role|n\\d|last|night|,|:|and|is|was|'s|are|it|as|found|got|took|saw|came|back|says|said|result|she|he|they|to|be|one|turned|out|with|had|has|my|power|i|am|came|up|who(?= (?:is|was|has|had) )|&\\d+))* (not |no )?(${ROLE})`,
  'g',
);
const TOOK_FROM = new RegExp(`(?:^| )(robbed|took|got|saw) (${ROLE}) (?:from|at|on|with) (${PLAYER})`, 'g');
const ROBBED = new RegExp(`(?:^| )(?:robbed|took card of) (nobody|no one|${PLAYER})`);
const DEEDS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?:^| )(?:protected|kept) ${PLAYER}(?: n\\d| (?:and|,) (?:then )?${PLAYER})*`, 'g'), 'protected'],
  [new RegExp(`(?:^| )(?:saved|save|healed|antidote (?:on|for)) ${PLAYER}`, 'g'), 'saved'],
  [new RegExp(`(?:^| )(?:poisoned|(?:used|gave|threw|put) (?:my )?poison)(?: on| for| to| at)? ${PLAYER}`, 'g'), 'poisoned'],
  [
    new RegExp(
      `(?:^| )(?:not swap anyone|not swap anybody|swapped no one|${PLAYER} and ${PLAYER} (?:are|were|got) swapped|swapped nobody|swapped ${PLAYER}(?: 's)?(?: two)?(?:(?: and| with| ,)? ${PLAYER})*)`,
      'g',
    ),
    'swapped',
  ],
];
/** Who woke as a Mason with the speaker. */
const MASONS = new RegExp(
  `(${PLAYER})(?: ,)? and (?:i|me) (?:are|were|is)(?: both)? #mason|(?:i|me)(?: ,)? and (${PLAYER}) (?:are|were)(?: both)? #mason|(?:woke(?: up)?(?: together)?|am #mason) with (${PLAYER})|(?:other|my|fellow|second) #mason (?:is|was) (${PLAYER})|(${PLAYER}) is (?:other|my|my other|my fellow|fellow) #mason`,
);
/** Which card of the centre a Drunk took. */
const TOOK =
  /(?:^| )(?:took|take|swapped|swap|got|grabbed|picked|drew|chose)(?: (?:my|own|card|with|for|from|one|it|and|up))* (left|second|right|third|centre)(?: (?:most|hand))?(?: (?:card|one|centre|of|from|in))*(?= (?:from|and|for|but|so|unseen)\b| [,.]|$)/;
const PLACES: { readonly [word: string]: number } = { left: 0, second: 1, right: 2, third: 2 };
const SHOWN = new RegExp(`(?:^| )(?:see|saw|shown|got|know) (${PLAYERS})`);
const IS_ONE = new RegExp(`(${PLAYERS}) (?:is|are|as) (?:either )?(?:one of )?#(?:merlin|morgana)|#merlin is (${PLAYERS})`);

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
  const isDenied = /^(?:(?:no|nope|,|it|i|am|is|was|xd) )*not(?: (#wolf|#bad|me|it|him|one))?(?: i swear| trust me)?$/.exec(text);
  if (isDenied && (isDenied[1]?.startsWith('#') || isDenial())) claim('#wolf', true);
  const last = roles.includes('troublemaker') ? LAST.exec(text)?.[1] : undefined;
  const before = acts.length;
  if (text.includes('#')) {
    for (const { index, 1: not, 2: sign = '' } of last ? [] : text.matchAll(BEING))
      if (
        !isMentioned(sentence, index) &&
        (sign === '#wolf' || !isDoubted(sentence, index)) &&
        !/\b(?:maybe|(?:robbed|took) .*)$/.test(text.slice(0, index))
      )
        claim(sign, (not !== undefined) !== isDoubted(sentence, index));
    const bare = isQuestion || (last && !/^#[a-z]+ (?:here|,)/.test(text)) ? undefined : BARE.exec(text)?.[1];
    if (bare && !/#(?:sus|bad|good|clean|bot|wolf)/.test(bare)) claim(bare, false);
    const fetched = I_AM.exec(text)?.[1];
    if (fetched && acts.length === before && !isQuestion && !/\bif\b/.test(text)) claim(fetched, false);
  }
}

/** Results and deeds; what one who claims to know says of others is a result. */
export function readResults(sentence: Sentence, roles: readonly string[]): void {
  const { text, acts } = sentence;
  if (sentence.isQuestion) return;
  const hasCards = roles.includes('troublemaker');
  const [evil, good] = roles.includes('merlin') ? ['evil', 'good'] : ['werewolf', 'not-werewolf'];
  const cardOf = (sign: string): string => (sign === '#wolf' ? 'werewolf' : sign.slice(1));
  const result = (about: Result['about'], sign: string, isNot: boolean, by?: Result['by']): void => {
    const isBad = /#(?:wolf|bad|sus)/.test(sign);
    const isCard = hasCards && !isNot && roles.includes(cardOf(sign));
    if (!isCard && !isBad && !/#(?:clean|good|villager)/.test(sign)) return;
    acts.push({ act: 'claims-result', about, result: isCard ? cardOf(sign) : isBad === isNot ? good! : evil!, ...(by ? { by } : {}) });
  };
  const last = hasCards ? LAST.exec(text)?.[1] : undefined;
  if (last) result('self', last, false);
  for (const { index, 1: sign = '', 2: who = '' } of text.matchAll(GOT_ON))
    if (!isMentioned(sentence, index) && !isOthers(sentence, index)) result(seatsIn(who)[0]!, sign, false, 'look');
  for (const { index, 1: who = '', 2: not, 3: sign = '', 0: all } of text.matchAll(LOOKED))
    if (who !== 'centre' && !isMentioned(sentence, index) && !isOthers(sentence, index))
      result(Number(who.slice(1)), sign, not !== undefined, /^ ?(?:robbed|took)/.test(all) ? 'rob' : 'look');
  if (hasCards) readNight(sentence, roles, result);
  for (const [pattern, deed] of DEEDS)
    for (const { index, 0: all } of text.matchAll(pattern)) {
      if (isMentioned(sentence, index) || isOthers(sentence, index) || /(?: not|\bshould|\bto)$/.test(text.slice(0, index))) continue;
      const seats = seatsIn(all);
      for (const about of seats.length ? seats : (['nobody'] as const)) acts.push({ act: 'claims-result', about, result: deed });
    }
  const claimed = acts.find((one) => one.act === 'claims-role' && /^(?:seer|medium|merlin|percival)$/.test(one.role));
  if (claimed?.act !== 'claims-role' && !SEEING.test(text) && !(roles.includes('merlin') && LADY.test(text))) return;
  if (claimed?.act === 'claims-role' && claimed.role === 'percival') {
    const shown = IS_ONE.exec(text)?.slice(1).find(Boolean) ?? SHOWN.exec(text)?.[1] ?? '';
    for (const about of seatsIn(shown)) acts.push({ act: 'claims-result', about, result: 'merlin-or-morgana' });
    return;
  }
  for (const { index, 1: who = '', 2: be = '', 3: not, 4: rest = '', 5: sign = '' } of text.matchAll(SAID_OF))
    if (
      !isMentioned(sentence, index) &&
      !/\b(?:maybe|may|might|could|seems?|looks?|must)\b/.test(be + rest) &&
      !OPINION.test(text.slice(0, index)) &&
      sign !== '#sus'
    )
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
  const took = roles.includes('drunk') ? TOOK.exec(text) : null;
  if (took && !isMentioned(sentence, took.index) && !isOthers(sentence, took.index)) {
    const place = PLACES[took[1]!];
    acts.push({ act: 'claims-result', about: 'centre', result: 'exchanged', ...(place === undefined ? {} : { at: place }) });
  }
  const fellow = roles.includes('mason') ? MASONS.exec(text) : null;
  const isMason = text.includes('#mason') || acts.some((one) => one.act === 'claims-role' && one.role === 'mason');
  if (fellow && isMason && !isMentioned(sentence, fellow.index)) {
    if (fellow[1] ?? fellow[2]) acts.push({ act: 'claims-role', role: 'mason' });
    result(seatsIn(fellow.slice(1).find(Boolean)!)[0]!, '#mason', false, 'look');
  }
  const at = /\bnot?\b/.test(text) ? -1 : text.indexOf('centre');
  if (at >= 0 && !isMentioned(sentence, at)) {
    const own = new RegExp(BARE).exec(text)?.[1];
    const signs = (text.match(/#[a-z-]+/g) ?? []).filter((sign) => roles.includes(sign === '#wolf' ? 'werewolf' : sign.slice(1)));
    for (const sign of own && signs[0] === own ? signs.slice(1) : signs)
      if (!text.includes(`i am ${sign}`)) result('centre', sign, false, 'look');
  }
  for (const { index, 1: verb, 2: sign = '', 3: who = '' } of text.matchAll(TOOK_FROM))
    if (!isMentioned(sentence, index) && !isOthers(sentence, index)) result(seatsIn(who)[0]!, sign, false, verb === 'saw' ? 'look' : 'rob');
  const robbed = ROBBED.exec(text);
  if (!robbed || isMentioned(sentence, robbed.index) || isOthers(sentence, robbed.index)) return;
  const about = /^no/.test(robbed[1]!) ? 'nobody' : seatsIn(robbed[1]!)[0]!;
  if (!acts.some((one) => one.act === 'claims-result' && one.about === about)) acts.push({ act: 'claims-result', about, result: 'robbed' });
}
