import { describe, expect, it } from '@jest/globals';
import { readDevServersConfig } from './config.ts';
import type { ServerKind } from './server-kind.ts';
import { type DevServer, errorMessage, startFirstAvailable, Unavailable } from './strategy.ts';
import { type StrategyOptions, strategiesFor } from './strategies.ts';

const found = (what: string): DevServer => ({ url: `x://${what}`, describe: what, close: async () => undefined });

/** A machine with these ways to get a server; it records which were tried. */
function machine(has: { readonly docker?: boolean; readonly installed?: boolean; readonly apt?: boolean; readonly given?: string }) {
  const tried: string[] = [];
  const said: string[] = [];
  let installed = has.installed ?? false;
  const kind: ServerKind = {
    name: 'Server',
    variable: 'SERVER_URL',
    debianPackage: 'server',
    configuredUrl: () => has.given,
    useUrl: async (url) => {
      tried.push(url);
      if (url === 'x://dead') throw new Error('refused');
      return found('given');
    },
    startInDocker: async () => {
      tried.push('docker');
      if (!has.docker) throw new Unavailable('no engine answers');
      return found('docker');
    },
    startInstalled: async (_, keep) => {
      tried.push('installed');
      if (!installed) throw new Unavailable('there is no server');
      return found(keep ? `installed on ${keep}` : 'installed');
    },
  };
  const install = async (name: string, _: unknown, mayInstall?: (name: string) => Promise<boolean>) => {
    tried.push(`apt ${name}`);
    if (mayInstall && !(await mayInstall(name))) throw new Unavailable('was not allowed');
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

describe('strategiesFor', () => {
  it('prefers the configured server', async () => {
    const { open, tried } = machine({ given: 'x://there', docker: true, installed: true });
    expect((await open()).server?.describe).toBe('given');
    expect(tried).toEqual(['x://there']);
  });

  it('asks before it installs', async () => {
    const { open, tried } = machine({ apt: true });
    expect((await open({ mayInstall: async () => false })).failures.at(-1)).toBe('apt: was not allowed');
    expect((await open({ mayInstall: async (name) => name === 'server' })).server?.describe).toBe('installed');
    expect(tried.filter((one) => one.startsWith('apt'))).toEqual(['apt server', 'apt server']);
  });

  it('starts no other server when the configured one is down', async () => {
    const { open, tried, said } = machine({ given: 'x://dead', docker: true, installed: true });
    expect(await open()).toEqual({ failures: ['SERVER_URL: refused'] });
    expect(tried).toEqual(['x://dead']);
    expect(said).toEqual(['SERVER_URL: refused']);
  });

  it('prefers Docker to the programs on this machine', async () => {
    expect((await machine({ docker: true, installed: true }).open()).server?.describe).toBe('docker');
    expect((await machine({ docker: true, installed: true }).open({ allowDocker: false })).server?.describe).toBe('installed');
  });

  it('prefers the programs on this machine to installing', async () => {
    const { open, tried } = machine({ installed: true, apt: true });
    expect((await open({ dataFolder: 'folder' })).server?.describe).toBe('installed on folder');
    expect(tried).toEqual(['docker', 'installed']);
  });

  it('installs the server as a last resort, when that is allowed', async () => {
    const willing = machine({ apt: true });
    expect((await willing.open()).server?.describe).toBe('installed');
    expect(willing.tried).toEqual(['docker', 'installed', 'apt server', 'installed']);
    expect((await machine({ apt: true }).open({ allowInstall: false })).server).toBeUndefined();
  });

  it('reports why every strategy failed, and does not log unavailable ones', async () => {
    const { open, said } = machine({});
    expect(await open()).toEqual({
      failures: ['Docker: no engine answers', 'installed here: there is no server', 'apt: we are not root'],
    });
    expect(said).toEqual([]);
  });
});

describe('errorMessage', () => {
  it('joins the messages of an AggregateError without a message', () => {
    expect(errorMessage(new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1')]))).toBe(
      'refused by ::1, refused by 127.0.0.1',
    );
    expect(errorMessage('word')).toBe('word');
  });
});
