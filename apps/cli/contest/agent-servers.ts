import type { ServiceReport } from '@maw/aiwolf/server/report.ts';
import { serverTerms, teamOf } from '@maw/aiwolf/server/server-terms.ts';
import type { Contest } from '@maw/lab/contests/definition.ts';
import { PORTS } from '../aiwolf/host/host-options.ts';
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

/** The outside agents of a contest in this process: their servers, and who of them is there. */
export type OutsideAgents = NonNullable<ReturnType<typeof outsideAgents>>;

/** Undefined without outside agents. @throws Error naming the option that is wrong */
export function outsideAgents(contest: Contest, { port, host = '127.0.0.1', timeLimit }: AgentServerOptions) {
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
      serverTerms.parse({ division, contests: true, host, port: port ?? PORTS[division], answerMs: timeLimit }),
    ),
    /** The names that they tell. */
    names,
    report(report: ServiceReport): void {
      if (report.type === 'connected') connected.push(report.agent);
      if (report.type === 'disconnected') connected.splice(connected.indexOf(report.agent), 1);
    },
    /** Those who are not connected. */
    missing: (): readonly string[] => names.filter((name) => !connected.some((each) => each === name || teamOf(each) === name)),
  };
}
