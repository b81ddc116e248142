import { readFile } from 'node:fs/promises';
import { keyOf } from '@maw/contracts/model-name.ts';
import { costOf } from '@maw/lab/contests/cost.ts';
import { type Prices, pricesShape } from '@maw/lab/contests/definition.ts';
import { type SeatThought, usageOf } from '@maw/lab/contests/thought-usage.ts';
import { allDecisions } from '@maw/lab/thoughts/read-thoughts.ts';
import { parseYaml } from '@maw/recipes/yaml-file.ts';
import type { WebClient } from '../clients/web-client.ts';

/** Reads a file of prices, in YAML, by model: `m1: { prompt: 0.15, completion: 0.6 }`. @throws Error with what is wrong in it */
export async function readPrices(file: string): Promise<Prices> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`--prices: ${file} cannot be read: ${cause.code}`, { cause });
  });
  return parseYaml(file, text, pricesShape).value;
}

/**
 * What the models of a table have used, a line for each: calls, tokens and, where there are prices, money. A cost that nobody knows is said to be
 * unknown, never nothing.
 */
export async function spendingOf(web: WebClient, table: string, prices: Prices | undefined): Promise<readonly string[]> {
  const thoughts: SeatThought[] = [];
  for await (const { steps } of allDecisions(web, table)) for await (const { content } of steps) thoughts.push({ seat: 0, content });
  const priced = new Set(Object.keys(prices ?? {}).map(keyOf));
  return usageOf(thoughts, ['']).map((usage) => {
    const { model, calls, prompt, completion } = usage;
    const known = prices && (priced.has(keyOf(model)) ? costOf({ prices }, [usage]).toFixed(4) : 'not known');
    return `${model}: ${calls} calls, ${prompt} tokens read, ${completion} written${known ? `, cost ${known}` : ''}.`;
  });
}
