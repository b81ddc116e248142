/** Agents that answer every request with something legal, over real connections. */
import { type Agent, connectLines, connectMessages } from '@maw/aiwolf-service/connections/agents.suite.ts';

export type Packet = { readonly request: string; readonly [key: string]: unknown };

/** What an agent remembers of its game. */
export interface Memory {
  readonly name: string;
  me: number | string | undefined;
  /** By number or name. */
  status: { readonly [agent: string]: string };
  roles: { readonly [agent: string]: string };
  /** How often it has spoken since the day began. */
  spoken: number;
}

export interface PlayingAgent {
  readonly name: string;
  /** Everything it was sent, NAME first. */
  readonly packets: readonly Packet[];
  /** The same as they came. */
  readonly texts: readonly string[];
  /** When each of them came, in milliseconds. */
  readonly times: readonly number[];
  readonly requests: () => readonly string[];
  /** Resolves once the connection is closed, with its code. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly agent: Agent;
}

/** Undefined: says nothing. */
export type Answering = (packet: Packet, memory: Memory, agent: Agent) => string | undefined | void;

/** @param answer to every request; the legal one by default */
export async function joinAs(url: string, name: string, answer: Answering = legalAnswer): Promise<PlayingAgent> {
  const isProtocol = url.startsWith('tcp');
  const agent = isProtocol ? await connectLines(url) : await connectMessages(url);
  const packets: Packet[] = [];
  const texts: string[] = [];
  const times: number[] = [];
  const memory: Memory = { name, me: undefined, status: {}, roles: {}, spoken: 0 };
  void (async () => {
    for (let text = await agent.next(); text !== undefined; text = await agent.next()) {
      const packet = JSON.parse(text) as Packet;
      times.push(performance.now());
      texts.push(text);
      packets.push(packet);
      remember(memory, packet);
      const says = answer(packet, memory, agent);
      if (typeof says === 'string') agent.send(says);
    }
  })();
  return { name, packets, texts, times, requests: () => packets.map(({ request }) => request), closed: agent.closed, agent };
}

function remember(memory: Memory, { request, gameInfo, info }: Packet): void {
  const told = (gameInfo ?? info) as { readonly [key: string]: never } | undefined;
  if (request === 'DAILY_INITIALIZE') memory.spoken = 0;
  if (!told) return;
  memory.me = told['agent'];
  memory.status = (told['statusMap'] ?? told['status_map']) as unknown as Memory['status'];
  memory.roles = (told['roleMap'] ?? told['role_map']) as unknown as Memory['roles'];
}

/** Speaks once a day, and names the first living player that it may. */
export const legalAnswer = ({ request, gameInfo, talkHistory }: Packet, memory: Memory): string | undefined => {
  const isProtocol = gameInfo !== undefined || talkHistory !== undefined;
  switch (request) {
    case 'NAME':
      return memory.name;
    case 'ROLE':
      return 'none';
    case 'TALK':
    case 'WHISPER':
      return memory.spoken++ ? 'Over' : 'Skip';
    case 'VOTE':
    case 'DIVINE':
    case 'GUARD':
    case 'ATTACK': {
      const others = Object.keys(memory.status).filter((each) => memory.status[each] === 'ALIVE' && each !== String(memory.me));
      const target = others.find((each) => memory.roles[each] !== 'WEREWOLF') ?? others[0]!;
      return isProtocol ? JSON.stringify({ agentIdx: Number(target) }) : target;
    }
    default:
      return undefined;
  }
};
