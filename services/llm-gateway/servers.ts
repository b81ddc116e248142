import type { Log } from '@maw/telemetry/log.ts';
import { keyOf } from './model-name.ts';
import type { GatewayOptions } from './options.ts';
import { type Server, server } from './server.ts';

/** The model servers there are. */
export interface Servers {
  readonly all: readonly Server[];
  /** The key of the model of those who name none; undefined while no server that is up can chat. */
  usual(): string | undefined;
  /** What there is, for people: `qwen3:8b on 127.0.0.1:11434; 10.0.0.2:11434 is down: ...` */
  report(): string;
  /** Asks all servers how they are. Never rejects. */
  check(): Promise<void>;
  /** Asks them again and again, and tells `seen` each time. */
  watch(seen: () => void): void;
  close(): Promise<void>;
}

const MOST_NAMED = 12;

/** Knows nothing before the first `check`. */
export function servers(options: GatewayOptions, log: Log): Servers {
  const all = options.servers.map((address) => server(address, options, log));
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const check = async (): Promise<void> => void (await Promise.all(all.map((one) => one.check())));

  return {
    all,
    usual() {
      if (options.model !== undefined) return keyOf(options.model);
      for (const { isUp, models } of all)
        if (isUp) for (const [key, { capabilities }] of models) if (capabilities?.includes('completion')) return key;
      return undefined;
    },
    report: () => all.map(inWords).join('; '),
    check,
    watch(seen) {
      // Each on its own: one that hangs must not keep the news of the others.
      const round = async (): Promise<void> => {
        const asked = all.map((one) => one.check().then(() => isClosed || seen()));
        await Promise.all(asked);
        if (!isClosed) timer = setTimeout(() => void round(), options.healthEveryMs);
      };
      timer = setTimeout(() => void round(), options.healthEveryMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all(all.map((one) => one.close()));
    },
  };
}

function inWords({ name, isUp, why, models }: Server): string {
  if (!isUp) return `${name} is down: ${why}`;
  const names = [...models.values()].map((model) => model.name);
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ') || 'no model'}${more} on ${name}`;
}
