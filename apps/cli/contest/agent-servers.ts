import type { Reporter } from '@maw/aiwolf/server/report.ts';
import { type ServerTerms, serverTerms, teamOf } from '@maw/aiwolf/server/server-terms.ts';
import type { Contest } from '@maw/lab/contests/definition.ts';
import { atServers, divisionsOf } from '@maw/lab/contests/outside/outside-agents.ts';

/** Where outside agents of a contest in this process connect. */
export interface AgentServerOptions {
  /** Absent: those of the published servers. */
  readonly port?: number;
  /** Absent: 127.0.0.1. */
  readonly host?: string;
  /** In milliseconds. */
  readonly timeLimit?: number;
}

/** The ports of the published servers. */
const PORTS = { protocol: 10_000, natural: 8080 } as const;

/** The outside agents of a contest in this process: their servers, and who of them is there. */
export interface OutsideAgents {
  readonly servers: readonly ServerTerms[];
  readonly report: Reporter;
  /** The names that they tell. */
  readonly names: readonly string[];
  /** Those who are not connected. */
  missing(): readonly string[];
}

/** Undefined without outside agents. @throws Error naming the option that is wrong */
export function outsideAgents(contest: Contest, { port, host = '127.0.0.1', timeLimit }: AgentServerOptions): OutsideAgents | undefined {
  const divisions = divisionsOf(contest);
  if (!divisions.length) {
    if (port !== undefined || timeLimit !== undefined)
      throw new Error(`--${port === undefined ? 'time-limit' : 'port'} is for outside agents, and the contest has none; leave it out`);
    return undefined;
  }
  if (port !== undefined && divisions.length > 1)
    throw new Error('--port names one server, and the games of the contest need two, one of each division; leave it out');
  const names = atServers(contest);
  const connected: string[] = [];
  return {
    servers: divisions.map((division) =>
      serverTerms.parse({
        division,
        contests: true,
        host,
        port: port ?? PORTS[division],
        ...(timeLimit === undefined ? {} : { answerMs: timeLimit }),
      }),
    ),
    names,
    report(report) {
      if (report.type === 'connected') connected.push(report.agent);
      if (report.type === 'disconnected') connected.splice(connected.indexOf(report.agent), 1);
    },
    missing: () => names.filter((name) => !connected.some((each) => each === name || teamOf(each) === name)),
  };
}
