import { describe, expect, it } from '@jest/globals';
import { readDevServersConfig } from './config.ts';
import type { ServerKind } from './server-kind.ts';
import { type DevServer, startFirstAvailable, Unavailable } from './strategy.ts';
import { type StrategyOptions, strategiesFor } from './strategies.ts';

const found = (what: string): DevServer => ({ url: `x://${what}`, describe: what, close: async () => undefined });

/** A machine that has what it is said to have, and remembers what was tried. */
function machine(has: { readonly docker?: boolean; readonly installed?: boolean; readonly apt?: boolean; readonly given?: string }) {
  const tried: string[] = [];
  const said: string[] = [];
  let installed = has.installed ?? false;
  const kind: ServerKind = {
    name: 'Server',
    variable: 'SERVER_URL',
    debian: 'server',
    given: () => has.given,
    at: async (url) => {
      tried.push(url);
      if (url === 'x://dead') throw new Error('refused');
      return found('given');
    },
    inDocker: async () => {
      tried.push('docker');
      if (!has.docker) throw new Unavailable('no engine answers');
      return found('docker');
    },
    installed: async (_, keep) => {
      tried.push('installed');
      if (!installed) throw new Unavailable('there is no server');
      return found(keep ? `installed on ${keep}` : 'installed');
    },
  };
  const install = async (name: string) => {
    tried.push(`apt ${name}`);
    if (!has.apt) throw new Unavailable('we are not root');
    installed = true;
  };
  const open = (bounds: StrategyOptions = {}) =>
    startFirstAvailable(
      strategiesFor(kind, readDevServersConfig({}), bounds, () => undefined, install),
      (line) => said.push(line),
    );
  return { open, tried, said };
}

describe('a server', () => {
  it('is the one that is given, before all others', async () => {
    const { open, tried } = machine({ given: 'x://there', docker: true, installed: true });
    expect((await open()).found?.describe).toBe('given');
    expect(tried).toEqual(['x://there']);
  });

  it('is not another than the one that is given, even when that one is dead', async () => {
    const { open, tried, said } = machine({ given: 'x://dead', docker: true, installed: true });
    expect(await open()).toEqual({ reasons: ['SERVER_URL: refused'] });
    expect(tried).toEqual(['x://dead']);
    expect(said).toEqual(['SERVER_URL: refused']);
  });

  it('is rather in Docker than installed here', async () => {
    expect((await machine({ docker: true, installed: true }).open()).found?.describe).toBe('docker');
    expect((await machine({ docker: true, installed: true }).open({ docker: false })).found?.describe).toBe('installed');
  });

  it('is rather installed here than newly installed', async () => {
    const { open, tried } = machine({ installed: true, apt: true });
    expect((await open({ keep: 'folder' })).found?.describe).toBe('installed on folder');
    expect(tried).toEqual(['docker', 'installed']);
  });

  it('is installed when there is no other way, and only when that is allowed', async () => {
    const willing = machine({ apt: true });
    expect((await willing.open()).found?.describe).toBe('installed');
    expect(willing.tried).toEqual(['docker', 'installed', 'apt server', 'installed']);
    expect((await machine({ apt: true }).open({ install: false })).found).toBeUndefined();
  });

  it('is missing with the reason of every way, and it is not said aloud what is merely not there', async () => {
    const { open, said } = machine({});
    expect(await open()).toEqual({
      reasons: ['Docker: no engine answers', 'installed here: there is no server', 'apt: we are not root'],
    });
    expect(said).toEqual([]);
  });
});
