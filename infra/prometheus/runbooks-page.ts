import { readFileSync } from 'node:fs';

/**
 * Where docs/alerts.md can be read by whoever an alert reaches, on a phone too; `{version}` stands for the version of package.json.
 * `npm run docs -- --runbooks URL` writes another address here.
 */
const PAGE = 'https://git.example.org/maw/blob/v{version}/docs/alerts.md';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

/** The page of the alerts, at the released version. */
export const RUNBOOKS_PAGE = PAGE.replace('{version}', version);
