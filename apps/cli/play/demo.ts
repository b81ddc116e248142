import { setTimeout as after } from 'node:timers/promises';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import type { CliConfig } from '../config.ts';
import type { WebClient } from '../clients/web-client.ts';
import { ApiProblem } from '@maw/api-client/problem.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { play } from './play.ts';
import { say } from '../output.ts';

interface DemoOptions extends ConnectOptions {
  readonly rules: string;
  readonly seconds: number;
}

const RETRY_MS = 1_000;

/**
 * `maw demo`: waits until a system can play, opens a table unless one is being played, and shows it; a restart shows the same table. Does nothing when
 * MAW_DEMO is 0. Returns the exit code.
 */
export async function demo(options: DemoOptions, config: CliConfig, signal: AbortSignal): Promise<number | void> {
  if (!config.isDemo) return say('MAW_DEMO is 0: no table is opened.');
  ruleSetNamed(options.rules);
  return withWeb(options, config, async (web) => {
    let lastReason = '';
    while (!signal.aborted) {
      try {
        await requireFetched(web);
        const table = (await web.tables()).find(({ stage }) => stage !== 'over')?.table;
        return await play(
          { ...options, at: web.at, rounds: 1, minds: [], agents: [], option: {}, json: false, ...(table === undefined ? {} : { table }) },
          config,
          signal,
        );
      } catch (error) {
        const why = reasonToWait(error);
        if (why !== lastReason) say(`Not yet: ${why}.`);
        lastReason = why;
        await after(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    return 130;
  });
}

/** @throws ApiProblem while a model server is up that has no model yet */
async function requireFetched(web: WebClient): Promise<void> {
  const { default: model, servers } = await web.api.get('/models', {});
  if (model === undefined && servers.some(({ isUp }) => isUp)) throw new ApiProblem(503, 'no-model', 'no model is there');
}

/** Why it cannot play yet. @throws the error when waiting does not help */
function reasonToWait(error: unknown): string {
  if (error instanceof ApiProblem && error.isTemporary) return error.detail;
  throw error;
}
