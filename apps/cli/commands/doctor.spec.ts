import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { inProcessWeb } from '@maw/tests/equipment/web/in-process-web.ts';
import { NOTHING_NAMED, runMawHeard } from '../command.suite.ts';
import { writeConnectionFile } from '../clients/connection-file.ts';
import { ollamaUrl } from '@maw/llm-gateway/discovery/find-models.ts';

// What `maw doctor` says without a server; where there is one it speaks in up.e2e.spec.ts. On a developer's machine something may listen
// where servers usually do, so what is said of such a place is not taken for granted.

jest.setTimeout(600_000);

const PASSWORD = 'open-sesame';
/** Nobody listens there, on anybody's machine. */
const CLOSED = '127.0.0.1:2';
const REMEDY = {
  broker: 'set AMQP_URL=amqp://user:password@host:5672; ./maw play needs none, ./maw up finds or starts one',
  database: 'set DATABASE_URL=postgres://user:password@host:5432/name; ./maw play needs none, ./maw up finds or starts one',
  ollama: 'install Ollama and start it, or set OLLAMA_HOST',
  door: 'start it with ./maw up, or name another in MAW_AT',
  doorAddress: 'write MAW_AT as http://host:port; a token goes into MAW_TOKEN',
} as const;
/** What is said of each when it is named and closed: its variable, what it is, what is said, what to do. */
const CLOSED_ONES = [
  [
    'AMQP_URL',
    `amqp://me:${PASSWORD}@${CLOSED}/games`,
    'RabbitMQ',
    `nothing usable at amqp://${CLOSED}/games (ECONNREFUSED)`,
    REMEDY.broker,
  ],
  [
    'DATABASE_URL',
    `postgres://me:${PASSWORD}@${CLOSED}/games`,
    'PostgreSQL',
    `nothing usable at postgres://${CLOSED}/games (ECONNREFUSED)`,
    REMEDY.database,
  ],
  [
    'OLLAMA_HOST',
    `http://me:${PASSWORD}@${CLOSED}`,
    'Ollama',
    `no server at http://${CLOSED} (ECONNREFUSED); minds play without a model`,
    REMEDY.ollama,
  ],
  ['MAW_AT', `http://${CLOSED}`, 'Web service', `nothing answers at http://${CLOSED} (ECONNREFUSED)`, REMEDY.door],
] as const;
const NODE = `ok  Node: ${process.version}\n`;
const textOf = (what: string, says: string, remedy: string) => `--  ${what}: ${says}\n     ${remedy}\n`;

interface Finding {
  readonly what: string;
  readonly isWell: boolean;
  readonly says: string;
  readonly do?: string;
}

let cwd: string;
const opened: { close(): Promise<void> }[] = [];
const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'maw-doctor-'));
});
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
  await rm(cwd, { recursive: true, force: true });
});

/** Whatever it says, it says no password, and it does not stumble. */
const doctor = async (env: Record<string, string> = {}, ...args: readonly string[]) => {
  const run = await runMawHeard(['doctor', ...args], { cwd, env: { ...NOTHING_NAMED, ...env } });
  expect(run.out + run.err).not.toContain(PASSWORD);
  expect(run.err).toBe('');
  return run;
};
/** What it says of one thing. */
const said = (out: string, what: string): string => {
  const lines = out.split('\n');
  const at = lines.findIndex((line) => line.slice(4).startsWith(`${what}: `));
  return [lines[at], ...(lines[at + 1]?.startsWith('     ') ? [lines[at + 1]] : [])].map((line) => `${line}\n`).join('');
};

describe('maw doctor', () => {
  it('exits 0 without configuration and names a remedy for every missing server', async () => {
    const { code, out } = await doctor();
    expect(code).toBe(0);
    expect(out.startsWith(NODE)).toBe(true);
    // These two may be there, where they usually are.
    const broker = said(out, 'RabbitMQ');
    if (!/^ok {2}RabbitMQ: .+ at amqp:\/\/127\.0\.0\.1:5672\n$/.test(broker)) {
      expect(broker).toMatch(/^-- {2}RabbitMQ: nothing usable at amqp:\/\/127\.0\.0\.1:5672 \(.+\)\n/);
      expect(broker.slice(broker.indexOf('\n') + 1)).toBe(`     ${REMEDY.broker}\n`);
    }
    const models = said(out, 'Ollama');
    if (!/^ok {2}Ollama: .+ at http:\/\/127\.0\.0\.1:11434: .+\n$/.test(models))
      expect(models).toMatch(/^-- {2}Ollama: .*http:\/\/127\.0\.0\.1:11434.*\n {5}(install Ollama and start it|fetch a model with)/);
    // Nobody knows the way into this one, there or not.
    expect(said(out, 'PostgreSQL')).toMatch(/^-- {2}PostgreSQL: (something listens at 127\.0\.0\.1:5432, but )?DATABASE_URL is not set\n/);
    expect(said(out, 'PostgreSQL')).toContain(`\n     ${REMEDY.database}\n`);
    expect(said(out, 'Web service')).toBe(
      textOf('Web service', 'no running system is noted in this folder', 'start one with ./maw up, or name one in MAW_AT'),
    );
  });

  it('ignores stopped servers that only a data folder names', async () => {
    const [amqpUrl, databaseUrl] = [CLOSED_ONES[0][1], CLOSED_ONES[1][1]];
    await writeConnectionFile(join(cwd, 'elsewhere'), { url: `http://${CLOSED}`, token: PASSWORD, amqpUrl, databaseUrl });
    const { code, out } = await doctor({}, '--data', 'elsewhere');
    expect(code).toBe(0);
    for (const [variable, , what, says, remedy] of CLOSED_ONES)
      if (variable !== 'OLLAMA_HOST') expect(said(out, what)).toBe(textOf(what, says, remedy));
  });

  it('names a remedy for every configured but unreachable server, and exits 1', async () => {
    const env = Object.fromEntries(CLOSED_ONES.map(([variable, url]) => [variable, url]));
    const { code, out } = await doctor(env);
    expect([code, out]).toEqual([1, NODE + CLOSED_ONES.map(([, , what, says, remedy]) => textOf(what, says, remedy)).join('')]);
    const { code: again, out: json } = await doctor(env, '--json');
    expect(json.split('\n')).toHaveLength(2);
    expect([again, JSON.parse(json)]).toEqual([
      1,
      [
        { what: 'Node', isWell: true, says: process.version },
        ...CLOSED_ONES.map(([, , what, says, remedy]) => ({ what, isWell: false, says, do: remedy })),
      ],
    ]);
  });

  it('exits 1 for a single unreachable server, named by variable or by file', async () => {
    await writeFile(join(cwd, 'address'), `${CLOSED_ONES[0][1]}\n`);
    const alone = [...CLOSED_ONES, ['AMQP_URL_FILE', join(cwd, 'address'), ...CLOSED_ONES[0].slice(2)]];
    await Promise.all(
      alone.map(async ([variable, url, what, says, remedy]) => {
        const { code, out } = await doctor({ [variable!]: url! }, '--json');
        const findings = JSON.parse(out) as readonly Finding[];
        expect([variable, code, findings.map((each) => each.what)]).toEqual([
          variable,
          1,
          ['Node', 'RabbitMQ', 'PostgreSQL', 'Ollama', 'Web service'],
        ]);
        expect(findings.find((each) => each.what === what)).toEqual({ what, isWell: false, says, do: remedy });
      }),
    );
  });

  it('refuses options of a model that is not named, in one line', async () => {
    for (const given of [
      ['--server', 'http://127.0.0.1:2/v1'],
      ['--mind', 'react'],
      ['--key-file', 'key'],
    ]) {
      const { code, err } = await runMawHeard(['doctor', ...given], { cwd, env: NOTHING_NAMED });
      expect([code, err]).toEqual([1, 'maw: --mind, --server and --key-file are of a model: name it with --model\n']);
    }
  });

  it('finds an Ollama server and its models that can chat', async () => {
    const sim = keep(await startSimulator());
    const { code, out } = await doctor({ OLLAMA_HOST: `0.0.0.0:${sim.port}` });
    expect([code, said(out, 'Ollama')]).toEqual([0, `ok  Ollama: 0.33.0 at ${sim.url}: simulated:latest, simulated-thinking:latest\n`]);
  });

  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['  ', 'http://127.0.0.1:11434'],
    [':5', 'http://127.0.0.1:5'],
    ['0.0.0.0:5', 'http://127.0.0.1:5'],
    ['owl', 'http://owl:11434'],
    [' owl:5/ ', 'http://owl:5'],
    ['http://owl:5/', 'http://owl:5'],
    ['http://owl', 'http://owl:80'],
    ['https://me:word@owl', 'https://owl:443'],
    ['http://ann:pw@127.0.0.1:21437/ollama', 'http://127.0.0.1:21437/ollama'],
    ['"owl:5"', 'http://owl:5'],
    ['fd00::7', 'http://[fd00::7]:11434'],
    ['HTTP://owl:5', 'http://owl:5'],
    ['[::1]:5', 'http://[::1]:5'],
  ])('reads OLLAMA_HOST=%j as Ollama does', (host, url) => {
    expect(ollamaUrl(host)).toBe(url);
  });

  it('names the command that fetches a chat model when Ollama has none', async () => {
    for (const models of [[], [{ name: 'embeds:latest', capabilities: ['embedding' as const] }]]) {
      const sim = keep(await startSimulator({ models }));
      const { code, out } = await doctor({ OLLAMA_HOST: sim.url });
      const text = textOf('Ollama', `0.33.0 at ${sim.url}: no model that can chat`, 'fetch a model with: ollama pull llama3.1');
      expect([code, said(out, 'Ollama')]).toEqual([1, text]);
    }
  });

  it('finds a web service without a token, and rejects other servers', async () => {
    const { url } = keep(await inProcessWeb());
    const sim = keep(await startSimulator());
    const found = await Promise.all([url, `${url}/`, sim.url].map((at) => doctor({ MAW_AT: at })));
    expect(found.map(({ code, out }) => [code, said(out, 'Web service')])).toEqual([
      [0, `ok  Web service: open at ${url}\n`],
      [0, `ok  Web service: open at ${url}\n`],
      [1, textOf('Web service', `the server at ${sim.url} is not the web service of maw (404)`, REMEDY.door)],
    ]);
  });

  it('reports an unhealthy web service', async () => {
    const server = createServer((_, res) => void res.writeHead(503, { 'Content-Type': 'application/problem+json' }).end('{}'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    keep({
      close: async () => {
        server.closeAllConnections();
        await once(server.close(), 'close');
      },
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, out } = await doctor({ MAW_AT: url });
    expect([code, said(out, 'Web service')]).toEqual([
      1,
      textOf('Web service', `the web service at ${url} answers 503`, 'its log and its /readyz say why'),
    ]);
  });

  it('prefers MAW_AT to the connection file of the folder', async () => {
    const { url } = keep(await inProcessWeb());
    await writeConnectionFile(join(cwd, '.maw'), { url, token: PASSWORD });
    const [noted, named] = await Promise.all([doctor(), doctor({ MAW_AT: `http://${CLOSED}` })]);
    expect([noted.code, said(noted.out, 'Web service')]).toEqual([0, `ok  Web service: open at ${url}\n`]);
    expect([named.code, said(named.out, 'Web service')]).toEqual([1, textOf('Web service', CLOSED_ONES[3][3], REMEDY.door)]);
  });

  // A slash in a password makes its user look like the host: 127.0.0.1 here, so that nobody is asked for its address.
  const ODD: readonly Record<string, readonly [url: string, says: string]>[] = [
    {
      AMQP_URL: [PASSWORD, 'nothing usable at an invalid address (AMQP_URL is not a broker URL: '],
      DATABASE_URL: [`postgres://${CLOSED}/${PASSWORD}@${CLOSED}/x`, `nothing usable at postgres://...@${CLOSED}/x (`],
      OLLAMA_HOST: [
        `http://me:${PASSWORD}@:x`,
        'OLLAMA_HOST: "http://:x" is no address of a model server: write http://host:11434\n     correct O',
      ],
      MAW_AT: ['nowhere', `an invalid address is not an HTTP address\n     ${REMEDY.doorAddress}\n`],
    },
    {
      AMQP_URL: [`http://me:${PASSWORD}@${CLOSED}`, `nothing usable at http://${CLOSED} (AMQP_URL is not a broker URL: `],
      DATABASE_URL: [
        `postgres://me:${PASSWORD}@${CLOSED}/?sslmode=require`,
        `nothing usable at postgres://${CLOSED} (DATABASE_URL has sslmode=`,
      ],
      OLLAMA_HOST: ['127.0.0.1:1', `no server at http://127.0.0.1:1 (ECONNREFUSED); minds play without a model\n     ${REMEDY.ollama}\n`],
      MAW_AT: [`ftp://${CLOSED}`, `ftp://${CLOSED} is not an HTTP address\n     ${REMEDY.doorAddress}\n`],
    },
    {
      AMQP_URL: [
        `amqp://%zz:${PASSWORD}@${CLOSED}`,
        `nothing usable at amqp://${CLOSED} (AMQP_URL has an invalid % escape in its user or password: `,
      ],
      DATABASE_URL: [`postgres://${PASSWORD}:${PASSWORD}@:x/`, 'nothing usable at an invalid address ('],
      OLLAMA_HOST: [`${PASSWORD}:${PASSWORD}@owl:99999`, 'OLLAMA_HOST: "owl:99999" is no address of a model server'],
      MAW_AT: [`http://me:${PASSWORD}@${CLOSED}/`, `http://${CLOSED} is not an HTTP address\n     ${REMEDY.doorAddress}\n`],
    },
    {
      AMQP_URL: [`amqp://${CLOSED}/${PASSWORD}@${CLOSED}`, `nothing usable at amqp://...@${CLOSED} (`],
    },
    {
      AMQP_URL: [
        `amqp://me:%zz${PASSWORD}@${CLOSED}`,
        `nothing usable at amqp://${CLOSED} (AMQP_URL has an invalid % escape in its user or password: `,
      ],
    },
  ];

  it('explains invalid addresses without the password, and still checks the other servers', async () => {
    await Promise.all(
      ODD.map(async (odd) => {
        const named = Object.entries(odd);
        const { code, out } = await doctor(Object.fromEntries(named.map(([variable, [url]]) => [variable, url])));
        expect([code, out.match(/^(ok|--) /gm)?.length]).toEqual([1, 5]);
        for (const [variable, [, says]] of named) {
          const what = CLOSED_ONES.find(([of]) => of === variable)![2];
          const text = said(out, what);
          expect(text.slice(0, `--  ${what}: ${says}`.length)).toBe(`--  ${what}: ${says}`);
          expect(text).toMatch(/\n {5}\S.*\n$/);
        }
      }),
    );
  });
});
