import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { serversUsed } from './server-usage.ts';

describe('what the servers have used', () => {
  let proc = '';
  beforeEach(() => void (proc = mkdtempSync(join(tmpdir(), 'maw-proc-'))));
  afterEach(() => rmSync(proc, { recursive: true }));

  /** As proc(5) has it: times in hundredths of a second, of itself and of children that have ended. */
  function add(pid: number, parent: number, name: string, times: readonly number[], memory?: { pss?: number; rss: number }): void {
    mkdirSync(join(proc, String(pid)));
    writeFileSync(join(proc, `${pid}/stat`), `${pid} (${name}) S ${parent} 1 1 0 -1 0 10 20 30 40 ${times.join(' ')} 20 0 1 0 5 6 7\n`);
    if (memory?.pss !== undefined)
      writeFileSync(join(proc, `${pid}/smaps_rollup`), `Rss: 9999999 kB\nPss:    ${memory.pss} kB\nPss_Anon: 1 kB\n`);
    if (memory) writeFileSync(join(proc, `${pid}/status`), `Name: x\nVmHWM: 77 kB\nVmRSS:   ${memory.rss} kB\n`);
  }

  it('is that of all their processes, and of those below them that have ended', async () => {
    add(10, 1, 'node', [5000, 5000, 0, 0]);
    add(20, 10, 'node) (guard', [900, 900, 0, 0]);
    add(30, 20, 'postgres', [100, 20, 3, 4], { pss: 2048, rss: 9 });
    add(31, 30, 'postgres', [200, 0, 0, 0], { pss: 1024, rss: 9 });
    add(40, 20, 'rabbitmq-server', [800, 0, 0, 0]);
    add(50, 40, 'beam.smp', [1000, 500, 0, 0], { rss: 4096 });
    add(51, 50, 'erl_child_setup', [1, 0, 0, 0], { rss: 1024 });
    expect(await serversUsed(10, proc)).toEqual({ broker: { cpu: 15.01, memory: 5 }, database: { cpu: 3.27, memory: 3 } });
  });

  it('is not that of servers that others have started', async () => {
    add(10, 1, 'node', [1, 1, 0, 0]);
    add(30, 1, 'postgres', [100, 20, 3, 4]);
    add(50, 11, 'beam.smp', [100, 20, 3, 4]);
    expect(await serversUsed(10, proc)).toEqual({ broker: undefined, database: undefined });
  });

  it('is unknown when the system does not report it', async () => {
    expect(await serversUsed(10, join(proc, 'none'))).toEqual({ broker: undefined, database: undefined });
  });
});
