import { metrics } from '@maw/telemetry/metrics.ts';
import { type EndReason, type LlmRequest, operationOf } from '../../request.ts';

/** Counts a request that has ended. @param model a name that a server lists, or `unknown`: never what a caller may write */
export function countEnd(request: LlmRequest, reason: EndReason, model: string, at: number): void {
  metrics.completions.inc({ model, outcome: reason });
  if (request.grant)
    metrics.operationSeconds.observe({ model, operation: operationOf(request.message) }, Math.max(0, at - request.arrivedAt) / 1000);
  const outcome = deadlineOutcome(request, reason, at);
  if (outcome) metrics.deadlines.inc({ urgency: request.urgency, outcome });
}

export const DEADLINE_OUTCOMES = ['met', 'dropped_infeasible', 'expired_waiting', 'cut_running', 'client_cancel'] as const;

/** Undefined when the end has nothing to do with the deadline. */
function deadlineOutcome({ deadline, state }: LlmRequest, reason: EndReason, at: number): (typeof DEADLINE_OUTCOMES)[number] | undefined {
  switch (reason) {
    case 'done':
      return at <= deadline ? 'met' : 'cut_running'; // the deadline's timer was late
    case 'late':
    case 'dropped':
      if (at < deadline) return 'dropped_infeasible';
      return state.phase === 'ended' && state.wasRunning ? 'cut_running' : 'expired_waiting';
    case 'cancelled':
      return 'client_cancel';
    case 'limited':
    case 'invalid':
    case 'failed':
      return undefined;
  }
}
