import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { pollUntil } from '@maw/async/poll-until.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { alerts } from '../../infra/prometheus/alerts.ts';
import { root } from '../equipment/source/repository.ts';
import { alertmanager, amtool, runProgram } from './prometheus.ts';

interface Route {
  readonly receiver: string;
  readonly matchers?: readonly string[];
  readonly routes?: readonly Route[];
}
interface Config {
  readonly route: Route;
  readonly receivers: readonly { readonly name: string }[];
  readonly inhibit_rules: readonly { readonly source_matchers: readonly string[]; readonly target_matchers: readonly string[] }[];
}

const file = join(root, 'infra/alertmanager/alertmanager.yml');
const script = join(root, 'infra/alertmanager/start.sh');
const { route, receivers, inhibit_rules: inhibited } = parse(readFileSync(file, 'utf8')) as Config;

/** Whether matchers fit, as Alertmanager anchors them. */
const fits = (matchers: readonly string[], labels: Readonly<Record<string, string>>): boolean =>
  matchers.every((matcher) => {
    const [, label, is, value] = /^(\w+) (=|=~) "(.*)"$/.exec(matcher)!;
    const actual = labels[label!] ?? '';
    return is === '=' ? actual === value : new RegExp(`^(?:${value})$`).test(actual);
  });
const receiverOf = (labels: Readonly<Record<string, string>>): string =>
  (route.routes ?? []).find(({ matchers = [] }) => fits(matchers, labels))?.receiver ?? route.receiver;

describe('the routes of Alertmanager', () => {
  it('pages for what is critical, and only for that', () => {
    for (const { name, severity } of alerts)
      expect([name, receiverOf({ alertname: name, severity })]).toEqual([name, severity === 'critical' ? 'pager' : 'daily']);
    expect(receivers.map(({ name }) => name)).toEqual(['pager', 'daily']);
  });

  it('keeps quiet only about alerts that there are, and never about the one that it follows from', () => {
    for (const { source_matchers: sources, target_matchers: targets } of inhibited) {
      const matched = [sources, targets].map((matchers) =>
        alerts.filter(({ name }) => fits(matchers, { alertname: name })).map(({ name }) => name),
      );
      expect(matched.map(({ length }) => length > 0)).toEqual([true, true]);
      expect(matched[0]!.filter((name) => matched[1]!.includes(name))).toEqual([]);
      const named = [...sources, ...targets].flatMap((matcher) => matcher.match(/[A-Z]\w+/g) ?? []);
      expect(named.filter((name) => !alerts.some((alert) => alert.name.startsWith(name)))).toEqual([]);
    }
  });

  // oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
  (amtool ? it : it.skip)(
    `is valid to amtool${amtool ? '' : ' (skipped: there is no amtool here; Debian: prometheus-alertmanager)'}`,
    async () => {
      expect(await runProgram(amtool!, ['check-config', file])).toMatchObject({
        isWell: true,
        said: expect.stringContaining('2 receivers'),
      });
    },
  );

  // oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
  (alertmanager ? it : it.skip)(
    `sends what fires to ALERT_WEBHOOK${alertmanager ? '' : ' (skipped: there is no Alertmanager here; Debian: prometheus-alertmanager)'}`,
    async () => {
      const got: string[] = [];
      const receiver = createServer((req, res) => {
        void text(req).then((body) => got.push(`${req.url} ${body}`));
        res.end();
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const { port: to } = receiver.address() as AddressInfo;
      const started = await startAlertmanager(`http://127.0.0.1:${to}/it's?a=1&b=2|3`);
      try {
        const alert = { labels: { alertname: 'TableStuck', severity: 'critical' } };
        await pollUntil('Alertmanager taking an alert', async () => {
          const about = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify([alert]) };
          started.check();
          return (await fetch(`${started.url}/api/v2/alerts`, about).catch(() => undefined))?.ok;
        });
        await pollUntil('the webhook', () => got.length > 0, { timeoutMs: 120_000 });
        expect(got[0]).toMatch(/^\/it%27s\?a=1&b=2\|3 .*"receiver":"pager".*"alertname":"TableStuck"/);
        const page = (await (await fetch(`${started.url}/api/v2/alerts`)).json()) as readonly (typeof alert)[];
        expect(page.map(({ labels }) => labels.alertname)).toEqual(['TableStuck']);
      } finally {
        await started.close();
        receiver.close();
      }
    },
    600_000,
  );

  it('refuses a webhook that is no address', async () => {
    const { isWell, said } = await runProgram('/usr/bin/env', ['ALERT_WEBHOOK=chat.example.com', 'sh', script, 'true']);
    expect([isWell, said]).toEqual([false, 'ALERT_WEBHOOK must begin with http:// or https://; it is chat.example.com\n']);
  });
});

/** As Compose starts it, with its data in a folder that is gone afterwards. */
async function startAlertmanager(webhook: string): Promise<{ readonly url: string; check(): void; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'maw-alertmanager-'));
  const [port] = await freePorts(1);
  const listening = [`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='];
  const child = spawn('sh', [script, alertmanager!, `--storage.path=${folder}`, ...listening], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: folder, ALERT_WEBHOOK: webhook },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2_000)));
  const gone = once(child, 'exit');
  return {
    url: `http://127.0.0.1:${port}`,
    check() {
      if (child.exitCode !== null) throw new Error(`Alertmanager ended: ${said}`);
    },
    async close() {
      child.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
