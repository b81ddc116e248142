import { setTimeout as after } from 'node:timers/promises';
import type { Death, Trouble } from './audit/system-audits.ts';
import { RECOVERY_MS } from './audit/system-audits.ts';
import { type Fault, faultText } from './fault-schedule.ts';
import { injectFault, type Targets } from './fault-injector.ts';

/**
 * So long after a server has gone other things go wrong too; then they wait for it, because nothing is played without it and a busy machine may
 * take half a minute to start one.
 */
const AWAY_MS = 6_000;

/** Faults as they happen, and what can be said of them afterwards. */
export interface FaultLog {
  /** Does all faults, each at its time or, when a server is away, later. Resolves when the last is over. @throws whatever `signal` was aborted with */
  blow(faults: readonly Fault[], signal: AbortSignal): Promise<void>;
  readonly troubles: readonly Trouble[];
  readonly deaths: readonly Death[];
  /** By kind. */
  counts(): { readonly [kind: string]: number };
  /** A line that a process has written, or that was written about it. */
  heard(process: string, line: string): void;
}

interface Ongoing extends Trouble {
  to: number;
  /** The process that was struck, when it was one. */
  readonly process: string | undefined;
}

/** Whom a fault troubles; everybody when undefined. */
function servicesOf(fault: Fault): readonly string[] | undefined {
  if ('process' in fault) return [fault.process.slice(0, fault.process.lastIndexOf('-'))];
  if ('way' in fault) return [fault.way.split(' ')[0]!];
  return fault.kind === 'models' ? ['llm-gateway'] : undefined;
}

/** @param awayMs see AWAY_MS */
export function faultLog(targets: Targets, say: (line: string) => void, awayMs = AWAY_MS): FaultLog {
  const troubles: Ongoing[] = [];
  const deaths: Death[] = [];
  const counts: Record<string, number> = {};

  async function one(fault: Fault, signal: AbortSignal): Promise<void> {
    const process = 'process' in fault ? fault.process : undefined;
    const trouble: Ongoing = { from: Date.now(), to: Number.POSITIVE_INFINITY, services: servicesOf(fault), process };
    troubles.push(trouble);
    counts[fault.kind] = (counts[fault.kind] ?? 0) + 1;
    say(faultText(fault));
    await injectFault(targets, fault, signal);
    trouble.to = Date.now();
  }

  /** Whether the storm had ended the process, or taken away what no service can do without. */
  function wasStruck(process: string): boolean {
    const now = Date.now();
    return troubles.some((trouble) => trouble.to + RECOVERY_MS > now && (trouble.process === process || trouble.services === undefined));
  }

  return {
    async blow(faults, signal) {
      let began = Date.now();
      const going: Promise<void>[] = [];
      let back: { readonly from: number; readonly away: Promise<void> } | undefined;
      for (const fault of faults) {
        await after(Math.max(0, began + fault.at - Date.now()), undefined, { signal });
        if (back && Date.now() - back.from >= awayMs) {
          const since = Date.now();
          await back.away.catch(() => undefined);
          began += Date.now() - since;
          back = undefined;
        }
        const doing = one(fault, signal);
        doing.catch(() => undefined); // it is told below
        going.push(doing);
        if (fault.kind === 'broker' || fault.kind === 'database') back = { from: Date.now(), away: doing };
      }
      await Promise.all(going);
    },
    troubles,
    deaths,
    counts: () => counts,
    heard(process, line) {
      const how = /"message":"died \(([^)]*)\)/.exec(line)?.[1];
      if (how !== undefined) deaths.push({ process, how, wasStruck: wasStruck(process) });
    },
  };
}
