/** A log of the game that a captured connection of the protocol division is of, where none is kept: what the seat did not see is made up. */
interface Packet {
  readonly request: string;
  readonly gameInfo: Info | null;
  readonly talkHistory: readonly Talk[] | null;
}
interface Talk {
  readonly agent: number;
  readonly day: number;
  readonly idx: number;
  readonly turn: number;
  readonly text: string;
}
interface Vote {
  readonly agent: number;
  readonly target: number;
}
interface Info {
  readonly day: number;
  readonly agent: number;
  readonly executedAgent: number;
  readonly lastDeadAgentList: readonly number[];
  readonly divineResult: { readonly target: number; readonly result: string } | null;
  readonly voteList: readonly Vote[];
  readonly latestVoteList: readonly Vote[];
  readonly roleMap: { readonly [agent: string]: string };
}

/** @param texts of the packets, from INITIALIZE to FINISH */
export function logOfCapture(texts: readonly string[]): string {
  const packets = texts.map((text) => JSON.parse(text) as Packet);
  const infos = packets.flatMap(({ gameInfo }) => gameInfo ?? []);
  const finish = infos.at(-1)!;
  const roles = Object.entries(finish.roleMap);
  const lines: string[] = [];
  const dead = new Set<number>();
  const living = (role?: string) =>
    roles.flatMap(([agent, each]) => (!dead.has(Number(agent)) && (!role || each === role) ? [Number(agent)] : []));
  const statuses = (day: number) =>
    lines.push(
      ...roles.map(([agent, role]) => `${day},status,${agent},${role},${dead.has(Number(agent)) ? 'DEAD' : 'ALIVE'},Sample${agent}`),
    );

  for (let day = 0; day < finish.day; day++) {
    const next = infos.find((info) => info.day === day + 1)!;
    statuses(day);
    const talks = packets.flatMap(({ talkHistory }) => (talkHistory ?? []).filter((talk) => talk.day === day));
    lines.push(...talks.map(({ idx, turn, agent, text }) => `${day},talk,${idx},${turn},${agent},${text}`));
    if (day > 0) {
      const first = infos.find((info) => info.day === day && info.latestVoteList.length)?.latestVoteList ?? next.voteList;
      const rounds =
        JSON.stringify(first) !== JSON.stringify(next.voteList) || isTied(next.voteList) ? [first, next.voteList] : [next.voteList];
      for (const votes of rounds) lines.push(...votes.map(({ agent, target }) => `${day},vote,${agent},${target}`));
      dead.add(next.executedAgent);
      lines.push(`${day},execute,${next.executedAgent},${finish.roleMap[next.executedAgent]!}`);
    }
    const { divineResult: found } = next;
    if (found) lines.push(`${day},divine,${finish.agent},${found.target},${found.result}`);
    const wolves = living('WEREWOLF');
    if (wolves.length > 1) lines.push(...wolves.map((agent, idx) => `${day},whisper,${idx},0,${agent},Over`));
    if (day > 0 && wolves.length) lines.push(...attack(day, next.lastDeadAgentList[0]));
    if (day > 0) for (const agent of next.lastDeadAgentList) dead.add(agent);
  }
  statuses(finish.day);
  const wolves = living('WEREWOLF').length;
  lines.push(`${finish.day},result,${living().length - wolves},${wolves},${wolves ? 'WEREWOLF' : 'VILLAGER'}`);
  return `${lines.join('\n')}\n`;

  /** Nobody dies of an attack on somebody guarded only. */
  function attack(day: number, killed: number | undefined): string[] {
    const [guard] = living('BODYGUARD');
    const target = killed ?? living().find((agent) => agent !== guard && finish.roleMap[agent] !== 'WEREWOLF')!;
    return [
      ...(killed === undefined ? [`${day},guard,${guard},${target},${finish.roleMap[target]}`] : []),
      ...living('WEREWOLF').map((agent) => `${day},attackVote,${agent},${target}`),
      `${day},attack,${target},${killed !== undefined}`,
    ];
  }
}

function isTied(votes: readonly Vote[]): boolean {
  const counts = [...Map.groupBy(votes, ({ target }) => target).values()].map(({ length }) => length).toSorted((a, b) => b - a);
  return counts[0] === counts[1];
}
