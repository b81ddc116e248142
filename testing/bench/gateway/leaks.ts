import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Figure } from '../figures.ts';
import { stressGateway, type StressResult } from './stress.ts';
import type { BenchOptions } from '../main.ts';

const REQUESTS = 10_000;

/**
 * Ten thousand requests in a storm, and what a gateway has left of it.
 * @throws Error that names everything that was left, was lost or was answered in two ways
 */
export async function gatewayLeaks({ runs, signal, say }: BenchOptions): Promise<readonly Figure[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  await stressGateway({ requests: REQUESTS / 20, seed: 'warm', signal }); // what every process keeps for good
  const storms: StressResult[] = [];
  const grown: number[] = [];
  for (let run = 0; run < runs && !signal.aborted; run++) {
    const before = heap();
    const came = await stressGateway({ requests: REQUESTS, seed: `run ${run}`, signal });
    grown.push(heap() - before);
    storms.push(came);
    say(
      `run ${run + 1}: ${Object.entries(came.heard)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')}`,
    );
    if (came.wrong.length) throw new Error(`run ${run + 1} of the storm left this:\n${came.wrong.slice(0, 20).join('\n')}`);
  }
  const of = (what: string, unit: string, value: (one: StressResult) => number): Figure => ({ what, unit, runs: storms.map(value) });
  return [
    of('requests heard of, once each', '', ({ heard }) => Object.values(heard).reduce((sum, count) => sum + count, 0)),
    of('of them answered by a model', '', ({ heard }) => heard['done'] ?? 0),
    of('calls given up, at the prompt or at the answer', '', ({ closes }) => closes.prefill + closes.streaming),
    of('most in hand at once', '', ({ most }) => most),
    of('slots, timers, counts left afterwards', '', ({ wrong }) => wrong.length),
    of('ends of completions remembered', '', ({ remembered }) => remembered.outcomes),
    of('games and agents remembered', '', ({ remembered: { accounts, warm, agents, budgets } }) => accounts + warm + agents + budgets),
    { what: 'heap grown, once the gateway is closed', unit: 'MiB', runs: grown },
    of('time', 's', ({ ms }) => ms / 1000),
  ];
}
