import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@maw/telemetry/log.ts';
import { type Ask, Refused } from '@maw/bus/request-client.ts';
import type { AgentSeat } from './agent-seat.ts';

export interface ActDeps {
  readonly ask: Ask;
  readonly log: Log;
  readonly retryMs: number;
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
}

/** What an agent says to a question; without `says` it gives no answer, and nobody waits for it. */
interface Act {
  readonly question: string;
  readonly says?: string | undefined;
  /** What makes two acts one. */
  readonly id: string;
}

/** Answers a question for an agent; whether it counts. While the table is paused it waits: an answer is not lost by a pause. */
export async function act(
  { ask, log, retryMs, closing }: ActDeps,
  { set, seat }: AgentSeat,
  { question, says, id }: Act,
): Promise<boolean> {
  for (;;) {
    try {
      await ask('table.act', set, { seat, question, says: says === undefined ? [] : [says] }, id);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.reason !== 'paused') {
        log.debug({ set, question, reason: error.reason }, 'an answer of an agent came too late'); // not the seat: questions may be secret
        return false;
      }
      await sleep(retryMs, undefined, { signal: closing });
    }
  }
}
