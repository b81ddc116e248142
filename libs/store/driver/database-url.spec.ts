import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectionSettings } from './database-url.ts';

const plain = 'postgres://u:opensesame@db:5432/maw';
const full = `${plain}?sslmode=verify-full`;

describe('the address of a database', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'maw-database-url-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is unencrypted by default', () => {
    expect(connectionSettings(plain)).toEqual({ connectionString: plain, ssl: false });
    expect(connectionSettings(`${plain}?sslmode=disable&application_name=x`)).toEqual({
      connectionString: `${plain}?application_name=x`,
      ssl: false,
    });
    expect(connectionSettings('/var/run/postgresql maw')).toEqual({ connectionString: '/var/run/postgresql maw', ssl: false });
  });

  it('is encrypted with a verified certificate and host name if it says so', () => {
    const { connectionString, ssl } = connectionSettings(full, { ca: 'CA' });
    expect(connectionString).toBe(plain);
    expect(ssl).toMatchObject({ ca: 'CA', rejectUnauthorized: true });
    if (ssl === false) throw new Error('it is not encrypted');
    const certificate = { subject: { CN: 'x' }, subjectaltname: 'DNS:db, IP Address:10.0.0.1' } as never;
    const check = (url: string) => {
      const address = connectionSettings(url);
      return address.ssl && address.ssl.checkServerIdentity?.('ignored', certificate);
    };
    expect(check(full)).toBeUndefined();
    expect(check(full.replace('db', '10.0.0.1'))).toBeUndefined();
    expect(check(full.replace('db', 'other'))).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(check(full.replace('db', '10.0.0.2'))).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('may name files as libpq has it', () => {
    const file = join(folder, 'ca.pem');
    writeFileSync(file, 'CA of a file');
    expect(connectionSettings(`${full}&sslrootcert=${file}`)).toMatchObject({ connectionString: plain, ssl: { ca: 'CA of a file' } });
    expect(() => connectionSettings(`${full}&sslrootcert=${file}.not`)).toThrow(
      /names a file that cannot be read: .*ca\.pem\.not \(ENOENT\)/,
    );
  });

  it.each(['require', 'prefer', 'allow', 'verify-ca', 'no-verify', 'nonsense'])(
    'is rejected with sslmode=%s, without its password',
    (mode) => {
      expect(() => connectionSettings(`${plain}?sslmode=${mode}`)).toThrow(
        `DATABASE_URL has sslmode=${mode}, which does not verify the server: use sslmode=verify-full, and set DATABASE_CA_FILE`,
      );
    },
  );

  it('is rejected when its parameters contradict each other', () => {
    expect(() => connectionSettings(`${plain}?ssl=true`)).toThrow(/has ssl=: write \?sslmode=verify-full/);
    expect(() => connectionSettings(`${full}&uselibpqcompat=true`)).toThrow(/has uselibpqcompat=/);
    expect(() => connectionSettings(plain, { ca: 'CA' })).toThrow(/is not encrypted, but certificates are given/);
    expect(() => connectionSettings(full, { cert: 'C' })).toThrow(/go together/);
    expect(() => connectionSettings(full, { key: 'K' })).toThrow(/go together/);
  });
});
