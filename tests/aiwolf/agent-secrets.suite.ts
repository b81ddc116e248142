/** What packets of outside agents tell of others: roles, whispers and results, which agents plant so that they can be found. */
import { type Answering, joinAs, legalAnswer, type Packet, type PlayingAgent } from './agents.suite.ts';

/** A connection of an agent that has ended. */
export type Connection = Pick<PlayingAgent, 'name' | 'packets' | 'texts' | 'times'>;

type Info = { readonly [key: string]: unknown };
const infoOf = ({ gameInfo, info }: Packet): Info => (gameInfo ?? info ?? {}) as Info;
/** The role of the agent that a packet is for. */
export const ownRole = (packet: Packet): string => roleMapOf(packet)[String(infoOf(packet)['agent'])]!;
const roleMapOf = (packet: Packet): { readonly [agent: string]: string } =>
  (infoOf(packet)['roleMap'] ?? infoOf(packet)['role_map'] ?? {}) as never;

/** Whispers what no speech and no name contains. */
export const whispering: Answering = (packet, memory) => {
  if (packet.request !== 'WHISPER') return legalAnswer(packet, memory);
  return memory.spoken++ ? 'Over' : `marker of a whisper of ${String(memory.me)}`;
};

/** The connections of agents of these names, from NAME to the end. Each game of the natural-language division has connections of its own. */
export async function playOn(url: string, names: readonly string[], answering: Answering = legalAnswer): Promise<readonly Connection[]> {
  const agents = await Promise.all(names.map((name) => joinAs(url, name, answering)));
  await Promise.all(agents.map(({ closed }) => closed));
  return agents;
}

/** The packets of each game, from its INITIALIZE to its FINISH. */
function gamesIn(packets: readonly Packet[]): Packet[][] {
  const games: Packet[][] = [];
  for (const packet of packets) {
    if (packet.request === 'INITIALIZE') games.push([]);
    if (packet.request !== 'NAME' && packet.request !== 'ROLE') games.at(-1)!.push(packet);
  }
  return games;
}

/** The kinds of secrets in packets: whose roles, whose whispers, which results. */
function secretsIn(packets: readonly Packet[]): Set<string> {
  const found = new Set<string>();
  for (const packet of packets) {
    if (JSON.stringify(packet).includes('marker of a whisper')) found.add('whispers');
    const info = infoOf(packet);
    const isThere = (...names: readonly string[]) =>
      names.some((name) => {
        const value = info[name];
        return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== -1;
      });
    if (isThere('divineResult', 'divine_result')) found.add('divinations');
    if (isThere('mediumResult', 'medium_result')) found.add('roles of the executed');
    if (isThere('guardedAgent')) found.add('guards');
    if (isThere('attackVoteList', 'latestAttackVoteList', 'attack_vote_list')) found.add('votes of the werewolves');
    if (packet.request === 'FINISH') continue;
    const me = String(info['agent']);
    for (const [agent, role] of Object.entries(roleMapOf(packet))) if (agent !== me) found.add(`another ${role}`);
  }
  return found;
}

export const MAY_KNOW: { readonly [role: string]: readonly string[] } = {
  WEREWOLF: ['whispers', 'votes of the werewolves', 'another WEREWOLF'],
  SEER: ['divinations'],
  MEDIUM: ['roles of the executed'],
  BODYGUARD: ['guards'],
};

/** Who was told what it may not know, in words, and the kinds of secrets that were told to anybody. */
export function leaksIn(connections: readonly Pick<PlayingAgent, 'name' | 'packets'>[], names: readonly string[]) {
  const leaks: string[] = [];
  const told = new Set<string>();
  for (const { name, packets } of connections) {
    for (const game of gamesIn(packets)) {
      const role = ownRole(game[0]!);
      for (const secret of secretsIn(game)) {
        told.add(secret);
        if (!MAY_KNOW[role]?.includes(secret)) leaks.push(`a ${role} is told ${secret}`);
      }
    }
    const text = JSON.stringify(packets);
    for (const other of names) if (other !== name && text.includes(other)) leaks.push(`${name} is told that ${other} plays`);
  }
  return { leaks, told };
}
