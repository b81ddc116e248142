import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, OutageFault } from './faults.ts';
import { setDiskFull } from './full-disk.ts';
import type { RestartableServer } from '../servers/restartable-server.ts';
import { signal, type SupervisedSystem } from './supervised-system.ts';

export interface Targets {
  readonly system: SupervisedSystem;
  readonly broker: RestartableServer;
  readonly database: RestartableServer;
}

/**
 * Injects one fault and resolves at its end. An abort ends it at once, without starting again what was stopped.
 * @param onGone called once a server or all players are gone, or the disk is full
 */
export async function injectFault(targets: Targets, fault: Fault, abort: AbortSignal, onGone: () => void): Promise<void> {
  const { system } = targets;
  const lasts = () => sleep(fault.ms, undefined, { signal: abort }).catch(() => undefined);
  switch (fault.kind) {
    case 'kill':
      return signal(system.processes.get(fault.process)!, 'SIGKILL');
    case 'end':
      return signal(system.processes.get(fault.process)!, 'SIGTERM');
    case 'stop': {
      const stopped = system.processes.get(fault.process)!;
      const pid = stopped.pid();
      if (pid === undefined) return;
      process.kill(pid, 'SIGSTOP');
      await lasts();
      if (stopped.pid() === pid) process.kill(pid, 'SIGCONT'); // unless it has died meanwhile
      return;
    }
    case 'clock':
      await system.setClock(fault.process, fault.aheadMs);
      await lasts();
      return system.setClock(fault.process, 0);
    case 'cut':
      return system.proxies.get(fault.proxy)!.cut(fault.roll);
    case 'cut-all':
    case 'slow':
    case 'half-close':
    case 'stall': {
      const proxy = system.proxies.get(fault.proxy)!;
      if (fault.kind === 'cut-all') proxy.block();
      else if (fault.kind === 'slow') proxy.slow(50 + fault.roll);
      else if (fault.kind === 'stall') proxy.stall(fault.roll);
      else proxy.halfClose(fault.roll, fault.roll % 2 ? 'server' : 'client');
      await lasts();
      return proxy.mend();
    }
    case 'broker':
    case 'database':
    case 'players':
    case 'disk':
    case 'models':
      return injectOutage(targets, fault, { abort, lasts, onGone });
  }
}

interface Course {
  readonly abort: AbortSignal;
  lasts(): Promise<void>;
  onGone(): void;
}

/** Takes away what every table needs. */
async function injectOutage(targets: Targets, fault: OutageFault, { abort, lasts, onGone }: Course): Promise<void> {
  const { system, broker, database } = targets;
  switch (fault.kind) {
    case 'broker':
    case 'database': {
      const server = fault.kind === 'broker' ? broker : database;
      await server.end(fault.how);
      onGone();
      await lasts();
      if (abort.aborted) return;
      await server.start();
      return system.retarget();
    }
    case 'players': {
      const proxy = system.proxies.get('player to broker')!;
      proxy.block();
      onGone();
      await lasts();
      return proxy.mend();
    }
    case 'disk':
      await setDiskFull(database.url, true, abort);
      onGone();
      await lasts();
      return abort.aborted ? undefined : setDiskFull(database.url, false, abort);
    case 'models':
      await system.killModels();
      await lasts();
      return abort.aborted ? undefined : system.startModels();
  }
}
