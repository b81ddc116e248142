import { metrics } from '@maw/telemetry/metrics.ts';
import type { Ended } from '../dispatch.ts';
import { type Job, operationOf } from '../../request.ts';

/** A request has ended: what `/metrics` says of it as a whole. @param model a name the servers have, or `unknown`: never what a caller may write */
export function countEnd(job: Job, ended: Ended, model: string, at: number): void {
  metrics.completions.inc({ model, outcome: ended });
  if (job.isLetIn) metrics.operationSeconds.observe({ model, operation: operationOf(job.message) }, Math.max(0, at - job.arrived) / 1000);
  const outcome = deadlineOutcome(job, ended, at);
  if (outcome) metrics.deadlines.inc({ urgency: job.urgency, outcome });
}

/** Undefined when its end has nothing to do with its deadline: it was refused because of a limit, or has failed. */
function deadlineOutcome(job: Job, ended: Ended, at: number): string | undefined {
  switch (ended) {
    case 'done':
      return at <= job.deadline ? 'met' : 'cut_running'; // a timer may be late, and what it would have cut came first
    case 'late':
    case 'dropped':
      if (at < job.deadline) return 'dropped_infeasible';
      return job.isRunning ? 'cut_running' : 'expired_waiting';
    case 'cancelled':
      return 'client_cancel';
    case 'limited':
    case 'invalid':
    case 'failed':
      return undefined;
  }
}
