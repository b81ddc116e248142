import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { postgresSql, postgresStore } from '@maw/store/postgres.ts';
import { grantsSql, migrateAsOwner, roleNames, rolesSql, TABLES, VIEWS } from '@maw/store/sql/roles.ts';
import type { Store } from '@maw/store/store.ts';
import { storeSuite } from '@maw/store/store.suite.ts';
import { truncateAll } from '@maw/store/test-database.suite.ts';
import { runMaw } from '../../apps/cli/command.suite.ts';
import { type CertificateAuthority, certificateAuthority } from '../equipment/servers/certificate-authority.ts';
import { hasPostgres, type PrivateDatabase, startPrivateDatabase } from '../equipment/servers/private-servers.ts';

// A database with the roles of infra/postgres: each service can do its work there, and nothing else; and encrypted connections to it.
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = hasPostgres ? describe : describe.skip;
const reason = hasPostgres ? '' : ' (skipped: there is no postgres here)';

jest.setTimeout(600_000);

/** All tables but one, which only the gateway sees. */
const PUBLIC = TABLES.filter((table) => table !== 'gateway_key');
/** What is wanted of each role, written down once more by hand: S, I, U, D. */
const WANTED: Record<string, Record<string, string>> = {
  gamemaster: {
    game: 'SIU',
    tape: 'SI',
    result: 'SI',
    score: 'SI',
    pulse: 'SIU',
    strategy_set: 'S',
    strategy: 'S',
    pool: 'S',
    experience: 'S',
    policy: 'S',
  },
  chatroom: { room: 'SIU', line: 'SID', line_archive: 'SI', mark: 'SIU' },
  player: { thought: 'SIU', memory: 'SIU', pool: 'SI', experience: 'SI', strategy_set: 'SIU', strategy: 'SI', policy: 'SI' },
  llm_gateway: {
    take: 'SIU',
    tally: 'SIUD',
    llm_usage: 'SIU',
    llm_usage_of_seat: 'SIU',
    llm_usage_writer: 'SIU',
    llm_usage_past: 'S',
    llm_usage_of_seat_past: 'S',
    gateway_key: 'SID',
  },
  web: { permit: 'SIUD', revocation: 'SID', audit: 'SI', audit_outcome: 'SI' },
  aiwolf: { agent_set: 'SIU', agent_fault: 'SI' },
  contest: {
    contest: 'SIU',
    pairing: 'SIU',
    policy: 'S',
    tape: 'S',
    thought: 'S',
    pool: 'SI',
    experience: 'SI',
    strategy_set: 'S',
    strategy: 'S',
  },
  reader: Object.fromEntries([...PUBLIC.filter((table) => !table.startsWith('llm_usage')), ...VIEWS].map((table) => [table, 'S'])),
  keeper: Object.fromEntries(
    PUBLIC.map((table) => [
      table,
      table === 'game'
        ? 'SUD'
        : /audit/.test(table)
          ? 'SI'
          : /pulse|tally|pool|experience|strategy|policy|contest|pairing|llm_usage$|llm_usage_writer/.test(table)
            ? 'S'
            : 'SD',
    ]),
  ),
};

here(`a database with roles${reason}`, () => {
  let database: PrivateDatabase;
  let [ours, strangers]: CertificateAuthority[] = [];
  let admin: Client;

  const urlOf = (role: string, changes: { host?: string; mode?: string; database?: string } = {}): string => {
    const url = new URL(database.url);
    url.username = `maw_${role}`;
    url.password = 'secret';
    if (changes.host) url.hostname = changes.host;
    url.pathname = `/${changes.database ?? 'tables'}`;
    if (changes.mode) url.searchParams.set('sslmode', changes.mode);
    return url.href;
  };
  const asAdmin = async (name: string, work: (client: Client) => Promise<unknown>): Promise<void> => {
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    const client = new Client({ connectionString: url.href });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  const whyNot = (opening: Promise<Store>): Promise<string> =>
    opening.then(
      async (store) => (await store.close(), 'it was let in'),
      (error: Error) => error.message,
    );

  beforeAll(async () => {
    [ours, strangers] = await Promise.all([certificateAuthority(), certificateAuthority()]);
    database = await startPrivateDatabase({ ...(await ours.sign('database', ['DNS:localhost', 'IP:127.0.0.1'])), ca: ours.ca });
    admin = new Client({ connectionString: database.url });
    await admin.connect();
    for (const name of ['tables', 'bare']) {
      await admin.query(`create database ${name}`);
      // Twice does no harm.
      for (let n = 0; n < 2; n++) await asAdmin(name, (client) => client.query(rolesSql()));
    }
    for (const role of roleNames()) await admin.query(`alter role ${role} password 'secret'`);
    const owner = postgresSql({ url: urlOf('owner') });
    expect(await migrateAsOwner(owner)).toBe(true);
    expect(await migrateAsOwner(owner)).toBe(true);
    await owner.close();
  }, 600_000);
  afterAll(async () => {
    await admin?.end();
    await database?.close();
    await Promise.all([ours?.close(), strangers?.close()]);
  }, 600_000);

  // All that a store has to do, each part of it by the role of its service.
  storeSuite('a store whose parts belong to roles', async () => {
    const by = async (role: string) => postgresStore({ url: urlOf(role), poolSize: 3 });
    const [gamemaster, chatroom, player, gateway, web, aiwolf, contest, keeper] = await Promise.all(
      ['gamemaster', 'chatroom', 'player', 'llm_gateway', 'web', 'aiwolf', 'contest', 'keeper'].map(by),
    );
    const all = [gamemaster!, chatroom!, player!, gateway!, web!, aiwolf!, contest!, keeper!];
    const owner = postgresSql({ url: urlOf('owner') });
    const store: Store = {
      tapes: gamemaster!.tapes,
      heartbeat: gamemaster!.heartbeat,
      rooms: chatroom!.rooms,
      thoughts: player!.thoughts,
      experience: player!.experience,
      strategies: player!.strategies,
      policies: player!.policies,
      recordings: gateway!.recordings,
      budgetUsage: gateway!.budgetUsage,
      llmUsage: gateway!.llmUsage,
      gatewayKeys: gateway!.gatewayKeys,
      tokens: web!.tokens,
      auditLog: web!.auditLog,
      agentSets: aiwolf!.agentSets,
      contests: contest!.contests,
      maintenance: keeper!.maintenance,
      ping: async () => void (await Promise.all(all.map((each) => each.ping()))),
      now: async () => Math.min(...(await Promise.all(all.map((each) => each.now())))),
      use: () => gamemaster!.use(),
      isFull: () => all.some((each) => each.isFull()),
      close: async () => {
        await Promise.all(all.map((each) => each.close()));
        await owner.close();
      },
    };
    return { store, clear: () => truncateAll(owner) };
  });

  it('covers every table of the database', async () => {
    await asAdmin('tables', async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
      );
      expect(rows.map(({ name }) => name)).toEqual([...TABLES, ...VIEWS, 'schema_version'].toSorted());
    });
  });

  it.each(Object.keys(WANTED))('grants %s exactly the rights it needs', async (role) => {
    const client = new Client({ connectionString: urlOf(role) });
    await client.connect();
    const may = (statement: string) =>
      client.query(`explain ${statement}`).then(
        () => true,
        (error: { code: string }) => {
          expect([statement, error.code]).toEqual([statement, '42501']);
          return false;
        },
      );
    const found: Record<string, string> = {};
    for (const table of [...TABLES, ...VIEWS]) {
      const letters = [
        (await may(`select from ${table}`)) ? 'S' : '',
        (await may(`insert into ${table} select from ${table} where false`)) ? 'I' : '',
        (await may(`update ${table} set ${columnOf[table]} = null where false`)) ? 'U' : '',
        (await may(`delete from ${table} where false`)) ? 'D' : '',
      ].join('');
      if (letters) found[table] = letters;
    }
    expect(found).toEqual(WANTED[role]);
    await client.end();
  });

  it.each([...Object.keys(WANTED), 'owner'])('lets %s change tables only where they are its own, and roles never', async (role) => {
    const client = new Client({ connectionString: urlOf(role) });
    await client.connect();
    const outcomes: string[] = [];
    for (const statement of [
      'create table mine (n int)',
      'alter table tape add column mine int',
      'truncate tape',
      'alter table audit disable trigger audit_stands',
      'drop table mine',
      'create temporary table mine (n int)',
      'create role mine',
      'grant select on tape to public',
      'create schema mine',
    ]) {
      await client.query('begin');
      const isDone = await client.query(statement).then(
        () => true,
        () => false,
      );
      await client.query('rollback');
      if (isDone) outcomes.push(statement);
    }
    const owned = ['create table mine (n int)', 'alter table tape add column mine int', 'truncate tape'];
    const own = [...owned, 'alter table audit disable trigger audit_stands', 'grant select on tape to public'];
    // A grant by somebody else is a warning and changes nothing.
    expect(outcomes.filter((one) => role === 'owner' || one !== 'grant select on tape to public')).toEqual(role === 'owner' ? own : []);
    expect(
      (await admin.query(`select 1 from information_schema.role_table_grants where grantee = 'PUBLIC' and table_name = 'tape'`)).rows,
    ).toEqual([]);
    await client.end();
  });

  it('rejects roles without a password, and unknown users', async () => {
    await admin.query(`create role stranger login password 'secret'`);
    const stranger = urlOf('web').replace('maw_web', 'stranger');
    expect(await whyNot(postgresStore({ url: stranger }))).toMatch(/permission denied for database/);
    await admin.query('alter role maw_reader password null');
    expect(await whyNot(postgresStore({ url: urlOf('reader') }))).toMatch(/password authentication failed/);
    await admin.query(`alter role maw_reader password 'secret'`);
  });

  describe('a service that may not change tables', () => {
    const bare = { database: 'bare' };

    it('names who has to create the tables or grant access', async () => {
      expect(await whyNot(postgresStore({ url: urlOf('web', bare) }))).toMatch(
        /There are no tables in this database, and the role maw_web may not make them: run "maw migrate" as their owner first/,
      );
      const owner = await postgresStore({ url: urlOf('owner', bare) });
      expect(await whyNot(postgresStore({ url: urlOf('web', bare) }))).toMatch(/The role maw_web may not use the tables .*"maw migrate"/);
      await owner.close();
    });

    it('starts with the current schema, and rejects an older or newer one', async () => {
      const version = async (change: string) => asAdmin('bare', (client) => client.query(change));
      await version(grantsSql());
      expect(await whyNot(postgresStore({ url: urlOf('web', bare) }))).toBe('it was let in');
      await version('delete from schema_version where version = (select max(version) from schema_version)');
      expect(await whyNot(postgresStore({ url: urlOf('web', bare) }))).toMatch(
        /are of version \d+, this program needs version \d+, and the role maw_web may not change them: run "maw migrate" as their owner/,
      );
      await version('insert into schema_version values (999, now())');
      expect(await whyNot(postgresStore({ url: urlOf('web', bare) }))).toMatch(/are of version 999, this program knows versions up to/);
    });

    it('works after the owner has run maw migrate', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'maw-migrate-'));
      const file = join(folder, 'ca.pem');
      await writeFile(file, ours!.ca);
      const migrate = (role: string) =>
        runMaw(['migrate'], { cwd: folder, env: { DATABASE_URL: urlOf(role, { mode: 'verify-full' }), DATABASE_CA_FILE: file } });
      expect(await migrate('owner')).toMatchObject({
        code: 0,
        out: expect.stringMatching(/up to date, and the roles of the services have/),
      });
      expect(await migrate('reader')).toMatchObject({ code: 1 });
      await rm(folder, { recursive: true });
    });

    it('is left without rights where there are roles, but not all of them', async () => {
      const owner = postgresSql({ url: urlOf('owner') });
      expect(await migrateAsOwner(owner, 'nobody_')).toBe(false);
      await admin.query('create role half_web');
      await expect(migrateAsOwner(owner, 'half_')).rejects.toThrow(/missing: half_owner, half_gamemaster, .*roles\.sql/);
      await owner.close();
    });
  });

  describe('an encrypted connection', () => {
    const full = { mode: 'verify-full' };
    const over = (tls: object | undefined, url = urlOf('web', full)) => whyNot(postgresStore({ url, tls }));

    it('is made to a trusted server, by its host name or IP', async () => {
      expect(await over({ ca: ours!.ca })).toBe('it was let in');
      expect(await over({ ca: ours!.ca }, urlOf('web', { ...full, host: 'localhost' }))).toBe('it was let in');
      const sql = postgresSql({ url: urlOf('web', full), tls: { ca: ours!.ca } });
      const { rows } = await sql.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
      expect(rows).toEqual([{ ssl: true }]);
      await sql.close();
    });

    it('is refused for an untrusted or wrong server certificate, naming the variable', async () => {
      expect(await over(undefined)).toMatch(/signed by nobody we trust .*: set DATABASE_CA_FILE/);
      expect(await over({ ca: strangers!.ca })).toMatch(/signed by nobody we trust .*: set DATABASE_CA_FILE/);
      const other = { ...(await ours!.sign('elsewhere', ['DNS:elsewhere.example'])), ca: ours!.ca };
      const elsewhere = await startPrivateDatabase(other);
      try {
        const url = `${elsewhere.url}?sslmode=verify-full`;
        expect(await over({ ca: ours!.ca }, url)).toMatch(
          /is for DNS:elsewhere\.example, which is not whom we asked for: use such a name in DATABASE_URL/,
        );
      } finally {
        await elsewhere.close();
      }
    });

    it('presents our client certificate', async () => {
      expect(await over({ ca: ours!.ca, ...(await ours!.sign('maw_web')) })).toBe('it was let in');
      expect(await over({ ca: ours!.ca, ...(await strangers!.sign('maw_web')) })).toMatch(/does not take our certificate/);
    });

    it.each(['require', 'prefer', 'allow', 'verify-ca', 'no-verify', 'nonsense'])(
      'is refused with sslmode=%s, which checks too little',
      async (mode) => {
        expect(await whyNot(Promise.resolve().then(() => postgresStore({ url: urlOf('web', { mode }), tls: { ca: ours!.ca } })))).toMatch(
          `DATABASE_URL has sslmode=${mode}, which does not verify the server: use sslmode=verify-full`,
        );
      },
    );

    it('is required when certificates are given', async () => {
      expect(await over({ ca: ours!.ca }, urlOf('web'))).toMatch(
        /is not encrypted, but certificates are given .*: add \?sslmode=verify-full/,
      );
      expect(await over({ ca: ours!.ca, cert: 'x' })).toMatch(/DATABASE_CERT and DATABASE_KEY go together/);
    });
  });

  it('sets the passwords of a folder, and refuses when one is missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'maw-roles-'));
    try {
      const url = new URL(database.url);
      url.pathname = '/tables';
      await writeFile(join(folder, 'first-user-url'), `${url.href}\n`);
      const make = () =>
        runMaw(['roles', '--passwords', folder], {
          cwd: folder,
          env: { DATABASE_URL: '', DATABASE_URL_FILE: join(folder, 'first-user-url') },
        });
      const others = roleNames().filter((name) => name !== 'maw_keeper');
      for (const role of others) await writeFile(join(folder, role), 'secret');
      expect(await make()).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/none in \S*maw_keeper \(ENOENT\)/) });
      const odd = `it's "$1" \\ %L; drop role maw_web`;
      await writeFile(join(folder, 'maw_keeper'), `${odd}\n`);
      expect(await make()).toMatchObject({ code: 0, err: '' });
      const keeper = new URL(urlOf('keeper'));
      keeper.password = encodeURIComponent(odd);
      expect(await whyNot(postgresStore({ url: keeper.href }))).toBe('it was let in');
      expect(await whyNot(postgresStore({ url: urlOf('keeper') }))).toMatch(/password authentication failed/);
      expect(await whyNot(postgresStore({ url: urlOf('web') }))).toBe('it was let in');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** A column of each table that may be set in a statement that is never run. */
const columnOf: Record<string, string> = {
  game: 'wake',
  tape: 'cause',
  result: 'at',
  score: 'games',
  pulse: 'at',
  room: 'name',
  line: 'text',
  line_archive: 'text',
  mark: 'line',
  thought: 'name',
  memory: 'n',
  take: 'asker',
  gateway_key: 'about',
  agent_set: 'ended',
  agent_fault: 'detail',
  contest: 'why',
  pairing: 'at',
  tally: 'used',
  llm_usage: 'requests',
  llm_usage_of_seat: 'requests',
  llm_usage_writer: 'batch',
  llm_usage_past: 'requests',
  llm_usage_of_seat_past: 'requests',
  pool: 'at',
  experience: 'vector',
  strategy_set: 'frozen',
  strategy: 'at',
  policy: 'at',
  permit: 'name',
  revocation: 'token',
  audit: 'what',
  audit_outcome: 'outcome',
};
