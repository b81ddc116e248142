import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readBrokerOptions, readDatabaseTlsOptions } from './connection-options.ts';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
const KEY = '-----BEGIN EC PRIVATE KEY-----\nopensesame\n-----END EC PRIVATE KEY-----';

describe('connection options', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'maw-addresses-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('default to one user with all permissions, without TLS', () => {
    expect(readBrokerOptions({})).toEqual({ url: 'amqp://guest:guest@127.0.0.1:5672', tls: undefined, declare: true, checkSender: false });
    expect(readDatabaseTlsOptions({})).toBeUndefined();
  });

  it('read certificates and keys from files', () => {
    const env = {
      AMQP_URL: 'amqps://player:secret@broker/maw',
      AMQP_CA_FILE: file('ca.pem', `${CERTIFICATE}\n`),
      AMQP_CERT_FILE: file('cert.pem', CERTIFICATE),
      AMQP_KEY_FILE: file('key.pem', KEY),
      AMQP_SERVER_NAME: 'broker.example',
      AMQP_DECLARE: 'no',
      AMQP_CHECK_SENDER: 'yes',
      DATABASE_CA_FILE: file('ca.pem', CERTIFICATE),
    };
    expect(readBrokerOptions(env)).toEqual({
      url: 'amqps://player:secret@broker/maw',
      tls: { ca: CERTIFICATE, cert: CERTIFICATE, key: KEY, serverName: 'broker.example' },
      declare: false,
      checkSender: true,
    });
    expect(readDatabaseTlsOptions(env)).toEqual({ ca: CERTIFICATE, cert: undefined, key: undefined });
  });

  it('report mistakes and never show a key', () => {
    const swapped = { AMQP_CA_FILE: file('ca.pem', KEY), AMQP_KEY_FILE: file('key.pem', 'opensesame'), AMQP_DECLARE: 'perhaps' };
    let said = '';
    try {
      readBrokerOptions(swapped);
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said.split('\n').slice(1)).toEqual([
      'AMQP_CA: must be a certificate in PEM, -----BEGIN ... (given: hidden)',
      'AMQP_KEY: must be a private key in PEM, -----BEGIN ... (given: hidden)',
      expect.stringMatching(/^AMQP_DECLARE: .*"perhaps"/),
    ]);
    expect(said).not.toMatch('opensesame');
    expect(() => readDatabaseTlsOptions({ DATABASE_CA_FILE: join(folder, 'nowhere') })).toThrow(
      /DATABASE_CA_FILE: the file cannot be read: ENOENT/,
    );
  });
});
