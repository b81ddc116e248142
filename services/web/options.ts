/** All times in milliseconds. */
export interface WebOptions {
  /** The address to listen on. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** What tokens are signed with, at least 32 characters; absent: a new one, and tokens end with the process. */
  readonly secret?: string | undefined;
  /** What tokens that are still about were signed with; they are verified, and nothing is signed with them. */
  readonly oldSecrets?: readonly string[] | undefined;
  /** What an administrator bears. */
  readonly adminToken?: string | undefined;
  /** Whether everybody may open tables, join them and watch as the audience; only on this machine's own address. */
  readonly isOpen: boolean;
  /** How long the other services are waited for, in milliseconds. */
  readonly busRequestMs: number;
  /** How long a token is good for; and one of an administrator. */
  readonly tokenMs: number;
  readonly adminTokenMs: number;
  /** How often it is looked for what other replicas have revoked. */
  readonly revocationPollMs: number;
  /** A comment on quiet streams this often. */
  readonly keepAliveMs: number;
  /** How often a stream looks although nothing rang. */
  readonly pollMs: number;
  /** How long a reader may take nothing before it is disconnected. */
  readonly slowReaderMs: number;
  /** How long requests in hand may take once the door closes. */
  readonly graceMs: number;
  readonly maxStreams: number;
  readonly maxStreamsPerToken: number;
  /** Requests of one token, per second and at once; administrators may ask as fast as they like. */
  readonly perToken: number;
  readonly tokenBurst: number;
  /** Requests without a good token of one address, per second and at once. */
  readonly perAddress: number;
  readonly addressBurst: number;
  /** How many proxies of one's own stand in front. Behind some, connections are not counted by address. */
  readonly proxies: number;
  readonly maxConnections: number;
  /**
   * Of these, how many one address may hold. A browser has six to one host at most, so the usual 512 are 85 people behind one router who
   * all use theirs up, and several hundred who do not; and an eighth of all, so that nobody keeps others out from fewer than eight networks.
   */
  readonly maxConnectionsPerClient: number;
  /** How long the head of a request, and all of it, may take to come. */
  readonly headersMs: number;
  readonly requestBodyMs: number;
  /** How long the refusal of a request waits for what is still to come of it, so that the answer is not cut off. */
  readonly drainMs: number;
  /** How long the head of a request may be. */
  readonly maxHeaderBytes: number;
}

export const defaultOptions: WebOptions = {
  host: '127.0.0.1',
  port: 0,
  isOpen: false,
  busRequestMs: 5_000,
  tokenMs: 7 * 86_400_000,
  adminTokenMs: 86_400_000,
  revocationPollMs: 2_000,
  keepAliveMs: 15_000,
  pollMs: 5_000,
  slowReaderMs: 10_000,
  graceMs: 5_000,
  maxStreams: 1_000,
  maxStreamsPerToken: 32,
  perToken: 50,
  tokenBurst: 200,
  perAddress: 20,
  addressBurst: 200,
  proxies: 0,
  maxConnections: 4_096,
  maxConnectionsPerClient: 512,
  headersMs: 10_000,
  requestBodyMs: 30_000,
  drainMs: 2_000,
  maxHeaderBytes: 16_384,
};
