/**
 * The text of infra/prometheus/runbooks-page.ts with another address.
 * @param address of docs/alerts.md, absolute and without a fragment; it may have `{version}`
 * @throws Error that says what is wrong with it
 */
export function withRunbooksPage(text: string, address: string): string {
  const { protocol, hash } = URL.parse(address) ?? {};
  if (!/^https?:$/.test(protocol ?? ''))
    throw new Error(`--runbooks: ${JSON.stringify(address)} is no absolute address, such as https://git.example.org/maw/docs/alerts.md`);
  if (hash || address.endsWith('#')) throw new Error(`--runbooks: ${address}: leave out what begins with #; each alert has its own`);
  return text.replace(/(?<=^const PAGE = ').*(?=';$)/m, () => address.replaceAll("'", '%27').replaceAll('\\', '/'));
}
