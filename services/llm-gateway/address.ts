/** The address of a model server. */
export interface ServerAddress {
  /** Scheme, host, port, and a path where there is one; without credentials and without a trailing slash. */
  readonly url: string;
  /** The server's name in answers, logs and metrics: `127.0.0.1:11434`. */
  readonly name: string;
  /** An Authorization header, when the address has a user and a password. */
  readonly authorization: string | undefined;
}

const OLLAMA_PORT = '11434';
const DEFAULT_PORTS: { readonly [scheme: string]: string } = { http: '80', https: '443' };
/** Addresses to listen on mean this machine. */
const LOCAL_HOSTS: { readonly [host: string]: string } = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

/**
 * Reads an address in every form of OLLAMA_HOST: `host`, `host:port`, `:port`, `0.0.0.0`, `::1`, `http://host/path`. Without a scheme the port is
 * 11434, with one it is that of the scheme.
 * @throws Error that says what is wrong, without credentials
 */
export function parseAddress(text: string): ServerAddress {
  const given = text.trim().replace(/^(["'])(.*)\1$/, '$2');
  const [, scheme = 'http', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(given) ?? [];
  const defaultPort = given.includes('://') ? DEFAULT_PORTS[scheme.toLowerCase()] : OLLAMA_PORT;
  if (!defaultPort) throw new Error(`"${withoutCredentials(given)}": a model server is reached by http or https, not ${scheme}`);
  const [, login, host = '', path = ''] = /^(?:([^/]*)@)?([^/]*)(.*)$/s.exec(rest) ?? [];
  const url = URL.parse(`${scheme}://${hostWithPort(host, defaultPort)}${path}`);
  if (!url?.hostname || url.search || url.hash || /\s/.test(given))
    throw new Error(`"${withoutCredentials(given)}" is no address of a model server: write http://host:11434`);
  const port = url.port || DEFAULT_PORTS[url.protocol.slice(0, -1)]!;
  const name = `${url.hostname}:${port}${url.pathname.replace(/\/+$/, '').replace(/\/{2,}/g, '/')}`;
  return { url: `${url.protocol}//${name}`, name, authorization: login === undefined ? undefined : basicAuthorization(login) };
}

function basicAuthorization(login: string): string {
  const [user, password] = [login.split(':', 1)[0]!, login.slice(login.indexOf(':') + 1)].map(decodeURIComponent);
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function hostWithPort(host: string, defaultPort: string): string {
  if (/^[\da-f]*:[\da-f:.]*:[\da-f:.]*$/i.test(host)) return hostWithPort(`[${host}]`, defaultPort);
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(host) ?? [undefined, host];
  return `${LOCAL_HOSTS[name] ?? name}:${port || defaultPort}`;
}

export const withoutCredentials = (address: string): string => address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1').slice(0, 200);
