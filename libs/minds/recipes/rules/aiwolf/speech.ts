import { ANY, agentOf, type Agent, type Content, readContent } from '@maw/games/aiwolf/language/content-reader.ts';
import { writeContent } from '@maw/games/aiwolf/language/content-writer.ts';
import { type Role, ROLES } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { readSpeech } from '../maw/speech.ts';

/** The role by which somebody claims to know another: the seer looks, the medium learns about the executed. */
export type Sight = 'seer' | 'medium';

/** A claimed result, true or not. */
export interface Found {
  readonly as: Sight;
  readonly about: Seat;
  readonly isWolf: boolean;
}

/** A fact in an utterance. */
export type Statement =
  | { readonly states: 'role'; readonly role: Role }
  | ({ readonly states: 'found' } & Found)
  /** Whom the speaker wants executed, or by night attacked. */
  | { readonly states: 'wish'; readonly about: Seat };

/** What a speaker states in its own name, in the protocol language or in plain English; it ignores what it says about others' words. */
export function statementsOf(speech: string, by: Seat, names: readonly string[]): readonly Statement[] {
  const content = readContent(speech);
  if (content) return stated(content, agentOf(by));
  const { accuses, claims } = readSpeech(speech, names);
  return [
    ...(/\bi(?:'m| am|,? as) the seer\b/i.test(speech) ? [{ states: 'role', role: 'seer' } as const] : []),
    ...claims.map(({ about, isWolf }) => ({ states: 'found', as: 'seer', about, isWolf }) as const),
    ...accuses.slice(0, 1).map((about) => ({ states: 'wish', about }) as const),
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
