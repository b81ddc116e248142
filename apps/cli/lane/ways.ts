import { installWithApt } from './apt.ts';
import type { LaneConfig } from './config.ts';
import type { Kind, Say } from './kind.ts';
import type { Way } from './way.ts';

/** Which ways may be gone, and where data is kept. */
export interface Bounds {
  readonly keep?: string;
  readonly docker?: boolean;
  readonly install?: boolean;
}

/** The ways to a server, in their order. One whose address is given is that one or none: another would be a surprise. */
export function waysTo(kind: Kind, config: LaneConfig, bounds: Bounds, say: Say, install = installWithApt): readonly Way[] {
  const url = kind.given(config);
  if (url) return [{ name: kind.variable, open: () => kind.at(url) }];
  const installed = () => kind.installed(config, bounds.keep, say);
  const ways: Way[] = [{ name: 'installed here', open: installed }];
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
