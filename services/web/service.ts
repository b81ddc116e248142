import { randomBytes } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import { isLoopback } from '@maw/service/loopback.ts';
import type { AuditLog } from '@maw/store/ports/audit-log.ts';
import type { Tokens } from '@maw/store/ports/tokens.ts';
import { memoryAuditLog } from '@maw/store/memory/audit-log.ts';
import { memoryTokens } from '@maw/store/memory/tokens.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { createApp } from './app.ts';
import { busClient } from './bus-client.ts';
import { auditTrail } from './audit/audit-trail.ts';
import { authenticator } from './auth/authenticate.ts';
import { watchTableChanges } from './streams/table-changes.ts';
import { tokenIssuer as issuingOf } from './auth/token-issuer.ts';
import { listen } from './listen.ts';
import { defaultOptions, type WebOptions } from './options.ts';
import { streamQuota } from './streams/stream-quota.ts';
import { watchRevocations } from './auth/revocations.ts';
import { actRoutes } from './routes/acts.ts';
import { lookupRoutes } from './routes/lookups.ts';
import { tableRoutes } from './routes/tables.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { viewRoutes } from './routes/views.ts';
import { tokenSigner } from './auth/token.ts';
import { pageReader, sharedPageReader } from './streams/view-pages.ts';

export interface Web {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** What is not as it should be while it goes on all the same: the database is away. */
  remark(): string | undefined;
  /** Ends the streams, finishes the requests in hand within the grace time, stops listening. Twice does no harm. */
  close(): Promise<void>;
}

/**
 * The door for people and scripts: HTTP and server-sent events in front of the bus. Holds no state: whatever it knows it has asked.
 * @param ports.permits where tokens and what is revoked of them are kept; without it they are known in this process alone
 * @param ports.audit where it is kept what administrators do; the same without it
 * @throws RangeError when it would be open to more than this machine, or a secret is too short; whatever reading the revocations throws
 */
export async function web(ports: {
  bus: Bus;
  now: () => number;
  log: Log;
  permits?: Tokens;
  audit?: AuditLog;
  options?: Partial<WebOptions>;
}): Promise<Web> {
  const { bus, now, log, permits = memoryTokens(), audit = memoryAuditLog() } = ports;
  const options = { ...defaultOptions, ...ports.options };
  if (options.isOpen && !isLoopback(options.host))
    throw new RangeError(`open to everybody on ${options.host}: listen on 127.0.0.1, or give out tokens instead`);
  const [secret, ...oldSecrets] = [options.secret ?? randomBytes(32), ...(options.oldSecrets ?? [])].map((each) => Buffer.from(each));
  for (const { length } of [secret!, ...oldSecrets])
    if (length < 32) throw new RangeError(`the secret has ${length} bytes; HS256 needs 32 (RFC 7518, 3.2)`);

  const ask = busClient({ bus, now, requestMs: options.busRequestMs });
  const revocations = await watchRevocations({ permits, log, now, everyMs: options.revocationPollMs });
  const bells = await watchTableChanges(bus);
  const { isRevoked } = revocations;
  const streams = streamQuota({ most: options.maxStreams, mostPerToken: options.maxStreamsPerToken, isRevoked });
  revocations.heed(streams.endRevoked);
  const trail = auditTrail({ audit, log, now });
  const signed = tokenSigner({ secret: secret!, oldSecrets, now });
  const issuing = issuingOf({ ...options, permits, tokens: signed, revocations, now });
  const { keepAliveMs, pollMs, slowReaderMs } = options;
  const look = pageReader(ask);
  const house = createApp({
    routes: [
      ...tableRoutes({ ask, issuing }),
      ...tokenRoutes({ ask, issuing, audit }),
      ...viewRoutes({
        look,
        share: sharedPageReader(look, bells),
        bells,
        places: streams,
        now,
        keepAliveMs,
        pollMs,
        slowReaderMs: slowReaderMs,
      }),
      ...actRoutes({ ask }),
      ...lookupRoutes({ ask }),
    ],
    bearerOf: authenticator({ tokens: signed, adminToken: options.adminToken, isOpen: options.isOpen, isRevoked }),
    trail,
    log,
    now,
    limits: options,
  });

  const shut = async (): Promise<void> => {
    await revocations.close();
    await trail.close();
    await bells.close();
  };
  const perAddress = options.proxies > 0 ? options.maxConnections : options.maxConnectionsPerClient;
  const listening = await listen(house, { ...options, maxConnectionsPerClient: perAddress }).catch(async (error: unknown) => {
    await shut();
    throw error;
  });
  const { port } = listening;
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
  log.info({ url, isOpen: options.isOpen }, 'the door is open');

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    streams.close();
    await listening.close(options.graceMs);
    await shut();
    log.info({ url }, 'the door is closed');
  };
  return {
    url,
    port,
    remark: () => [revocations.remark(), trail.remark()].filter((each) => each !== undefined).join('; ') || undefined,
    close: () => (closing ??= close()),
  };
}
