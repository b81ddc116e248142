/** Where a model server is. */
export interface ServerAddress {
  /** Scheme, host and port, and a path where there is one; without credentials and without a slash at the end. */
  readonly url: string;
  /** How it is called in answers, logs and metrics: `127.0.0.1:11434`. */
  readonly name: string;
  /** The value of an Authorization header, when the address held a user and a password. */
  readonly authorization: string | undefined;
}

const OLLAMA_PORT = '11434';
const PORTS: { readonly [scheme: string]: string } = { http: '80', https: '443' };

/**
 * Reads an address in any form that Ollama takes in OLLAMA_HOST: `host`, `host:port`, `:port`, `0.0.0.0`, `::1`, `http://host/path`.
 * Without a scheme the port is 11434, with one it is that of the scheme. An address to listen at (`0.0.0.0`) means this machine.
 * @throws Error that says what is wrong
 */
export function parseAddress(text: string): ServerAddress {
  const given = text.trim().replace(/^(["'])(.*)\1$/, '$2');
  const [, scheme = 'http', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(given) ?? [];
  const defaultPort = given.includes('://') ? PORTS[scheme.toLowerCase()] : OLLAMA_PORT;
  if (!defaultPort) throw new Error(`"${withoutCredentials(given)}": a model server is reached by http or https, not ${scheme}`);
  const [, login, host = '', path = ''] = /^(?:([^/]*)@)?([^/]*)(.*)$/s.exec(rest) ?? [];
  const url = URL.parse(`${scheme}://${hostOf(host, defaultPort)}${path}`);
  if (!url?.hostname || url.search || url.hash || /\s/.test(given))
    throw new Error(`"${withoutCredentials(given)}" is no address of a model server: write http://host:11434`);
  const [user = '', password = ''] = login === undefined ? [] : [login.split(':', 1)[0]!, login.slice(login.indexOf(':') + 1)];
  const where = `${url.hostname}:${url.port || PORTS[url.protocol.slice(0, -1)]!}${url.pathname.replace(/\/+$/, '').replace(/\/{2,}/g, '/')}`;
  return {
    url: `${url.protocol}//${where}`,
    name: where,
    authorization:
      login === undefined
        ? undefined
        : `Basic ${Buffer.from(`${decodeURIComponent(user)}:${decodeURIComponent(password)}`).toString('base64')}`,
  };
}

/** Host and port with what is left out filled in. */
function hostOf(host: string, defaultPort: string): string {
  if (/^[\da-f]*:[\da-f:.]*:[\da-f:.]*$/i.test(host)) return hostOf(`[${host}]`, defaultPort);
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(host) ?? [undefined, host];
  return `${ANYWHERE[name] ?? name}:${port || defaultPort}`;
}

const ANYWHERE: { readonly [host: string]: string } = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

/** Credentials never leave. */
export const withoutCredentials = (given: string): string => given.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1').slice(0, 200);
