import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The API of the cluster in which this process runs, for one namespace. */
export interface KubernetesApi {
  /** Undefined when there is no such object. */
  get(path: string): Promise<unknown>;
  create(path: string, body: object): Promise<void>;
  /** No error when it is gone already. */
  remove(path: string): Promise<void>;
}

interface KubernetesApiOptions {
  /** `https://10.0.0.1:443`; its certificate is trusted by NODE_EXTRA_CA_CERTS. */
  readonly url: string;
  /** The file with the token of the service account, which is replaced from time to time. */
  readonly tokenFile: string;
}

/** How long a request may take, in milliseconds. */
const REQUEST_MS = 30_000;

const status = z.object({ message: z.string() });

/** @throws Error from each call with what the API says, and the verb and the path that it refuses */
export function kubernetesApi({ url, tokenFile }: KubernetesApiOptions): KubernetesApi {
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> => {
    const token = (await readFile(tokenFile, 'utf8')).trim();
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(url + path, {
      method,
      headers,
      signal: AbortSignal.timeout(REQUEST_MS),
      ...(body && { body: JSON.stringify(body) }),
    }).catch((cause: Error) => {
      throw new Error(`Kubernetes does not answer at ${url}: ${(cause.cause as Error | undefined)?.message ?? cause.message}`, { cause });
    });
    const text = await response.text();
    if (response.status === 404 && method !== 'POST') return undefined;
    if (!response.ok) throw new Error(`Kubernetes refuses ${method} ${path} with status ${response.status}: ${messageIn(text)}`);
    return JSON.parse(text) as unknown;
  };
  return {
    get: (path) => ask('GET', path),
    create: async (path, body) => void (await ask('POST', path, body)),
    remove: async (path) => void (await ask('DELETE', path)),
  };
}

function messageIn(text: string): string {
  try {
    return status.parse(JSON.parse(text)).message;
  } catch {
    return text.slice(0, 300);
  }
}
