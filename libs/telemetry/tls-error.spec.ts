import { describe, expect, it } from '@jest/globals';
import { explainTlsError } from './tls-error.ts';

const about = (error: object) => explainTlsError(error, 'the broker at b:5671', 'AMQP');

describe('explainTlsError', () => {
  it.each([
    [
      { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' },
      /^the certificate of the broker at b:5671 is signed by nobody we trust \(DEPTH_ZERO_SELF_SIGNED_CERT\): set AMQP_CA_FILE/,
    ],
    [{ message: 'Error: unable to verify the first certificate' }, /set AMQP_CA_FILE/],
    [{ code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' }, /not good today .*: renew it/],
    [
      {
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
        message: "Hostname/IP does not match certificate's altnames: Host: x. is not in the cert's altnames: DNS:a, DNS:b",
      },
      /is for DNS:a, DNS:b, which is not whom we asked for: use such a name in AMQP_URL/,
    ],
    [
      { code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: "IP: 127.0.0.1 is not in the cert's list: ", cert: { subjectaltname: 'DNS:a' } },
      /is for DNS:a, which/,
    ],
    [{ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', message: '' }, /wants one .*: set AMQP_CERT_FILE and AMQP_KEY_FILE/],
    [{ code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', message: '' }, /does not take our certificate/],
    [{ code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH', message: 'key values mismatch' }, /^AMQP_KEY_FILE is not the key of AMQP_CERT_FILE$/],
    [{ code: 'ERR_OSSL_PEM_NO_START_LINE', message: 'no start line' }, /cannot be read as PEM/],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER', message: '' }, /does not speak TLS/],
  ])('%j names the remedy', (error, says) => {
    expect(about(error)).toMatch(says);
  });

  it.each([
    { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5671' },
    { code: 403, message: 'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN' },
    { code: 'ECONNRESET', message: 'read ECONNRESET' },
    { message: 'self-service is closed' },
    {},
  ])('is not seen in %j', (error) => {
    expect(about(error)).toBeUndefined();
  });
});
