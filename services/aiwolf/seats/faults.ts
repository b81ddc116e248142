import type { AgentSets } from '@maw/store/ports/agent-sets.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Reporter } from '@maw/aiwolf/server/report.ts';
import { type AgentSeat, roundOf } from './agent-seat.ts';

export type AgentFault = Parameters<AgentSets['addFaults']>[0][number];

/** What was wrong with an answer, and what counted instead. */
export interface Fault {
  readonly request: string;
  readonly question: string;
  readonly fault: string;
  readonly detail: string;
  readonly instead?: string;
}

interface FaultDeps {
  readonly sets: Pick<AgentSets, 'addFaults'>;
  readonly log: Log;
  now(): number;
  readonly report?: Reporter | undefined;
}

/** The log names the agent of these only: who is asked anything else has a role. */
export const ASKED_OF_ALL: ReadonlySet<string> = new Set(['ROLE', 'TALK', 'VOTE']);

/** Counts and stores the faults of agents. */
export class FaultBook {
  readonly #deps: FaultDeps;
  #unstored: AgentFault[] = [];
  #storing: Promise<void> | undefined;

  constructor(deps: FaultDeps) {
    this.#deps = deps;
  }

  add(seat: AgentSeat, fault: Fault): void {
    const { log, now, report } = this.#deps;
    const { set, agent, terms } = seat;
    if (seat.faults.isLost) return;
    const entry = { set, at: now(), round: roundOf(seat), seat: seat.seat, agent, ...fault };
    if (seat.faults.round !== entry.round) this.forgive(seat, entry.round);
    seat.faults.count++;
    // In the natural-language division a late agent that tells its name goes on; one that does not is gone.
    if (terms.isStrict) seat.faults.isLost = fault.fault === 'gone' || (fault.fault === 'late' && terms.division === 'protocol');
    metrics.agentFaults.inc({ division: terms.division, fault: fault.fault });
    log.info(
      ASKED_OF_ALL.has(fault.request) ? entry : { set, round: entry.round, fault: fault.fault },
      'an answer of an agent does not count',
    );
    report?.({ type: 'fault', ...entry });
    this.#unstored.push(entry);
    void this.store().catch(() => undefined);
  }

  /** A seat begins a round without faults. */
  forgive({ faults }: AgentSeat, round: number): void {
    Object.assign(faults, { round, count: 0 });
  }

  /** Resolves once all faults are stored. @throws when the database is not there; they are kept, and stored with the next */
  async store(): Promise<void> {
    while (this.#unstored.length || this.#storing) {
      this.#storing ??= this.#storeAll().finally(() => (this.#storing = undefined));
      await this.#storing;
    }
  }

  async #storeAll(): Promise<void> {
    const faults = [...this.#unstored];
    try {
      await this.#deps.sets.addFaults(faults);
      this.#unstored = this.#unstored.slice(faults.length);
    } catch (error) {
      this.#deps.log.warn({ faults: faults.length, err: error }, 'faults of agents could not be stored; they are stored with the next');
      throw error;
    }
  }
}
