import { type Agent, agentOf, ANY, type Content, readContent } from '@maw/games/aiwolf/language/content-reader.ts';
import { writeContent } from '@maw/games/aiwolf/language/content-writer.ts';
import { type Role, ROLES, SIDES } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { accusedBy, type Heard, listener, seatsOf, sidesOf } from '../conversation/understand.ts';
import type { Voice } from '../conversation/voice.ts';
import type { Wording } from '../conversation/wording.ts';
import { statementsInJapanese } from './japanese/speech.ts';
import { type Occasion, sentences } from './sentences.ts';
import type { Found, Sight, Statement } from './statement.ts';

/** The roles of every table. Foxes are spoken of where they are dealt. */
const COMMON = ROLES.filter((role) => !SIDES.fox.includes(role));
export const understand = listener(sentences, COMMON);
const understandFoxes = listener(sentences, ROLES);
/** A report that commits nobody to a vote, and claims nothing anew. */
const REPORT = /(?:^| |\. )as the (seer|medium)\b/i;

/** What a speaker states in its own name, in the protocol language, in plain English or in Japanese; it ignores what it says about others' words. @param roles in the game */
export function statementsOf({ speech, by, names, before }: Heard, roles: readonly Role[] = COMMON): readonly Statement[] {
  const content = readContent(speech);
  if (content) return stated(content, agentOf(by)).filter((one) => one.states !== 'role' || roles.includes(one.role));
  const acts = (roles.includes('fox') ? understandFoxes : understand)({ speech, by, names, ...(before ? { before } : {}) });
  const reported = REPORT.exec(speech)?.[1]?.toLowerCase() as Sight | undefined;
  const claimed = acts.flatMap((one) => (one.act === 'claims-role' ? ROLES.filter((role) => role === one.role) : []));
  const as = reported ?? (claimed.includes('medium') ? 'medium' : 'seer');
  const wanted = reported ? seatsOf(acts, ['accuses', 'calls-vote', 'own-vote']) : accusedBy(acts);
  return [
    ...(reported ? [] : claimed.slice(0, 1)).map((role) => ({ states: 'role', role }) as const),
    ...sidesOf(acts).map((result) => ({ states: 'found', as, ...result }) as const),
    ...wanted.slice(0, 1).map((about) => ({ states: 'wish', about }) as const),
    ...statementsInJapanese(speech, by, names),
  ];
}

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
