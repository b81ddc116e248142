import { readFileSync } from 'node:fs';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';

/** Whom we trust to be the database, and who we are. All of it is text in PEM. */
export interface Tls {
  /** Whose signature is trusted; the authorities that Node knows when not given. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** What the driver is given. */
export interface ConnectionSettings {
  readonly connectionString: string;
  readonly ssl: ConnectionOptions | false;
}

/**
 * Looks at the address of a database. A connection is either encrypted and checked (`sslmode=verify-full`: signature and name), or it is not
 * encrypted: there is nothing in between, which would look safe and let in whoever stands in the way.
 * @throws Error when it asks for something in between, or a file that it names cannot be read; it never says the address, which holds a password
 */
export function connectionSettings(url: string, tls: Tls = {}): ConnectionSettings {
  // Other ways to write an address, such as a socket, are the driver's own business.
  if (!URL.canParse(url)) return { connectionString: url, ssl: false };
  const parsed = new URL(url);
  const take = (name: string): string | undefined => {
    const value = parsed.searchParams.get(name) ?? undefined;
    parsed.searchParams.delete(name);
    return value || undefined;
  };
  const mode = take('sslmode') ?? 'disable';
  for (const loose of ['ssl', 'uselibpqcompat'])
    if (parsed.searchParams.has(loose))
      throw new Error(`DATABASE_URL has ${loose}=: write ?sslmode=verify-full for an encrypted connection instead`);
  const given = {
    ca: tls.ca ?? contentOf(take('sslrootcert')),
    cert: tls.cert ?? contentOf(take('sslcert')),
    key: tls.key ?? contentOf(take('sslkey')),
  };
  const certificates = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (mode === 'disable') {
    if (Object.keys(certificates).length > 0)
      throw new Error('DATABASE_URL encrypts nothing, but certificates are given (DATABASE_CA ...): add ?sslmode=verify-full');
    return { connectionString: parsed.href, ssl: false };
  }
  if (mode !== 'verify-full')
    throw new Error(
      `DATABASE_URL has sslmode=${mode}, which would not check who answers: write sslmode=verify-full, and set DATABASE_CA_FILE`,
    );
  if ((given.cert === undefined) !== (given.key === undefined))
    throw new Error('DATABASE_CERT and DATABASE_KEY go together: give both or none');
  const host = (parsed.searchParams.get('host') ?? parsed.hostname).replaceAll(/^\[|\]$/g, '');
  return {
    connectionString: parsed.href,
    // The name is checked by us: the driver forgets it where the host is a number.
    ssl: { ...certificates, rejectUnauthorized: true, checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate) },
  };
}

function contentOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`DATABASE_URL names a file that cannot be read: ${file} (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
}
