import { type Agent, agentOf, ANY, type Content, readContent } from './content-reader.ts';
import { shown, type Talker, Unclear } from './plain-words.ts';

/** Whose doing a clause is: the speaker's without a subject. */
interface Doing {
  readonly by: { readonly subject?: Agent };
  readonly speaker: Talker;
}
type Groups = readonly (string | undefined)[];
/** What the words of a pattern say. Undefined: something else. */
type Pattern = readonly [RegExp, (groups: Groups, doing: Doing) => Content | undefined];

/** Reads a clause in normal words. @throws Unclear when it has two meanings */
export const readClause = (words: string, speaker: Talker): Content | undefined =>
  /\?$|^(?:i )?ask @\w+ (?:, )?(?:whether|who|what)\b/.test(words)
    ? readQuestion(words.replace(/ ?\?$/, ''), speaker)
    : read(CLAUSES, words, { by: {}, speaker });

function read(patterns: readonly Pattern[], words: string, doing: Doing): Content | undefined {
  for (const [pattern, build] of patterns) {
    const found = pattern.exec(words);
    const content = found && build(found.slice(1), doing);
    if (content) return content;
  }
  return undefined;
}

const ownOf = ({ by, speaker }: Doing): Agent => by.subject ?? agentOf(speaker.seat);
const player = (sign = '@all'): Agent => Number(sign.slice(1)) || ANY;
const not = (part: Content | undefined, { by }: Doing): Content | undefined =>
  part?.kind === 'NOT' ? part.parts[0] : part && { kind: 'NOT', ...by, parts: [part] };

type Role = Extract<Content, { readonly kind: 'ESTIMATE' }>['role'];

/** An opinion on or a claim of a role. Nobody has the role HUMAN: it is not to be a werewolf. */
function role(kind: 'ESTIMATE' | 'COMINGOUT', target: Agent, name: string | undefined, doing: Doing): Content {
  if (name === 'HUMAN') return not(role(kind, target, 'WEREWOLF', doing), doing)!;
  return { kind, ...doing.by, target, role: name as Role };
}

function sighting(kind: 'DIVINED' | 'IDENTIFIED', target: string | undefined, name: string | undefined, { by }: Doing): Content {
  return { kind, ...by, target: player(target), result: name === undefined ? 'ANY' : name === 'HUMAN' ? 'HUMAN' : 'WEREWOLF' };
}

const ACTS = {
  vote: 'VOTE',
  voted: 'VOTED',
  divine: 'DIVINATION',
  guard: 'GUARD',
  guarded: 'GUARDED',
  attack: 'ATTACK',
  attacked: 'ATTACKED',
} as const;
const act = (verb: string | undefined, target: string | undefined, { by }: Doing): Content | undefined => {
  const kind = ACTS[verb as keyof typeof ACTS];
  return kind && { kind, ...by, target: player(target) };
};
const acted = (verb: string | undefined, target: string | undefined, doing: Doing): Content | undefined =>
  verb === 'divine' ? sighting('DIVINED', target, undefined, doing) : act(`${verb}${verb?.endsWith('e') ? 'd' : 'ed'}`, target, doing);

const RESULT = '(?: ,| and| as| found| was| is| to| says)*';

/** What follows a subject. */
const PREDICATES: readonly Pattern[] = [
  [/^(?:suspect|not trust|not believe) (@\d+)$/, ([who], doing) => role('ESTIMATE', player(who), 'WEREWOLF', doing)],
  [/^(?:trust|believe) (@\d+)$/, ([who], doing) => role('ESTIMATE', player(who), 'HUMAN', doing)],
  [/^(?:is|claim) not #(\w+)$/, ([name], doing) => not(role('COMINGOUT', ownOf(doing), name, doing), doing)],
  [/^(?:will )?not ((?!(?:says?|claim) @).*)$/, ([rest], doing) => not(read(PREDICATES, rest!, doing), doing)],
  [/^(?:think|believe) (@\d+)(?: is)? #(\w+)$/, ([who, name], doing) => role('ESTIMATE', player(who), name, doing)],
  [/^(?:think|believe) (@\d+) is not #(\w+)$/, ([who, name], doing) => not(role('ESTIMATE', player(who), name, doing), doing)],
  [/^(?:is|claim) #(\w+)$/, ([name], doing) => role('COMINGOUT', ownOf(doing), name, doing)],
  [
    /^(?:says?|claim) (@\d+) is #(\w+)$/,
    ([who, name], doing) => role(player(who) === ownOf(doing) ? 'COMINGOUT' : 'ESTIMATE', player(who), name, doing),
  ],
  [
    new RegExp(`^(divined|identified) (@\\d+)(?:${RESULT}(?: \\2)?${RESULT}( not)? #(HUMAN|WEREWOLF))?$`),
    ([verb, who, no, name], doing) =>
      sighting(verb === 'divined' ? 'DIVINED' : 'IDENTIFIED', who, (no && (name === 'HUMAN' ? 'WEREWOLF' : 'HUMAN')) || name, doing),
  ],
  [/^(?:will )?(\w+) (@\d+)$/, ([verb, who], doing) => act(verb, who, doing)],
];

/** What players do, and what somebody can ask of them besides. */
const DEED = /^(?:not )?(?:vote|divine|guard|attack) @\d+$/;
const WISH = /^(?:not )?(?:(?:suspect|trust|believe) @\d+|claim #\w+|think @\d+(?: is)?(?: not)? #\w+)$/;

function request(who: string | undefined, rest: string, { speaker }: Doing): Content | undefined {
  if (!DEED.test(rest) && !WISH.test(rest)) return undefined;
  const target = player(who);
  const part = read(PREDICATES, rest, { by: { subject: target }, speaker });
  return part && { kind: 'REQUEST', target, parts: [part] };
}

const CLAUSES: readonly Pattern[] = [
  [/^(?:i )?(not )?(dis)?agree(?: with (@\d+))?$/, ([no, dis, who], { speaker }) => agreement(Boolean(no) !== Boolean(dis), who, speaker)],
  [/^(?:i )?(?:ask|tell|want|let) (@\w+) (?:to )?(.*)$/, ([who, rest], doing) => request(who, rest!, doing)],
  [/^(@\w+)(?: ,)? should (.*)$/, ([who, rest], doing) => request(who, rest!, doing)],
  [/^(?:let us|we should) (?:@all )?(.*)$/, ([rest], doing) => request('@all', rest!, doing)],
  [
    /^(@\d+ ,|@all(?: ,)?|we(?: will)?(?: @all)?) (.*)$/,
    ([who, rest], doing) => (DEED.test(rest!) ? request(/@\w+/.exec(who!)?.[0], rest!, doing) : undefined),
  ],
  [
    new RegExp(`^(?:my )?(divination|result|identification)(?: of)?${RESULT} (@\\d+)${RESULT} #(HUMAN|WEREWOLF)$`),
    ([what, who, name], doing) => sighting(what === 'identification' ? 'IDENTIFIED' : 'DIVINED', who, name, doing),
  ],
  [
    /^as #(SEER|MEDIUM)(?: ,)?(?: i can tell you(?: ,)?| i say(?: ,)?)? (@\d+) (?:is|was) #(HUMAN|WEREWOLF)$/,
    ([as, who, name], doing) => sighting(as === 'SEER' ? 'DIVINED' : 'IDENTIFIED', who, name, doing),
  ],
  [/^(@\d+) (is|was)( not)? #(\w+)$/, ([who, is, no, name], doing) => opinion({ who, is, name, isDenied: no !== undefined }, doing)],
  [/^(?:@\d+ , )?i (.*)$/, ([rest], doing) => read(PREDICATES, rest!, doing)],
  [/^(not vote|(?:not )?(?:divine|guard|attack)) (@\d+)$/, ([verb, who], doing) => wish(verb!, who!, doing)],
  [/^(@\d+) (.*)$/, ([who, rest], { speaker }) => read(PREDICATES, rest!, { by: { subject: player(who) }, speaker })],
  [
    /^((?:(?:will )?vote|voted|divined|identified|guarded|attacked|suspect) .*|(?:will|think) .*)$/,
    ([words], doing) => read(PREDICATES, words!, doing),
  ],
];

/** @throws Unclear naming the meanings */
function twoMeanings(what: string, meanings: readonly string[]): never {
  throw new Unclear(`“${what}” has two meanings: say ${meanings.map((meaning) => `“${meaning}”`).join(' or ')}.`);
}

/** Somebody's role: an opinion, unless it could be a result too. */
function opinion(
  {
    who,
    is,
    name = '',
    isDenied,
  }: { readonly who: string | undefined; readonly is: string | undefined; readonly name: string | undefined; readonly isDenied: boolean },
  doing: Doing,
): Content | undefined {
  const target = player(who);
  if (isDenied) return not(role('ESTIMATE', target, name, doing), doing);
  if (name !== 'HUMAN' && (is !== 'was' || name !== 'WEREWOLF')) return role('ESTIMATE', target, name, doing);
  const them = shown(target, doing.speaker);
  const word = name.toLowerCase();
  const verb = is === 'was' ? 'identified' : 'divined';
  return twoMeanings(`${them} ${is === 'was' ? is : 'is'} ${word}`, [`I ${verb} ${them}: ${word}`, `I think ${them} is ${word}`]);
}

/** `guard Bob` by day: what the speaker will do, or what somebody else should. By night the wolves talk of their own attack. */
function wish(verb: string, who: string, doing: Doing): Content | undefined {
  if (doing.speaker.channel === 'WHISPER') return read(PREDICATES, `${verb} ${who}`, doing);
  const them = shown(player(who), doing.speaker);
  return twoMeanings(verb.startsWith('not ') ? `do ${verb} ${them}` : `${verb} ${them}`, [
    `I will ${verb} ${them}`,
    `everybody should ${verb} ${them}`,
  ]);
}

/** Refers to the last thing that was said, by anybody else or by one player. @throws Unclear when nothing was */
function agreement(isAgainst: boolean, who: string | undefined, speaker: Talker): Content {
  const { seat, said, day, channel } = speaker;
  const from = who === undefined ? undefined : player(who) - 1;
  const number = said.findLastIndex(
    ({ by, text }) =>
      (from === undefined ? by !== seat : by === from) && !['SKIP', 'OVER', undefined].includes(readContent(text ?? 'Skip')?.kind),
  );
  const verb = isAgainst ? 'disagree' : 'agree';
  if (from === seat) throw new Unclear(`You cannot ${verb} with yourself.`);
  const nobody = from === undefined ? 'Nobody has said anything' : `${shown(from + 1, speaker)} has said nothing`;
  if (number < 0) throw new Unclear(`${nobody} yet today that you could ${verb} with.`);
  return { kind: isAgainst ? 'DISAGREE' : 'AGREE', channel, day, number };
}

/** What somebody is asked; `you` stands for the one who is. */
const QUESTIONS: readonly Pattern[] = [
  [/^(?:is you|you is) #(\w+)$/, ([name], doing) => role('COMINGOUT', ownOf(doing), name, doing)],
  [/^(?:what|who) (?:is )?you(?: role)?(?: is)?$|^what role is you$/, (_, doing) => role('COMINGOUT', ownOf(doing), 'ANY', doing)],
  [/^who (?:will |do |is )?you (?:will )?(?:(vote|divine|guard|attack)|voting for)$/, ([verb = 'vote'], doing) => act(verb, '@all', doing)],
  [/^who did you (vote|divine|guard|attack)$/, ([verb], doing) => acted(verb, '@all', doing)],
  [/^who (?:do )?you (?:suspect|(?:think|believe) is #(\w+))$/, ([name = 'WEREWOLF'], doing) => role('ESTIMATE', ANY, name, doing)],
  [/^who (?:is )?#(\w+)(?: is)?$/, ([name], doing) => role(name === 'WEREWOLF' ? 'ESTIMATE' : 'COMINGOUT', ANY, name, doing)],
  [/^what (?:do )?you think (?:of|about) (@\d+)$/, ([who], doing) => role('ESTIMATE', player(who), 'ANY', doing)],
  [/^(?:is )?(@\d+) (?:is )?#(\w+)$/, ([who, name], doing) => role('ESTIMATE', player(who), name, doing)],
  [/^did you (vote|divine|guard|attack) (@\d+)$/, ([verb, who], doing) => acted(verb, who, doing)],
  [/^(?:do |will )?you (.*)$/, ([rest], doing) => read(PREDICATES, rest!, doing)],
];

/** A question to the player who is addressed, else to everybody. */
function readQuestion(words: string, speaker: Talker): Content | undefined {
  const addressed =
    /^(?:i )?ask (@\w+)(?: ,)?(?: whether)? (.*)$/.exec(words) ??
    /^(@\w+)(?: ,|(?= (?:who|what|is you|do you|did you|will you))) (.*)$/.exec(words);
  const target = player(addressed?.[1]);
  const rest = addressed ? addressed[2]!.replaceAll(new RegExp(`@${target}(?!\\d)`, 'g'), 'you') : words;
  const part = read(QUESTIONS, rest, { by: { subject: target }, speaker });
  return part && { kind: 'INQUIRE', target, parts: [part] };
}
