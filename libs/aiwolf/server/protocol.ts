/** The packets of the protocol division's server, 0.6.2: keys sorted, nothing left out. */
import { agentOf } from '@maw/games/aiwolf/language/content-reader.ts';
import { roleCountsFor } from '@maw/games/aiwolf/role-counts.ts';
import type { Finding, Place } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { isRevote, knownRoles, statusesOf } from './facts.ts';
import type { Request, Terms } from './terms.ts';
import { type Ballot, newsOf, type Utterance, type View } from './view.ts';

type Packet = ReturnType<typeof envelope>;

const envelope = (
  request: Request | 'NAME',
  parts: { gameInfo?: object; gameSetting?: object; talkHistory?: object; whisperHistory?: object } = {},
) => ({
  gameInfo: parts.gameInfo ?? null,
  gameSetting: parts.gameSetting ?? null,
  request,
  talkHistory: parts.talkHistory ?? null,
  whisperHistory: parts.whisperHistory ?? null,
});

/** What an agent is asked before its first game. */
export const namePacket = (): Packet => envelope('NAME');

/** @param roles of all seats, at the end of the game */
export function protocolPacket(terms: Terms, v: View, request: Request, round: number, roles?: readonly string[]): Packet {
  if (request === 'ROLE') return envelope(request);
  if (!hasInfo(v, request)) return envelope(request, { talkHistory: history(v, 'talk'), whisperHistory: history(v, 'whisper') });
  const gameInfo = gameInfoOf(terms, v, request, roles);
  return request === 'INITIALIZE'
    ? envelope(request, { gameInfo, gameSetting: gameSettingOf(terms, round) })
    : envelope(request, { gameInfo });
}

/** Which utterances the agent has been sent once it has this packet. */
export function protocolSent(terms: Terms, v: View, request: Request): View['sent'] {
  if (request === 'ROLE' || request === 'INITIALIZE' || request === 'DAILY_INITIALIZE') return v.sent;
  if (hasInfo(v, request) && terms.isStrict) return v.sent;
  return { talk: v.said.talk.length, whisper: v.said.whisper.length };
}

/** The server tells the state of the game when there is something new in it: an execution, or a round of votes. */
function hasInfo(v: View, request: Request): boolean {
  switch (request) {
    case 'ROLE':
    case 'TALK':
    case 'TALK_PHASE_START':
    case 'TALK_BROADCAST':
    case 'TALK_PHASE_END':
    case 'DAILY_FINISH':
      return false;
    case 'INITIALIZE':
    case 'DAILY_INITIALIZE':
    case 'FINISH':
      return true;
    case 'VOTE':
      return isRevote(v);
    case 'ATTACK':
      return isRevote(v) || newsOf(v).executedToday !== undefined;
    case 'WHISPER':
    case 'DIVINE':
    case 'GUARD':
      return newsOf(v).executedToday !== undefined;
  }
}

const agentOrNone = (seat: Seat | undefined): number => (seat === undefined ? -1 : agentOf(seat));
const vote = ({ by, day, target }: Ballot) => ({ agent: agentOf(by), day, target: agentOf(target) });
const talk = ({ by, day, idx, text, turn }: Utterance) => ({ agent: agentOf(by), day, idx, text, turn });
const history = ({ said, sent }: View, place: Place) => said[place].slice(sent[place]).map(talk);
const judge = (finding: Finding | undefined) =>
  finding ? { agent: agentOf(finding.by), day: finding.day, result: finding.found.toUpperCase(), target: agentOf(finding.seat) } : null;
const byAgent = <T>(values: readonly (T | undefined)[]) =>
  Object.fromEntries(values.flatMap((value, seat) => (value === undefined ? [] : [[agentOf(seat), value]])));

function gameInfoOf({ seat, players, options }: Terms, v: View, request: Request, roles?: readonly string[]) {
  const { executedToday, executed, killed, divined, identified } = newsOf(v);
  const known = roles ?? knownRoles(v);
  return {
    agent: agentOf(seat),
    attackVoteList: v.attackVotesBefore.map(vote),
    attackedAgent: agentOrNone(v.nightBefore.attacked),
    cursedFox: -1,
    day: v.day,
    divineResult: judge(divined),
    executedAgent: agentOrNone(executed),
    existingRoleList: Object.entries(roleCountsFor(players, options.roles, options.preset))
      .flatMap(([role, count]) => (count ? [role.toUpperCase()] : []))
      .toSorted(),
    guardedAgent: agentOrNone(v.nightBefore.guarded),
    lastDeadAgentList: killed.map(agentOf),
    latestAttackVoteList: v.attackVotes.map(vote),
    latestExecutedAgent: agentOrNone(executedToday),
    latestVoteList: v.votes.map(vote),
    mediumResult: judge(identified),
    remainTalkMap: byAgent(v.left.talk),
    remainWhisperMap: byAgent(v.left.whisper),
    roleMap: byAgent(known.map((role) => role?.toUpperCase())),
    statusMap: byAgent(statusesOf(v)),
    talkList: v.said.talk.map(talk),
    voteList: v.votesBefore.map(vote),
    // Whispers of the day before come with the next history; an agent would take them twice here.
    whisperList: v.said.whisper.slice(request === 'DAILY_INITIALIZE' ? v.carried : 0).map(talk),
  };
}

function gameSettingOf({ players, options, answerMs, ids }: Terms, round: number) {
  const counts = roleCountsFor(players, options.roles, options.preset);
  return {
    enableNoAttack: options.noAttack,
    enableNoExecution: options.noExecution,
    enableRoleRequest: true,
    maxAttackRevote: options.attackRevotes,
    maxRevote: options.revotes,
    maxSkip: options.skips,
    maxTalk: options.utterances,
    maxTalkTurn: options.turns,
    maxWhisper: options.whispers,
    maxWhisperTurn: options.whisperTurns,
    playerNum: players,
    randomSeed: ids(round).seed,
    roleNumMap: {
      POSSESSED: counts.possessed,
      VILLAGER: counts.villager,
      ANY: 0,
      MEDIUM: counts.medium,
      BODYGUARD: counts.bodyguard,
      FREEMASON: 0,
      FOX: counts.fox,
      SEER: counts.seer,
      WEREWOLF: counts.werewolf,
      ...(counts.immoralist ? { IMMORALIST: counts.immoralist } : {}),
    },
    talkOnFirstDay: options.talkOnFirstDay,
    timeLimit: answerMs,
    validateUtterance: options.language === 'protocol',
    votableInFirstDay: false,
    voteVisible: options.voteVisible,
    whisperBeforeRevote: options.whisperBeforeRevote,
  };
}

/** One line, without its end: the seed as a number, which JavaScript cannot hold, and the server's own escapes. */
export const writeProtocolPacket = (packet: Packet): string =>
  JSON.stringify(packet)
    .replace(/"randomSeed":"(-?\d+)"/, '"randomSeed":$1')
    .replaceAll(/[<>\u007f]/g, (sign) => `\\u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
