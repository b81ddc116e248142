import { installWithApt } from './local/apt.ts';
import type { DevServersConfig } from './config.ts';
import type { ServerKind, Log } from './server-kind.ts';
import type { Strategy } from './strategy.ts';

/** Which ways may be gone, and where data is kept. */
export interface StrategyOptions {
  readonly keep?: string;
  readonly docker?: boolean;
  readonly install?: boolean;
}

/** The ways to a server, in their order. One whose address is given is that one or none: another would be a surprise. */
export function strategiesFor(
  kind: ServerKind,
  config: DevServersConfig,
  bounds: StrategyOptions,
  say: Log,
  install = installWithApt,
): readonly Strategy[] {
  const url = kind.given(config);
  if (url) return [{ name: kind.variable, open: () => kind.at(url, config) }];
  const installed = () => kind.installed(config, bounds.keep, say);
  const ways: Strategy[] = [{ name: 'installed here', open: installed }];
  if (bounds.docker !== false) ways.unshift({ name: 'Docker', open: () => kind.inDocker(config, bounds.keep, say) });
  if (bounds.install !== false) {
    ways.push({
      name: 'apt',
      open: async () => {
        await install(kind.debian, say);
        return installed();
      },
    });
  }
  return ways;
}
