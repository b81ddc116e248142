import { readFileSync } from 'node:fs';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';

/** Certificates for the database connection, as PEM text. */
export interface Tls {
  /** The trusted authority; Node's own list when not given. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Connection options of the driver. */
interface ConnectionSettings {
  readonly connectionString: string;
  readonly ssl: ConnectionOptions | false;
}

/**
 * Parses a database URL. A connection is either encrypted and verified (`sslmode=verify-full`: signature and host name) or not encrypted;
 * the modes in between look safe and are open to a man in the middle.
 * @throws Error for any other mode, or when a file named in the URL cannot be read; the message never contains the URL, which has a password
 */
export function connectionSettings(url: string, tls: Tls = {}): ConnectionSettings {
  if (!url.includes('/')) throw new Error('DATABASE_URL is no address; write postgres://user:password@host:5432/database');
  // Sockets and other notations are left to the driver.
  if (!URL.canParse(url)) return { connectionString: url, ssl: false };
  const parsed = new URL(url);
  const takeParam = (name: string): string | undefined => {
    const value = parsed.searchParams.get(name) ?? undefined;
    parsed.searchParams.delete(name);
    return value || undefined;
  };
  const mode = takeParam('sslmode') ?? 'disable';
  for (const loose of ['ssl', 'uselibpqcompat'])
    if (parsed.searchParams.has(loose))
      throw new Error(`DATABASE_URL has ${loose}=: write ?sslmode=verify-full for an encrypted connection instead`);
  const given = {
    ca: tls.ca ?? readPem(takeParam('sslrootcert')),
    cert: tls.cert ?? readPem(takeParam('sslcert')),
    key: tls.key ?? readPem(takeParam('sslkey')),
  };
  const certificates = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (mode === 'disable') {
    if (Object.keys(certificates).length > 0)
      throw new Error('DATABASE_URL is not encrypted, but certificates are given (DATABASE_CA ...): add ?sslmode=verify-full');
    return { connectionString: parsed.href, ssl: false };
  }
  if (mode !== 'verify-full')
    throw new Error(
      `DATABASE_URL has sslmode=${mode}, which does not verify the server: use sslmode=verify-full, and set DATABASE_CA_FILE`,
    );
  if ((given.cert === undefined) !== (given.key === undefined))
    throw new Error('DATABASE_CERT and DATABASE_KEY go together: give both or none');
  const host = (parsed.searchParams.get('host') ?? parsed.hostname).replaceAll(/^\[|\]$/g, '');
  return {
    connectionString: parsed.href,
    // Checked here because the driver skips the name check when the host is an IP address.
    ssl: { ...certificates, rejectUnauthorized: true, checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate) },
  };
}

function readPem(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`DATABASE_URL names a file that cannot be read: ${file} (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
}
