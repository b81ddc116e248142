import { type Agent, connectLines, connectMessages } from '@maw/aiwolf-service/connections/agents.suite.ts';
import { ExchangeRecorder, type Exchanges } from './exchanges.ts';

/** What some agents are to do. */
export interface AgentsTask {
  readonly url: string;
  readonly agents: number;
}

type ByAgent = { readonly [agent: string]: string };

/** The parts of a packet of either division that the agents read. */
interface Packet {
  readonly request: string;
  readonly gameInfo?: { readonly agent: number; readonly statusMap: ByAgent; readonly roleMap: ByAgent } | null;
  readonly gameSetting?: { readonly randomSeed: number } | null;
  readonly info?: { readonly game_id: string; readonly agent: string; readonly status_map: ByAgent; readonly role_map: ByAgent };
}

/** What an agent knows of its game. */
interface Memory {
  game: string;
  me: string;
  statuses: ByAgent;
  roles: ByAgent;
  /** How often it has spoken since the day began. */
  spoken: number;
}

/** How often an agent speaks a day; then it has nothing more to say. */
const SPEECHES = 7;

/** Plays as long as the server has games, with agents that answer each request at once. */
export async function playInstantly({ url, agents }: AgentsTask): Promise<Exchanges> {
  const recorder = new ExchangeRecorder();
  await Promise.all(Array.from({ length: agents }, (_, i) => playAs(url, `instant${i + 1}`, recorder)));
  return recorder.result();
}

/** Connects again after each set, until the server is closed or sends the agent away. */
async function playAs(url: string, name: string, recorder: ExchangeRecorder): Promise<void> {
  const connect = url.startsWith('tcp') ? connectLines : connectMessages;
  for (let hasPlayed = true; hasPlayed;) {
    const agent = await connect(url).catch(() => undefined);
    hasPlayed = agent !== undefined && (await playOn(agent, name, recorder));
  }
}

/** Plays until the connection is closed; whether there was a game. */
async function playOn(agent: Agent, name: string, recorder: ExchangeRecorder): Promise<boolean> {
  const memory: Memory = { game: '', me: '', statuses: {}, roles: {}, spoken: 0 };
  for (let text = await agent.next(); text !== undefined; text = await agent.next()) {
    const at = performance.now();
    const packet = JSON.parse(text) as Packet;
    const { request } = packet;
    if (request === 'NAME' || request === 'ROLE') {
      agent.send(request === 'NAME' ? name : 'none');
      continue;
    }
    remember(memory, packet);
    recorder.received(memory.game, text, at);
    const says = answerTo(request, memory, packet.info === undefined);
    if (says === undefined) continue;
    agent.send(says);
    recorder.answered(memory.game, request, says, performance.now());
  }
  return memory.game !== '';
}

function remember(memory: Memory, { request, gameInfo, gameSetting, info }: Packet): void {
  if (request === 'DAILY_INITIALIZE') memory.spoken = 0;
  if (gameSetting) memory.game = String(gameSetting.randomSeed);
  if (gameInfo) [memory.me, memory.statuses, memory.roles] = [String(gameInfo.agent), gameInfo.statusMap, gameInfo.roleMap];
  if (info) [memory.game, memory.me, memory.statuses, memory.roles] = [info.game_id, info.agent, info.status_map, info.role_map];
}

function answerTo(request: string, memory: Memory, isProtocol: boolean): string | undefined {
  switch (request) {
    case 'TALK':
    case 'WHISPER': {
      if (memory.spoken++ >= SPEECHES) return 'Over';
      const other = targetOf(memory);
      return isProtocol ? `ESTIMATE Agent[${other.padStart(2, '0')}] WEREWOLF` : `I think that ${other} is a werewolf.`;
    }
    case 'VOTE':
    case 'DIVINE':
    case 'GUARD':
    case 'ATTACK':
      return isProtocol ? `{"agentIdx":${targetOf(memory)}}` : targetOf(memory);
    default:
      return undefined;
  }
}

/** Somebody else who lives and is not known to be a werewolf, if there is anybody. */
function targetOf({ me, statuses, roles }: Memory): string {
  const others = Object.keys(statuses).filter((each) => each !== me && statuses[each] === 'ALIVE');
  return others.find((each) => roles[each] !== 'WEREWOLF') ?? others[0] ?? me;
}
