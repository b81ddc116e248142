import { setTimeout as after } from 'node:timers/promises';
import type { Fault } from './fault-schedule.ts';
import type { RestartableServer } from '../servers/restartable-server.ts';
import { signal, type SupervisedSystem } from './supervised-system.ts';

export interface Targets {
  readonly town: SupervisedSystem;
  readonly broker: RestartableServer;
  readonly database: RestartableServer;
}

/** Does one fault to a town, from its beginning to its end. When aborted, it ends at once, and what is gone stays gone. */
export async function injectFault({ town, broker, database }: Targets, fault: Fault, abort: AbortSignal): Promise<void> {
  const lasts = () => after(fault.ms, undefined, { signal: abort }).catch(() => undefined);
  switch (fault.kind) {
    case 'kill':
      return signal(town.processes.get(fault.process)!, 'SIGKILL');
    case 'end':
      return signal(town.processes.get(fault.process)!, 'SIGTERM');
    case 'stop': {
      const stopped = town.processes.get(fault.process)!;
      const pid = stopped.pid();
      if (pid === undefined) return;
      process.kill(pid, 'SIGSTOP');
      await lasts();
      if (stopped.pid() === pid) process.kill(pid, 'SIGCONT'); // unless another fault has ended it meanwhile
      return;
    }
    case 'cut':
      return town.ways.get(fault.way)!.cut(fault.roll);
    case 'cut-all':
    case 'slow':
    case 'half-close':
    case 'stall': {
      const way = town.ways.get(fault.way)!;
      if (fault.kind === 'cut-all') way.block();
      else if (fault.kind === 'slow') way.slow(50 + fault.roll);
      else if (fault.kind === 'stall') way.stall(fault.roll);
      else way.halfClose(fault.roll, fault.roll % 2 ? 'server' : 'client');
      await lasts();
      return way.mend();
    }
    case 'broker':
    case 'database': {
      const server = fault.kind === 'broker' ? broker : database;
      await server.end(fault.how);
      await lasts();
      if (abort.aborted) return;
      await server.start();
      return town.moved();
    }
    case 'models':
      await town.loseModels();
      await lasts();
      return abort.aborted ? undefined : town.findModels();
  }
}
