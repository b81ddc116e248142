import { setTimeout as after } from 'node:timers/promises';
import type { CliConfig } from '../config.ts';
import { type WebClient, ApiError } from '../clients/web-client.ts';
import { connectToWeb, type ConnectOptions } from '../connect.ts';
import { play } from './play.ts';

export interface DemoOptions extends ConnectOptions {
  readonly rules: string;
  readonly seconds: number;
}

const LOOK_EVERY_MS = 1_000;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * `maw demo`: waits until a system can play, opens a table unless one is being played, and shows it. So a restart goes on watching the
 * same table. Does nothing where MAW_DEMO is 0. Returns the exit code.
 */
export async function demo(options: DemoOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  if (!config.isDemo) {
    say('MAW_DEMO is 0: no table is opened.');
    return 0;
  }
  const { door, close } = await connectToWeb(options, config);
  try {
    let said = '';
    while (!signal.aborted) {
      try {
        const table = await tableBeingPlayed(door);
        return await play(
          { ...options, at: door.at, rounds: 1, minds: [], option: {}, json: false, ...(table === undefined ? {} : { table }) },
          config,
          signal,
        );
      } catch (error) {
        const why = passing(error);
        if (why !== said) say(`Not yet: ${why}.`);
        said = why;
        await after(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    return 130;
  } finally {
    await close();
  }
}

/** @throws Refused while models cannot be asked */
async function tableBeingPlayed(door: WebClient): Promise<string | undefined> {
  const { default: model } = await door.models();
  if (model === undefined) throw new ApiError(503, 'no-model', 'no model is there');
  return (await door.tables()).find(({ stage }) => stage !== 'over')?.table;
}

/** Why it cannot play yet. @throws whatever does not pass by waiting */
function passing(error: unknown): string {
  const mayPass = error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
  if (mayPass) return error.message;
  throw error;
}
