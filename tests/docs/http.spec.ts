import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { ADMIN, inProcessWeb } from '@maw/tests/equipment/web/in-process-web.ts';
import { markedBlocks, readPage } from './code-blocks.ts';

// Notes the header of each answer. A stream is read up to its first byte: it has no end.
const CURL = `curl() {
  local each
  for each in "$@"; do
    if [ "$each" = -N ]; then
      head -c 1 < <(command curl -s -D - "$@" 2>/dev/null | tee -a "$HEADERS")
      return
    fi
  done
  command curl -sS -D header "$@"
  cat header >> "$HEADERS"
}
OTHER=$(curl $AT/tables -H "Authorization: Bearer $ADMIN" --json '{"rules":"maw","players":3,"people":3}' | jq -r .table)
`;

it('the commands of docs/http.md work in their order, and are refused only where the page says so', async () => {
  const here = await inProcessWeb();
  const folder = await mkdtemp(join(tmpdir(), 'maw-http-'));
  try {
    const blocks = markedBlocks(readPage('docs/http.md'), 'http');
    expect(blocks.length).toBeGreaterThanOrEqual(10);
    const script = CURL + blocks.map(({ text }) => text).join('\n');
    const env = { ...process.env, AT: here.url, ADMIN, HEADERS: join(folder, 'headers') };
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: folder, env });
    expect(stdout).toContain('does not permit watching');
    const statuses = [...(await readFile(env.HEADERS, 'utf8')).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(statuses.filter((status) => !/^20[01]$/.test(status!))).toEqual(['403', '304']);
  } finally {
    await here.close();
    await rm(folder, { recursive: true, force: true });
  }
});
