import { DEFAULT_ADMIN_TOKEN_MS, DEFAULT_TOKEN_MS } from './auth/token-lifetime.ts';
import { DEFAULT_KEEP_ALIVE_MS, type StreamTimes } from './streams/event-stream.ts';

/** All times in milliseconds. */
export interface WebOptions extends StreamTimes {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Signs tokens; at least 32 characters. Absent: a random one, and tokens end with the process. */
  readonly secret?: string | undefined;
  /** Earlier secrets, which still verify tokens. */
  readonly oldSecrets?: readonly string[] | undefined;
  /** The token of the administrator. */
  readonly adminToken?: string | undefined;
  /** Whether everybody may open and operate tables, join, and watch as the audience; only on a loopback address. */
  readonly isOpen: boolean;
  /** How long other services may take to reply. */
  readonly busRequestMs: number;
  /** The default life of tokens, and of those of administrators. */
  readonly tokenMs: number;
  readonly adminTokenMs: number;
  /** How often revocations of other replicas are read. */
  readonly revocationPollMs: number;
  /** How often the views of a table are read without a notification. */
  readonly pollMs: number;
  /** How long requests in flight may take when the service closes. */
  readonly graceMs: number;
  readonly maxStreams: number;
  /** Of these, how many one token of a seat or an administrator may hold. */
  readonly maxStreamsPerToken: number;
  /** Of these, how many one client network may hold with other tokens, which are links for many people, or without one. */
  readonly maxStreamsPerClient: number;
  /** How often the lobby sends changes at most. */
  readonly lobbyEveryMs: number;
  /** Requests with one token, per second and at once; administrators are not limited. */
  readonly perToken: number;
  readonly tokenBurst: number;
  /** Requests without a valid token from one client network, per second and at once. */
  readonly perAddress: number;
  readonly addressBurst: number;
  /** How many of your reverse proxies stand in front. Behind one, connections are not limited per client. */
  readonly proxies: number;
  readonly maxConnections: number;
  /**
   * Of these, how many one client network may hold. A browser opens at most six per host, so the default of 512 serves 85 browsers behind
   * one router. It is an eighth of all, so that it takes eight networks to keep others out.
   */
  readonly maxConnectionsPerClient: number;
  /** How long the headers, and the whole, of a request may take. */
  readonly headersMs: number;
  readonly requestBodyMs: number;
  readonly maxHeaderBytes: number;
  /** The folder of the console, which is served at `/`. Absent: none. */
  readonly consoleDir?: string | undefined;
  /** Under which name other machines of the network find the service, where that is known. */
  readonly networkHost?: string | undefined;
}

export const defaultOptions: WebOptions = {
  host: '127.0.0.1',
  port: 0,
  isOpen: false,
  busRequestMs: 5_000,
  tokenMs: DEFAULT_TOKEN_MS,
  adminTokenMs: DEFAULT_ADMIN_TOKEN_MS,
  revocationPollMs: 2_000,
  streamKeepAliveMs: DEFAULT_KEEP_ALIVE_MS,
  pollMs: 5_000,
  slowReaderMs: 10_000,
  graceMs: 5_000,
  maxStreams: 1_000,
  maxStreamsPerToken: 32,
  maxStreamsPerClient: 512,
  lobbyEveryMs: 1_000,
  perToken: 50,
  tokenBurst: 200,
  perAddress: 20,
  addressBurst: 200,
  proxies: 0,
  maxConnections: 4_096,
  maxConnectionsPerClient: 512,
  headersMs: 10_000,
  requestBodyMs: 30_000,
  maxHeaderBytes: 16_384,
};
