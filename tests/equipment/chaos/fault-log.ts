import { setTimeout as sleep } from 'node:timers/promises';
import type { Span } from './audit/choices.ts';
import type { Death, Trouble } from './audit/system-audits.ts';
import { RECOVERY_MS } from './audit/system-audits.ts';
import { type Fault, faultText } from './faults.ts';
import { injectFault, type Targets } from './fault-injector.ts';

/**
 * How long faults go on after a server was stopped. Then they wait until it is back, because nothing is played without it and a busy machine
 * may take half a minute to start one.
 */
const AWAY_MS = 6_000;

/** Injects a schedule of faults, and records them. */
export interface FaultLog {
  /** Injects each fault at its time or, while a server is down, later. Resolves when the last is over. @throws the reason of the abort */
  inject(faults: readonly Fault[], signal: AbortSignal): Promise<void>;
  readonly troubles: readonly Trouble[];
  /** When a server, all players, or the space on the disk were certainly gone. */
  readonly outages: readonly Outage[];
  readonly deaths: readonly Death[];
  /** By kind. */
  counts(): { readonly [kind: string]: number };
  /** To be called for each line of a process or its supervisor. */
  onLine(process: string, line: string): void;
}

export interface Outage extends Span {
  readonly of: 'broker' | 'database' | 'players' | 'disk';
}

interface Ongoing extends Trouble {
  to: number;
  /** The affected process, if it is one. */
  readonly process: string | undefined;
}

/** The affected services. Undefined: all. */
function servicesOf(fault: Fault): readonly string[] | undefined {
  if ('process' in fault) return [fault.process.slice(0, fault.process.lastIndexOf('-'))];
  if ('proxy' in fault) return [fault.proxy.split(' ')[0]!];
  if (fault.kind === 'players') return ['player'];
  return fault.kind === 'models' ? ['llm-gateway'] : undefined;
}

/** @param awayMs see AWAY_MS */
export function createFaultLog(targets: Targets, say: (line: string) => void, awayMs = AWAY_MS): FaultLog {
  const troubles: Ongoing[] = [];
  const outages: Outage[] = [];
  const deaths: Death[] = [];
  const counts: Record<string, number> = {};

  async function one(fault: Fault, signal: AbortSignal): Promise<void> {
    const process = 'process' in fault ? fault.process : undefined;
    const trouble: Ongoing = { from: Date.now(), to: Number.POSITIVE_INFINITY, services: servicesOf(fault), process };
    troubles.push(trouble);
    counts[fault.kind] = (counts[fault.kind] ?? 0) + 1;
    say(faultText(fault));
    let gone = Number.NaN;
    await injectFault(targets, fault, signal, () => (gone = Date.now()));
    trouble.to = Date.now();
    const { kind } = fault;
    if (kind === 'broker' || kind === 'database' || kind === 'players' || kind === 'disk')
      outages.push({ of: kind, from: gone, to: trouble.to });
  }

  /** Whether a fault had ended the process, or affected all services. */
  function wasExpected(process: string): boolean {
    const now = Date.now();
    return troubles.some((trouble) => trouble.to + RECOVERY_MS > now && (trouble.process === process || trouble.services === undefined));
  }

  return {
    async inject(faults, signal) {
      let began = Date.now();
      const going: Promise<void>[] = [];
      let back: { readonly from: number; readonly away: Promise<void> } | undefined;
      for (const fault of faults) {
        await sleep(Math.max(0, began + fault.at - Date.now()), undefined, { signal });
        if (back && Date.now() - back.from >= awayMs) {
          const since = Date.now();
          await back.away.catch(() => undefined);
          began += Date.now() - since;
          back = undefined;
        }
        const doing = one(fault, signal);
        doing.catch(() => undefined); // awaited below
        going.push(doing);
        if (fault.kind === 'broker' || fault.kind === 'database') back = { from: Date.now(), away: doing };
      }
      await Promise.all(going);
    },
    troubles,
    outages,
    deaths,
    counts: () => counts,
    onLine(process, line) {
      const how = /"message":"died \(([^)]*)\)/.exec(line)?.[1];
      if (how !== undefined) deaths.push({ process, how, wasExpected: wasExpected(process) });
    },
  };
}
