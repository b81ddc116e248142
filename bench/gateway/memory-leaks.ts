import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { figuresBenchmark } from '../benchmark.ts';
import type { Figure } from '../figures.ts';
import { stressGateway, type StressResult } from './stress.ts';

const REQUESTS = 10_000;
const MAX_SHOWN = 20;

/** Ten thousand requests under every fault, and the resources that the gateway holds afterwards. Throws when anything leaked or was lost. */
export const gatewayLeaks = figuresBenchmark(
  'gateway-leaks',
  'resources that a gateway holds after ten thousand requests under every fault',
  async ({ runs }, { signal, say }) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed / 2 ** 20;
    };
    await stressGateway({ requests: REQUESTS / 20, seed: 'warm', signal }); // what every process allocates once
    const results: StressResult[] = [];
    const grown: number[] = [];
    for (let run = 0; run < runs && !signal.aborted; run++) {
      const before = heap();
      const result = await stressGateway({ requests: REQUESTS, seed: `run ${run}`, signal });
      grown.push(heap() - before);
      results.push(result);
      const answers = Object.entries(result.heard).map(([what, count]) => `${count} ${what}`);
      say(`run ${run + 1}: ${answers.join(', ')}`);
      if (result.wrong.length) throw new Error(`run ${run + 1} left this:\n${result.wrong.slice(0, MAX_SHOWN).join('\n')}`);
    }
    return figuresOf(results, grown);
  },
);

function figuresOf(results: readonly StressResult[], grown: readonly number[]): readonly Figure[] {
  const of = (what: string, unit: string, value: (one: StressResult) => number): Figure => ({ what, unit, runs: results.map(value) });
  return [
    of('requests answered, once each', '', ({ heard }) => Object.values(heard).reduce((sum, count) => sum + count, 0)),
    of('of them answered by a model', '', ({ heard }) => heard['done'] ?? 0),
    of('calls cancelled, at the prompt or at the answer', '', ({ closes }) => closes.prefill + closes.streaming),
    of('most in flight at once', '', ({ most }) => most),
    of('slots, timers, counts left afterwards', '', ({ wrong }) => wrong.length),
    { what: 'heap growth, once the gateway is closed', unit: 'MiB', runs: grown },
    of('time', 's', ({ ms }) => ms / 1000),
  ];
}
