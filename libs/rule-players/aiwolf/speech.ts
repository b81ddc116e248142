import { type Agent, agentOf, ANY, type Content, readContent } from '@maw/games/aiwolf/language/content-reader.ts';
import { writeContent } from '@maw/games/aiwolf/language/content-writer.ts';
import { ROLES } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Voice } from '../conversation/voice.ts';
import type { Wording } from '../conversation/wording.ts';
import { verdictsIn } from '../maw/speech.ts';
import { statementsInJapanese } from './japanese/speech.ts';
import type { Occasion } from './sentences.ts';
import type { Found, Sight, Statement } from './statement.ts';

/** What a speaker states in its own name, in the protocol language, in plain English or in Japanese; it ignores what it says about others' words. */
export function statementsOf(speech: string, by: Seat, names: readonly string[]): readonly Statement[] {
  const content = readContent(speech);
  if (content) return stated(content, agentOf(by));
  const claimed = CLAIM.exec(speech)?.[1]?.toLowerCase() as Sight | 'possessed' | undefined;
  const reported = REPORT.exec(speech)?.[1]?.toLowerCase() as Sight | undefined;
  const as = reported ?? (claimed === 'possessed' ? undefined : claimed);
  const verdicts = verdictsIn(speech, names);
  const wanted = verdicts.find(({ isGood, isBad, isWanted }) => !isGood && (isWanted || (isBad && reported === undefined)));
  return [
    ...(claimed ? [{ states: 'role', role: claimed } as const] : []),
    ...(as ? verdicts : []).flatMap(({ about, isGood, isBad }) =>
      isGood || isBad ? [{ states: 'found', as: as!, about, isWolf: !isGood } as const] : [],
    ),
    ...(wanted ? [{ states: 'wish', about: wanted.about } as const] : []),
    ...statementsInJapanese(speech, by, names),
  ];
}

/** In plain English: a claim, and a report that commits nobody to a vote. */
const CLAIM = /\bi(?:'m| am|,? as) the (seer|medium|possessed)\b/i;
const REPORT = /(?:^|[^i,] |\. )as the (seer|medium)\b/i;

function stated(content: Content, speaker: Agent): readonly Statement[] {
  if (content.kind === 'SKIP' || content.kind === 'OVER') return [];
  const isOwn = content.subject === undefined || content.subject === speaker;
  if (content.kind === 'REQUEST') return isOwn ? wishes(content.parts[0], speaker) : [];
  if (!isOwn) return [];
  switch (content.kind) {
    case 'COMINGOUT': {
      const role = ROLES.find((one) => one.toUpperCase() === content.role);
      return content.target === speaker && role ? [{ states: 'role', role }] : [];
    }
    case 'DIVINED':
    case 'IDENTIFIED': {
      if (content.target === ANY || content.result === 'ANY') return [];
      const as = content.kind === 'DIVINED' ? 'seer' : 'medium';
      return [{ states: 'found', as, about: content.target - 1, isWolf: content.result === 'WEREWOLF' }];
    }
    case 'VOTE':
    case 'ATTACK':
      return wishes(content, speaker);
    case 'AND':
      return content.parts.flatMap((part) => stated(part, speaker));
    case 'BECAUSE':
      return content.parts.slice(0, 2).flatMap((part) => stated(part, speaker));
    case 'DAY':
      return stated(content.parts[0], speaker);
    case 'AGREE':
    case 'ATTACKED':
    case 'DISAGREE':
    case 'DIVINATION':
    case 'ESTIMATE':
    case 'GUARD':
    case 'GUARDED':
    case 'INQUIRE':
    case 'NOT':
    case 'OR':
    case 'VOTED':
    case 'XOR':
      return []; // suppositions, questions and reports commit nobody
  }
}

/** A request that all vote for somebody counts like the own vote. */
function wishes(content: Content, speaker: Agent): readonly Statement[] {
  const isVote = (content.kind === 'VOTE' || content.kind === 'ATTACK') && content.target !== ANY && content.target !== speaker;
  return isVote ? [{ states: 'wish', about: content.target - 1 }] : [];
}

export const comingOut = (seat: Seat, role: 'SEER' | 'MEDIUM' | 'POSSESSED'): string =>
  writeContent({ kind: 'COMINGOUT', target: agentOf(seat), role });
export const voteFor = (seat: Seat): string => writeContent({ kind: 'VOTE', target: agentOf(seat) });
export const attackOn = (seat: Seat): string => writeContent({ kind: 'ATTACK', target: agentOf(seat) });
const finding = ({ as, about, isWolf }: Found) =>
  ({ kind: as === 'seer' ? 'DIVINED' : 'IDENTIFIED', target: agentOf(about), result: isWolf ? 'WEREWOLF' : 'HUMAN' }) as const;
export const result = (found: Found): string => writeContent(finding(found));
/** A result, and a request to vote accordingly. */
export const appeal = (found: Found): string => {
  const vote = { kind: 'VOTE', subject: ANY, target: agentOf(found.about) } as const;
  return writeContent({ kind: 'BECAUSE', parts: [finding(found), { kind: 'REQUEST', target: ANY, parts: [vote] }] });
};

/** How an utterance of the protocol is put into a sentence. */
interface Speaking {
  readonly names: readonly string[];
  /** The seats that are dead. */
  readonly dead: readonly Seat[];
  readonly voice: Voice<Occasion>;
  readonly wording: Wording;
}

/** An utterance of the protocol in sentences for people, which state the same. */
export function inSentences(text: string, { names, dead, voice, wording }: Speaking): string {
  const content = readContent(text);
  return content ? spoken(content) : text;

  function spoken(one: Content): string {
    if (one.kind === 'COMINGOUT') return voice('claim', { role: wording.role(one.role.toLowerCase()) });
    if (one.kind === 'BECAUSE') return one.parts.map(spoken).join(wording.gap);
    if (one.kind === 'REQUEST') return spoken(one.parts[0]);
    if (one.kind === 'VOTE' || one.kind === 'ATTACK')
      return voice(one.kind === 'VOTE' ? 'vote' : 'attack', { name: wording.name(names[one.target - 1]!) });
    if (one.kind !== 'DIVINED' && one.kind !== 'IDENTIFIED') return text;
    const is = one.result === 'WEREWOLF' ? 'found' : 'cleared';
    const about = one.target - 1;
    const role = wording.role(one.kind === 'DIVINED' ? 'seer' : 'medium');
    return voice(dead.includes(about) ? `${is}Dead` : is, { role, name: wording.name(names[about]!) });
  }
}
