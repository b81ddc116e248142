import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { engineHere } from '@maw/tests/equipment/containers/engine.ts';
import { type TypedCommands, typedCommands } from '@maw/tests/equipment/containers/typed-commands.ts';
import { markedBlocks, readPage } from '../docs/code-blocks.ts';
import { sectionOf } from '../k8s/page-commands.ts';

// The runbooks of docs/alerts.md that have commands for containers. Each is caused, a Prometheus with our rules raises its alert, its commands are typed as the
// page has them, and the alert ends.
const MINUTE = 60_000;
const page = readPage('docs/alerts.md');
const runbooks = [...page.matchAll(/^## (\w+)$/gm)]
  .map(([heading, name]) => [name!, markedBlocks(sectionOf('docs/alerts.md', heading), 'container')[0]?.text] as const)
  .filter((each): each is readonly [string, string] => each[1] !== undefined);

/** Sends as web what no gamemaster can read. */
const UNREADABLE = `
const { readFileSync } = require('node:fs');
const { connect } = require('amqplib');
(async () => {
  const model = await connect(readFileSync(process.env.AMQP_URL_FILE, 'utf8').trim());
  const channel = await model.createConfirmChannel();
  channel.publish('commands', 'table.open', Buffer.from('no message'), { userId: 'web' });
  await channel.waitForConfirms();
  await model.close();
})();
`;

interface Cause {
  readonly script: string;
  /** What the commands of the runbook print. */
  readonly shows: RegExp;
  /** Makes web look at the audit log now, which it does every five minutes. */
  readonly isInAuditLog?: boolean;
}

const causes: Readonly<Record<string, Cause>> = {
  NoGamemaster: { script: 'docker compose kill gamemaster', shows: /gamemaster.*(Exit|exited)/i },
  BrokerDown: { script: 'docker compose stop rabbitmq', shows: /rabbitmq.*(Exit|exited)|no local alarms/i },
  DeadLetters: {
    script: `docker compose run --rm -T --no-deps --entrypoint node web -e ${JSON.stringify(UNREADABLE.replaceAll('\n', ' '))}`,
    shows: /unreadable/,
  },
  ModelServerDown: { script: 'docker compose stop ollama-sim', shows: /ollama-sim\S* .*down[^]*ollama-sim\S* .* up/ },
  RestoreTestFailed: {
    script: `docker compose exec -T postgres pg_dump -U postgres -Fc maw > whole.dump
head -c 3000 whole.dump > cut.dump
if infra/docker/restore-test.sh cut.dump; then exit 1; fi`,
    shows: /restore-test[^\n]*pg_restore: [^]*^This backup can be restored: \d+ tables?/m,
    isInAuditLog: true,
  },
};

const found = await engineHere(undefined, undefined, ['PROMETHEUS_IMAGE']);
const missing = typeof found === 'string' ? found : '';
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = missing ? describe.skip : describe;

it('five runbooks have commands for containers, and each is caused here', () => {
  expect(runbooks.map(([name]) => name).toSorted()).toEqual(Object.keys(causes).toSorted());
  expect(runbooks.length).toBeGreaterThanOrEqual(5);
});

here(`the runbooks of the alerts${missing ? ` (not run here: ${missing})` : ''}`, () => {
  let typed: TypedCommands;
  /** The values of a query; undefined while Prometheus does not answer. */
  const asked = (query: string): Promise<readonly string[] | undefined> =>
    fetch(`${typed.prometheusUrl}/api/v1/query?query=${encodeURIComponent(query)}`)
      .then((response) => response.json() as Promise<{ data: { result: readonly { value: readonly [number, string] }[] } }>)
      .then(
        ({ data }) => data.result.map(({ value }) => value[1]),
        () => undefined,
      );
  const isRaised = async (alert: string): Promise<boolean | undefined> => {
    const values = await asked(`ALERTS{alertname="${alert}"}`);
    return values && values.length > 0;
  };
  const until = (alert: string, raised: boolean) =>
    pollUntil(`${alert} is ${raised ? 'raised' : 'over'}`, async () => (await isRaised(alert)) === raised, {
      timeoutMs: 10 * MINUTE,
      everyMs: 2_000,
    });
  /** Waits until Prometheus has seen every service well, so that what is raised afterwards was caused. */
  const allWell = () =>
    pollUntil('all is well', async () => (await Promise.all(runbooks.map(([name]) => isRaised(name)))).every((each) => each === false), {
      timeoutMs: 10 * MINUTE,
      everyMs: 2_000,
    });

  beforeAll(async () => {
    typed = await typedCommands('maw-runbooks', { COMPOSE_PROFILES: 'sim' });
    await typed.type('cp .env.example .env; docker compose up -d; docker compose up -d prometheus');
    await pollUntil('six services', async () => (await asked('count(maw_bus_up == 1)'))?.[0] === '6', {
      timeoutMs: 10 * MINUTE,
      everyMs: 2_000,
    });
    await allWell();
  }, 30 * MINUTE);
  afterAll(() => typed?.close(), 5 * MINUTE);

  it.each(runbooks)(
    '%s ends when its commands have been typed',
    async (alert, commands) => {
      const { script, shows, isInAuditLog } = causes[alert]!;
      const look = async () => void (isInAuditLog && (await typed.type('docker compose restart web')));
      const caused = await typed.type(script);
      if (isInAuditLog) expect(caused).toMatch(/^maw: this backup is not good: it was not restored: pg_restore: \S/m);
      expect(caused).not.toMatch(/^\s+at /m);
      await look();
      await until(alert, true);
      expect(await typed.type(commands)).toMatch(shows);
      await look();
      await until(alert, false);
      await allWell(); // the next one begins from there
    },
    30 * MINUTE,
  );
});
