/** Packets of the protocol division's server, 0.6.2: one JSON object per line. Agents are numbers from 1. */
import { z } from 'zod';
import { ASKS, list, maybe, readPacket, species, status, TELLS } from '../read-packet.ts';

const REQUESTS = [...ASKS, ...TELLS, 'ROLE'] as const;
export type ProtocolRequest = (typeof REQUESTS)[number];

const agent = z.int();
/** An agent, or -1 for nobody. */
const agentOrNobody = maybe(agent).transform((number) => (number !== undefined && number > 0 ? number : undefined));
const talk = z.object({ agent, day: z.int(), idx: z.int(), turn: z.int(), text: z.string() });
const vote = z.object({ agent, day: z.int(), target: agent });
const judge = z.object({ agent, day: z.int(), target: agent, result: species });

const gameInfo = z.object({
  agent,
  day: z.int(),
  /** By number of the agent, as text. */
  statusMap: z.record(z.string(), status),
  roleMap: z.record(z.string(), z.string()),
  talkList: list(talk),
  whisperList: list(talk),
  /** Of yesterday and of last night. */
  executedAgent: agentOrNobody,
  lastDeadAgentList: list(agent),
  attackedAgent: agentOrNobody,
  guardedAgent: agentOrNobody,
  divineResult: maybe(judge),
  mediumResult: maybe(judge),
  voteList: list(vote),
  attackVoteList: list(vote),
  /** Of today, and of today's latest round. */
  latestExecutedAgent: agentOrNobody,
  latestVoteList: list(vote),
  latestAttackVoteList: list(vote),
});

const gameSetting = z.object({
  playerNum: z.int(),
  roleNumMap: z.record(z.string(), z.int()),
  maxTalk: z.int(),
  maxTalkTurn: z.int(),
  maxWhisper: z.int(),
  maxWhisperTurn: z.int(),
  maxSkip: z.int(),
  maxRevote: z.int(),
  maxAttackRevote: z.int(),
  enableNoAttack: z.boolean(),
  enableNoExecution: z.boolean(),
  voteVisible: z.boolean(),
  talkOnFirstDay: z.boolean(),
  validateUtterance: z.boolean(),
  whisperBeforeRevote: maybe(z.boolean()),
  /** Milliseconds for one answer; -1 means 1000. */
  timeLimit: z.int(),
});

const packet = z.object({
  request: z.enum(REQUESTS),
  gameInfo: maybe(gameInfo),
  gameSetting: maybe(gameSetting),
  /** What was said since the last history. */
  talkHistory: list(talk),
  whisperHistory: list(talk),
});
export type ProtocolPacket = z.infer<typeof packet>;
export type GameInfo = z.infer<typeof gameInfo>;
export type GameSetting = z.infer<typeof gameSetting>;

/** @throws PacketError */
export const readProtocolPacket = (line: string): ProtocolPacket => readPacket(packet, line);

/** The answer to VOTE, DIVINE, GUARD and ATTACK. The server finds no agent where there is a blank in it. */
export const writeTarget = (number: number): string => JSON.stringify({ agentIdx: number });
