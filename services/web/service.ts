import { randomBytes } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import { problemDocument } from '@maw/http/problem.ts';
import { type ConnectionRejection, type HttpServer, startHttpServer } from '@maw/http/server.ts';
import { isLoopback } from '@maw/service/loopback.ts';
import { memoryAuditLog } from '@maw/store/memory/audit-log.ts';
import { memoryTokens } from '@maw/store/memory/tokens.ts';
import type { AuditLog } from '@maw/store/ports/audit-log.ts';
import type { Tokens } from '@maw/store/ports/tokens.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { createApp } from './app.ts';
import { auditTrail } from './audit/audit-trail.ts';
import { showRestoreTests } from './audit/restore-tests.ts';
import { authenticator } from './auth/authenticate.ts';
import { linkCodes } from './auth/link-codes.ts';
import { watchRevocations } from './auth/revocations.ts';
import { tokenIssuer } from './auth/token-issuer.ts';
import { tokenSigner } from './auth/token.ts';
import { busClient } from './bus-client.ts';
import { defaultOptions, type WebOptions } from './defaults.ts';
import type { Code } from '@maw/contracts/http/reasons.ts';
import { Problem } from './problem.ts';
import { loadStaticFiles } from './pages/static-files.ts';
import { requestLimits } from './request-limits.ts';
import { allRoutes } from './routes/all-routes.ts';
import { createLobby } from './streams/lobby.ts';
import { streamQuota } from './streams/stream-quota.ts';
import { watchTableChanges } from './streams/table-changes.ts';
import { pageReader } from './streams/view-pages.ts';

interface Web {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** A warning for readiness: the database does not answer. */
  remark(): string | undefined;
  /** Ends the streams, finishes requests in flight within the grace time, and stops listening. Idempotent. */
  close(): Promise<void>;
}

interface WebDeps {
  readonly bus: Bus;
  readonly now: () => number;
  readonly log: Log;
  /** Where tokens and revocations are stored. Default: in memory, known to this process only. */
  readonly tokens?: Tokens;
  /** Where the audit log is stored. Default: in memory. */
  readonly audit?: AuditLog;
  readonly options?: Partial<WebOptions>;
}

/**
 * The HTTP API for people and scripts: requests and server-sent events in front of the bus. It keeps no state of its own.
 * @throws RangeError when it would be open on a public address or a secret is too short; Error when the console cannot be read; what reading
 * the revocations throws
 */
export async function web({ bus, now, log, tokens = memoryTokens(), audit = memoryAuditLog(), options: given }: WebDeps): Promise<Web> {
  const options = { ...defaultOptions, ...given };
  const { isOpen, adminToken } = options;
  if (isOpen && !isLoopback(options.host))
    throw new RangeError(`open to everybody on ${options.host}: listen on 127.0.0.1, or issue tokens instead`);
  const console = options.consoleDir === undefined ? undefined : await loadStaticFiles(options.consoleDir);
  const secrets = secretsOf(options);
  const signer = tokenSigner({ ...secrets, now });
  const ask = busClient({ bus, now, requestMs: options.busRequestMs });
  const revocations = await watchRevocations({ tokens, log, now, everyMs: options.revocationPollMs });
  const changes = await watchTableChanges(bus, options.pollMs);
  const { isRevoked } = revocations;
  const { maxStreams: max, maxStreamsPerToken: maxPerToken, maxStreamsPerClient: maxPerClient } = options;
  const quota = streamQuota({ max, maxPerToken, maxPerClient, isRevoked });
  const lobby = createLobby({ ...options, ask, changes, now });
  revocations.onAdded(quota.endRevoked);
  const trail = auditTrail({ audit, log, now });
  const hideRestoreTests = showRestoreTests(audit);
  const issuer = tokenIssuer({ ...options, tokens, signer, codes: linkCodes([secrets.secret, ...secrets.oldSecrets]), revocations, now });
  const app = createApp({
    ...options,
    routes: allRoutes({ ...options, ask, issuer, audit, readPage: pageReader(ask), changes, quota, lobby, now }),
    authenticate: authenticator({ tokens: signer, adminToken, isOpen, isRevoked }),
    limits: requestLimits(options, now),
    console,
    trail,
    log,
    now,
  });
  const closeParts = async (): Promise<void> => {
    await revocations.close();
    await trail.close();
    hideRestoreTests();
    lobby.close();
    await changes.close();
  };
  const server = await listen(app, options).catch(async (error: unknown) => {
    await closeParts();
    throw error;
  });
  const { url, port } = server;
  log.info({ url, isOpen }, 'HTTP server is listening');
  const close = async (): Promise<void> => {
    quota.close();
    await server.close(options.graceMs);
    await closeParts();
    log.info({ url }, 'HTTP server is closed');
  };
  let closing: Promise<void> | undefined;
  return {
    url,
    port,
    remark: () => [revocations.remark(), trail.remark()].filter((each) => each !== undefined).join('; ') || undefined,
    close: () => (closing ??= close()),
  };
}

/** @throws RangeError */
function secretsOf(options: WebOptions): { readonly secret: Buffer; readonly oldSecrets: readonly Buffer[] } {
  const [secret, ...oldSecrets] = [options.secret ?? randomBytes(32), ...(options.oldSecrets ?? [])].map((each) => Buffer.from(each));
  for (const { length } of [secret!, ...oldSecrets])
    if (length < 32) throw new RangeError(`the secret has ${length} bytes; HS256 needs 32 (RFC 7518, 3.2)`);
  return { secret: secret!, oldSecrets };
}

/** The reasons in metrics of connections that never became a request. */
const REJECTIONS: { readonly [R in ConnectionRejection]: Code | 'too-slow' } = {
  'too-many-connections': 'unavailable',
  'headers-too-large': 'too-large',
  'too-slow': 'too-slow',
  'unreadable': 'unreadable',
};
const TOO_MANY_CONNECTIONS = new Problem('unavailable', 'too many open connections: close some, or try again later');

const listen = (app: ReturnType<typeof createApp>, options: WebOptions): Promise<HttpServer> =>
  startHttpServer(app, {
    host: options.host,
    port: options.port,
    headersMs: options.headersMs,
    requestMs: options.requestBodyMs,
    maxHeaderBytes: options.maxHeaderBytes,
    maxConnections: options.maxConnections,
    // Behind a proxy all connections come from one address.
    maxConnectionsPerClient: options.proxies > 0 ? options.maxConnections : options.maxConnectionsPerClient,
    tooManyConnections: JSON.stringify(problemDocument(TOO_MANY_CONNECTIONS)),
    onConnections: (open) => metrics.connections.set({ service: 'web' }, open),
    onRejected: (reason) => metrics.refusals.inc({ service: 'web', reason: REJECTIONS[reason] }),
  });
