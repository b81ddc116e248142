import type { Seat } from '../../kernel/question.ts';
import { type Agent, agentOf, ANY, type Content } from './content-reader.ts';

/**
 * Writes an utterance in its canonical form, which every reader of protocol 3.6 accepts. Omits a part's subject where it is inherited: from
 * the target of REQUEST and INQUIRE, elsewhere from the enclosing sentence. A part without a subject is taken to inherit it.
 */
export const writeContent = (content: Content): string => write(content, undefined);

function write(content: Content, inherited: Agent | undefined): string {
  if (content.kind === 'SKIP') return 'Skip';
  if (content.kind === 'OVER') return 'Over';
  const { subject } = content;
  return subject === undefined || subject === inherited ? clause(content) : `${writeAgent(subject)} ${clause(content)}`;
}

function clause(content: Exclude<Content, { readonly kind: 'SKIP' | 'OVER' }>): string {
  const { kind, subject } = content;
  switch (kind) {
    case 'ESTIMATE':
    case 'COMINGOUT':
      return `${kind} ${writeAgent(content.target)} ${content.role}`;
    case 'DIVINED':
    case 'IDENTIFIED':
      return `${kind} ${writeAgent(content.target)} ${content.result}`;
    case 'AGREE':
    case 'DISAGREE':
      return `${kind} ${content.channel} day${content.day} ID:${content.number}`;
    case 'REQUEST':
    case 'INQUIRE':
      return `${kind} ${writeAgent(content.target)} ${groups(content.parts.slice(0, 1), content.target)}`;
    case 'NOT':
      return `${kind} ${groups(content.parts.slice(0, 1), subject)}`;
    case 'DAY':
      return `${kind} ${content.day} ${groups(content.parts.slice(0, 1), subject)}`;
    case 'BECAUSE':
    case 'XOR':
      return `${kind} ${groups(content.parts.slice(0, 2), subject)}`;
    case 'AND':
    case 'OR':
      return `${kind} ${groups(content.parts, subject)}`;
    case 'DIVINATION':
    case 'GUARD':
    case 'GUARDED':
    case 'VOTE':
    case 'VOTED':
    case 'ATTACK':
    case 'ATTACKED':
      return `${kind} ${writeAgent(content.target)}`;
  }
}

const groups = (parts: readonly Content[], inherited: Agent | undefined): string =>
  parts.map((part) => `(${write(part, inherited)})`).join(' ');

/** `Agent[01]`, or `ANY`. */
export const writeAgent = (agent: Agent): string => (agent === ANY ? 'ANY' : `Agent[${String(agent).padStart(2, '0')}]`);

const ROLES = ['SEER', 'MEDIUM', 'BODYGUARD', 'VILLAGER', 'POSSESSED', 'WEREWOLF'];

/** The sentences about one player that a speaker may need, without conditions and reasons. By night an attack is planned, by day a vote. */
export function sentences(always: readonly string[], players: number, speaker: Seat): readonly string[] {
  const plan = always.some((line) => line.startsWith('ATTACK')) ? 'ATTACK' : 'VOTE';
  const own = writeAgent(agentOf(speaker));
  const others = Array.from({ length: players }, (_, seat) => writeAgent(agentOf(seat))).filter((agent) => agent !== own);
  const results = ['DIVINED', 'IDENTIFIED'].flatMap((kind) => others.flatMap((agent) => ['HUMAN', 'WEREWOLF'].map((result) => `${kind} ${agent} ${result}`))); // prettier-ignore
  return [
    ...always,
    ...ROLES.map((role) => `COMINGOUT ${own} ${role}`),
    ...others.flatMap((agent) => ROLES.map((role) => `ESTIMATE ${agent} ${role}`)),
    ...results,
    ...others.flatMap((agent) => ['GUARDED', 'DIVINATION', 'GUARD', plan].map((act) => `${act} ${agent}`)),
    ...others.map((agent) => `REQUEST ANY (${plan} ${agent})`),
  ].filter((sentence, i, all) => all.indexOf(sentence) === i);
}
