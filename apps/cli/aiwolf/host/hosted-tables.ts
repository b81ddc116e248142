import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceReport } from '@maw/aiwolf/server/report.ts';
import type { WebClient } from '../../clients/web-client.ts';
import type { SeenEvent } from '../../clients/table-stream.ts';
import { seatsForPeople } from '../../play/seats/invitations.ts';
import type { GameLogs, Seated } from '@maw/aiwolf/server/game-logs.ts';
import type { HostReport } from './host-report.ts';

interface Tables {
  readonly web: Pick<WebClient, 'follow'>;
  readonly report: HostReport;
  readonly logs: GameLogs | undefined;
  /** What the seats without an outside agent are called in results. */
  readonly fill: string;
  /** Resolves once no more tables are begun, and all have ended. */
  readonly finished: Promise<void>;
  /** Invites the people of a table. */
  readonly invite: ((set: string) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

/** A table from its beginning to its end. */
interface Table {
  readonly set: string;
  /** Outside agents, by seat. */
  readonly agents: ReadonlyMap<number, string>;
  readonly names: string[];
  /** The seats that people play, or may still join. */
  readonly people: Set<number>;
  round: number;
  /** No more events come. */
  isOver: boolean;
  /** The agents have been told. */
  hasEnded: boolean;
}

/** How long the last events of a table may take to arrive. */
const LAST_EVENTS_MS = 30_000;

/** Follows the tables of all sets, and tells what happens at them. */
export function followTables({ web, report, logs, fill, finished, invite, signal }: Tables) {
  const tables = new Map<string, Table>();
  const following = new Set<Promise<void>>();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const close = ({ set, isOver, hasEnded }: Table): void => void (isOver && hasEnded && logs?.over(set));
  async function follow(table: Table): Promise<void> {
    for await (const update of web.follow(table.set, { as: 'narrator', signal })) if (update.kind === 'seen') see(table, update.seen);
    if (signal.aborted) return;
    table.isOver = true;
    close(table);
  }
  function see(table: Table, seen: SeenEvent): void {
    const { event } = seen;
    const { set } = table;
    noteTable(table, event);
    const seated = seatedAt(table, fill);
    logs?.seen(set, seen, seated);
    if (event.type === 'aborted') report.note(`Table ${set} was aborted.`);
    if (event.type !== 'scored') return;
    const { roles, winner, winners } = event['outcome'] as { roles: string[]; winner: string; winners: number[] };
    report.ended({ set, round: table.round, agents: seated.agents, roles, winner, winners });
  }
  function begin(began: Began): void {
    const { set } = began;
    const table = newTable(began);
    tables.set(set, table);
    // Who only watches ends no game: agents play on where their table cannot be seen.
    const notSeen = (error: unknown): void => report.note(`Table ${set} plays on, but is not followed: ${(error as Error).message}`);
    following.add(follow(table).catch(notSeen));
    invite?.(set).catch(notSeen);
  }
  async function play(): Promise<void> {
    await finished;
    const late = sleep(LAST_EVENTS_MS, undefined, { ref: false });
    if ((await Promise.race([Promise.all(following), late])) === undefined) report.note('Some games were not followed to their end.');
  }
  return {
    /** Resolves once everything is played and told. @throws ApiProblem when a table cannot be followed */
    played: () => Promise.race([play(), failed]),

    take(each: ServiceReport): void {
      report.take(each);
      if (each.type === 'began' && !tables.has(each.set)) begin(each);
      if (each.type === 'refused') reject(new Error(`the table of the game cannot be opened: ${each.detail || each.reason}`));
      if (each.type === 'packet') logs?.packet(each);
      const table = each.type === 'ended' ? tables.get(each.set) : undefined;
      if (!table) return;
      table.hasEnded = true;
      close(table);
    },

    /** Whether a set has begun that has not ended. */
    isPlaying: (): boolean => [...tables.values()].some(({ hasEnded }) => !hasEnded),
  };
}

type Began = ServiceReport & { readonly type: 'began' };

const newTable = ({ set, agents }: Began): Table => ({
  set,
  agents: new Map(agents.map(({ seat, name }) => [seat, name])),
  names: [],
  people: new Set(),
  round: 0,
  isOver: false,
  hasEnded: false,
});

/** Notes the round, who has sat down, and whose seat a mind plays now. */
function noteTable(table: Table, event: SeenEvent['event']): void {
  const { names, people } = table;
  if (event.type === 'began') table.round = event['round'] as number;
  const seat = event['seat'] as number;
  if (event.type === 'opened') for (const each of seatsForPeople(event)) people.add(each);
  if (event.type === 'joined') names[seat] = event['name'] as string;
  if (event.type !== 'handed') return;
  if (event['to'] === 'mind') people.delete(seat);
  else people.add(seat);
}

function seatedAt({ names, agents, people }: Table, fill: string): Seated {
  const agentAt = (seat: number): string => agents.get(seat) ?? (people.has(seat) ? `${names[seat]} (person)` : fill);
  return { names, agents: names.map((_, seat) => agentAt(seat)) };
}
