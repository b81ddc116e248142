import { type GameInfo, type GameSetting, type ProtocolPacket, readProtocolPacket } from '../wire/protocol/packet.ts';
import { PacketError, wantsAnswer } from '../wire/read-packet.ts';
import { writeAgent } from '@maw/games/aiwolf/language/content-writer.ts';
import { agentOf } from '@maw/games/aiwolf/language/content-reader.ts';
import {
  type Judgement,
  type Notice,
  roleOf,
  rolesFrom,
  type Situation,
  speciesFrom,
  type Terms,
  type Utterance,
  type Vote,
} from './notice.ts';

/** The limit that `timeLimit: -1` means. */
const USUAL_LIMIT_MS = 1000;

const seatOf = (agent: number): number => agent - 1;

/** A line of the protocol division's server. @throws PacketError */
export function protocolNotice(line: string): Notice {
  const { request, gameInfo, gameSetting, talkHistory, whisperHistory } = readProtocolPacket(line);
  if (request === 'INITIALIZE' && !gameSetting) throw new PacketError('INITIALIZE has no gameSetting');
  return {
    request,
    wantsAnswer: wantsAnswer(request),
    ...(gameSetting ? { terms: termsOf(gameSetting) } : {}),
    situation: gameInfo && situationOf(gameInfo),
    talk: [...(gameInfo?.talkList ?? []), ...talkHistory].map(utterance),
    whispers: [...(gameInfo?.whisperList ?? []), ...whisperHistory].map(utterance),
  };
}

function termsOf(setting: GameSetting): Terms {
  const limitMs = setting.timeLimit > 0 ? setting.timeLimit : USUAL_LIMIT_MS;
  return {
    names: Array.from({ length: setting.playerNum }, (_, seat) => writeAgent(agentOf(seat))),
    options: {
      preset: 'protocol-2021',
      roles: rolesFrom(setting.roleNumMap),
      utterances: setting.maxTalk,
      turns: setting.maxTalkTurn,
      whispers: setting.maxWhisper,
      whisperTurns: setting.maxWhisperTurn,
      skips: setting.maxSkip,
      revotes: setting.maxRevote,
      attackRevotes: setting.maxAttackRevote,
      noAttack: setting.enableNoAttack,
      noExecution: setting.enableNoExecution,
      voteVisible: setting.voteVisible,
      talkOnFirstDay: setting.talkOnFirstDay,
      whisperBeforeRevote: setting.whisperBeforeRevote ?? false,
      language: setting.validateUtterance ? 'protocol' : 'free',
      turnMs: Math.max(10, limitMs),
    },
    limitMs,
    game: undefined,
  };
}

function situationOf(info: GameInfo): Situation {
  const agents = Object.keys(info.statusMap).map(Number);
  const roles = agents.toSorted((a, b) => a - b).map((agent) => info.roleMap[agent]);
  return {
    me: seatOf(info.agent),
    day: info.day,
    living: agents.filter((agent) => info.statusMap[agent] === 'ALIVE').map(seatOf),
    roles: roles.map((role) => (role === undefined ? 'hidden' : roleOf(role))),
    executedToday: seatOrNobody(info.latestExecutedAgent),
    executed: seatOrNobody(info.executedAgent),
    killed: info.lastDeadAgentList.map(seatOf),
    attacked: seatOrNobody(info.attackedAgent),
    guarded: seatOrNobody(info.guardedAgent),
    divined: judgement(info.divineResult),
    identified: judgement(info.mediumResult),
    votes: info.voteList.map(vote),
    attackVotes: info.attackVoteList.map(vote),
    votesToday: info.latestVoteList.map(vote),
    attackVotesToday: info.latestAttackVoteList.map(vote),
  };
}

const seatOrNobody = (agent: number | undefined) => (agent === undefined ? undefined : seatOf(agent));
const vote = ({ agent, target }: GameInfo['voteList'][number]): Vote => ({ by: seatOf(agent), seat: seatOf(target) });
const judgement = (result: GameInfo['divineResult']): Judgement | undefined =>
  result && { seat: seatOf(result.target), found: speciesFrom(result.result) };
const utterance = ({ agent, ...said }: ProtocolPacket['talkHistory'][number]): Utterance => ({ ...said, by: seatOf(agent) });
