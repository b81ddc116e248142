import { fuzzHttp } from '@maw/tests/equipment/web/http-fuzz.ts';
import { benchmark } from '../benchmark.ts';
import { integer } from '../options.ts';

/** Holds the HTTP API to its document. */
export const httpFuzz = benchmark({
  name: 'http-fuzz',
  description: 'sends requests that are generated from the OpenAPI document, and holds every answer to it',
  options: {
    requests: integer('how many are sent', { fallback: 10_000 }),
    seed: integer('the same seed sends the same requests', { fallback: 1, min: 0, max: 2 ** 31 - 1 }),
  },
  async measure({ requests, seed }) {
    const began = performance.now();
    const result = await fuzzHttp({ requests, seed });
    const seconds = Math.round((performance.now() - began) / 1000);
    const rows = Object.entries(result.statuses).map(([status, count]) => `| ${status} | ${count} |`);
    return {
      text: `${requests} requests to ${result.operations} addresses in ${seconds} s, seed ${seed}: every answer is in the document.\n\n| status | answers |\n| --- | ---: |\n${rows.join('\n')}`,
      json: [{ seed, seconds, ...result }],
    };
  },
});
