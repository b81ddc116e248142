const DAY_MS = 86_400_000;

/** All times in milliseconds. */
export const defaultOptions = {
  host: '127.0.0.1',
  /** 0: any free port. */
  port: 0,
  /** Signs tokens; at least 32 characters. Absent: a random one, and tokens end with the process. */
  secret: undefined as string | undefined,
  /** Earlier secrets, which still verify tokens. */
  oldSecrets: undefined as readonly string[] | undefined,
  /** The token of the administrator. */
  adminToken: undefined as string | undefined,
  /** Whether everybody may open and operate tables, join, and watch as the audience; only on a loopback address. */
  isOpen: false,
  /** How long other services may take to reply. */
  busRequestMs: 5_000,
  /** The default life of tokens, and of those of administrators. */
  tokenMs: 7 * DAY_MS,
  adminTokenMs: DAY_MS,
  /** How often revocations of other replicas are read. */
  revocationPollMs: 2_000,
  /** How often the views of a table are read without a notification. */
  pollMs: 5_000,
  /** How long requests in flight may take when the service closes. */
  graceMs: 5_000,
  maxStreams: 1_000,
  /** Of these, how many one token of a seat or an administrator may hold. */
  maxStreamsPerToken: 32,
  /** Of these, how many one client network may hold with other tokens, which are links for many people, or without one. */
  maxStreamsPerClient: 512,
  /** How often the lobby sends changes at most. */
  lobbyEveryMs: 1_000,
  /** Requests with one token, per second and at once; administrators are not limited. */
  perToken: 50,
  tokenBurst: 200,
  /** Requests without a valid token from one client network, per second and at once. */
  perAddress: 20,
  addressBurst: 200,
  /** How many of your reverse proxies stand in front. Behind one, connections are not limited per client. */
  proxies: 0,
  maxConnections: 4_096,
  /**
   * Of these, how many one client network may hold. A browser opens at most six per host, so the default of 512 serves 85 browsers behind
   * one router. It is an eighth of all, so that it takes eight networks to keep others out.
   */
  maxConnectionsPerClient: 512,
  /** How long the headers, and the whole, of a request may take. */
  headersMs: 10_000,
  requestBodyMs: 30_000,
  maxHeaderBytes: 16_384,
  /** The folder of the console, which is served at `/`. Absent: none. */
  consoleDir: undefined as string | undefined,
  /** Under which name other machines of the network find the service, where that is known. */
  networkHost: undefined as string | undefined,
  /** How often a quiet stream sends a comment, so that proxies keep it open. */
  streamKeepAliveMs: 15_000,
  /** How long the reader of a stream may read nothing before it is disconnected. */
  slowReaderMs: 10_000,
};

export type WebOptions = Readonly<typeof defaultOptions>;
