/**
 * Explains a TLS error and how to fix it, in a sentence; undefined for other errors.
 * @param at the server, such as `the broker at host:5671`
 * @param variables the prefix of the variables: AMQP, DATABASE
 */
export function explainTlsError(error: unknown, at: string, variables: string): string | undefined {
  const { code: given, message = '', cert } = error as { code?: unknown; message?: string; cert?: { subjectaltname?: string } };
  const code = typeof given === 'string' ? given : '';
  // Drivers pass on either the code or the message.
  const said = `${code} ${message}`.replaceAll('_', ' ').toLowerCase();
  const found = TROUBLES.find(([sign]) => sign.test(said));
  return found?.[1]({
    at,
    variables,
    why: (code || message).trim(),
    names: cert?.subjectaltname ?? (/.*altnames: (.*)$/is.exec(message)?.[1] || 'another name'),
  });
}

interface Trouble {
  readonly at: string;
  readonly variables: string;
  readonly why: string;
  readonly names: string;
}

const TROUBLES: readonly (readonly [sign: RegExp, says: (trouble: Trouble) => string])[] = [
  [
    /self.signed cert|unable to verify leaf|unable to verify the first|unable to get (local )?issuer|cert (untrusted|rejected)|certificate signature failure|invalid ca\b/,
    ({ at, variables, why }) =>
      `the certificate of ${at} is signed by nobody we trust (${why}): set ${variables}_CA_FILE to the certificate of the authority that signed it`,
  ],
  [
    /cert has expired|certificate has expired|not yet valid/,
    ({ at, why }) => `the certificate of ${at} is not good today (${why}): renew it, or set the clocks`,
  ],
  [
    /altname/,
    ({ at, variables, names }) =>
      `the certificate of ${at} is for ${names}, which is not whom we asked for: use such a name in ${variables}_URL`,
  ],
  [
    /alert (certificate (required|unknown|expired|revoked)|bad certificate|unknown ca|handshake failure|unsupported certificate)/,
    ({ at, variables, why }) =>
      `${at} does not take our certificate, or wants one (${why}): set ${variables}_CERT_FILE and ${variables}_KEY_FILE to one that it trusts`,
  ],
  [/key values mismatch/, ({ variables }) => `${variables}_KEY_FILE is not the key of ${variables}_CERT_FILE`],
  [
    /^err ossl |no start line|bad base64|asn1 encoding|pem routines/,
    ({ variables, why }) => `${variables}_CA_FILE, ${variables}_CERT_FILE or ${variables}_KEY_FILE cannot be read as PEM (${why})`,
  ],
  [
    /wrong version number|packet length too long/,
    ({ at, why }) => `${at} does not speak TLS (${why}): use its encrypted port, or an address without encryption`,
  ],
];
