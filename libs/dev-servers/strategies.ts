import { type AskToInstall, installWithApt } from './local/apt.ts';
import type { DevServersConfig } from './config.ts';
import type { ServerKind } from './server-kind.ts';
import type { Log, Strategy } from './strategy.ts';

/**
 * What may be used. `dataFolder`: keeps the data over restarts; without it the data is temporary. Both permissions default to yes; `mayInstall` is
 * asked before each installation.
 */
export interface StrategyOptions {
  readonly dataFolder?: string;
  readonly allowDocker?: boolean;
  readonly allowInstall?: boolean;
  readonly mayInstall?: AskToInstall;
}

/** The strategies for a server, in order. A configured address is the only one: any other server would be a surprise. */
export function strategiesFor(
  kind: ServerKind,
  config: DevServersConfig,
  options: StrategyOptions,
  log: Log,
  install = installWithApt,
): readonly Strategy[] {
  const url = kind.configuredUrl(config);
  if (url) return [{ name: kind.variable, start: () => kind.useUrl(url, config) }];
  const installed = () => kind.startInstalled(config, options.dataFolder, log);
  const strategies: Strategy[] = [{ name: 'installed here', start: installed }];
  if (options.allowDocker !== false)
    strategies.unshift({ name: 'Docker', start: () => kind.startInDocker(config, options.dataFolder, log) });
  if (options.allowInstall !== false) {
    strategies.push({
      name: 'apt',
      start: async () => {
        await install(kind.debianPackage, log, options.mayInstall);
        return installed();
      },
    });
  }
  return strategies;
}
