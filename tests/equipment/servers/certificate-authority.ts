import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A certificate and its key, in PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** Somebody who signs certificates, for the length of a test. */
export interface CertificateAuthority {
  readonly ca: string;
  /** A certificate for a name; `names` as openssl writes them: DNS:localhost, IP:127.0.0.1. */
  sign(name: string, names?: readonly string[]): Promise<CertificatePair>;
  close(): Promise<void>;
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];

/** Made with openssl in a temporary folder, which goes when it is closed: no key outlives the test. */
export async function certificateAuthority(): Promise<CertificateAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'maw-authority-'));
  const at = (name: string) => join(folder, name);
  const read = async (name: string): Promise<CertificatePair> => ({
    cert: await readFile(at(`${name}.pem`), 'utf8'),
    key: await readFile(at(`${name}.key`), 'utf8'),
  });
  await run('openssl', ['req', '-x509', ...EC, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=An authority of a test']);
  let made = 0;
  return {
    ca: (await read('ca')).cert,
    async sign(name, names = []) {
      const file = `signed-${++made}`;
      const alternatives = names.length > 0 ? ['-addext', `subjectAltName=${names.join(',')}`] : [];
      const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key')];
      const request = [
        'req',
        '-x509',
        ...EC,
        ...by,
        '-addext',
        'basicConstraints=critical,CA:FALSE',
        ...alternatives,
        '-subj',
        `/CN=${name}`,
      ];
      await run('openssl', [...request, '-keyout', at(`${file}.key`), '-out', at(`${file}.pem`)]);
      return read(file);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
