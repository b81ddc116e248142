import type { Sql } from '../driver/sql.ts';

/**
 * All migrations, in order. A released migration stays byte-identical, its comments too (`chain.ts` there is now integrity/hash-chain.ts); a new one
 * is added at the end. The function `chain` computes the hash chain from `head` over `digests`, 32 bytes per entry; it is a loop, because each link
 * depends on the previous one.
 * Instants are milliseconds since the epoch in a bigint: exact, and the same number everywhere.
 */
const changes: readonly string[] = [
  `
  create table game (
    id      text collate "C" primary key,
    last    int not null,      -- sequence of its last event: the optimistic lock
    wake    bigint,            -- when it wants to be woken; null never
    opened  bigint not null,
    summary jsonb not null,
    is_over boolean not null
  );
  create index game_wake on game (wake, id) where wake is not null;
  create index game_opened on game (opened, id);
  create index game_running on game (opened, id) where not is_over;

  -- Nothing refers to the tape, and it refers to nothing: it may become partitioned by hash (game) as it stands, or by range
  -- of time once the day a game was opened joins the primary key. The row of game keeps the sequence whole, not a constraint here.
  create table tape (
    game     text collate "C" not null,
    sequence int not null,
    at       bigint not null,
    cause    text not null,
    event    jsonb not null,
    primary key (game, sequence)
  );
  create table result (
    game   text collate "C" primary key,
    at     bigint not null,
    result jsonb not null
  );

  -- The first columns are empty while only the closing is known, the next two while only the opening is.
  create table room (
    game text collate "C", room text collate "C",
    question text, name text, members jsonb, speakers jsonb, max_chars int, until bigint, opened int,
    closed int, lines int,
    is_archived boolean not null default false,
    purged      int not null default 0,    -- lines 1 to this one are in the archive
    primary key (game, room)
  );
  create table line (
    game text collate "C", room text collate "C", line int,
    by_seat int, to_seat int, text text not null, says jsonb, at bigint not null,
    primary key (game, room, line)
  );
  create table line_archive (like line including all);
  create table mark (
    game text collate "C", room text collate "C", seat int, line int not null, at bigint not null,
    primary key (game, room, seat)
  );

  create table thought (
    game text collate "C", seat int, decision text collate "C", step int,
    kind text not null, name text not null, at bigint not null, content jsonb not null,
    primary key (game, seat, decision, step)
  );
  create table memory (
    game text collate "C", seat int, n bigint not null, memory jsonb not null,
    primary key (game, seat)
  );`,
  `
  -- What came of requests to the models, for replays. Requests and outcomes are JSON that may hold U+0000, for which jsonb has no room.
  create table take (
    recording text collate "C", hash text collate "C", game text collate "C", id text collate "C",
    asker text collate "C" not null, at bigint not null, request text not null, outcome text not null,
    primary key (recording, hash, game, id)
  );
  create index take_asker on take (recording, asker, at);`,
  `
  -- What was used of budgets: each writer has rows of its own, whose totals only grow, and nobody waits for another.
  create table tally (
    kind text collate "C", who text collate "C", period int, writer text collate "C",
    used bigint not null, carried bigint not null, most bigint not null,
    at bigint not null,        -- when it was last written
    primary key (kind, who, period, writer)
  );
  create index tally_at on tally (kind, at);`,
  `
  -- Each event is linked to the one before it by a hash (chain.ts); null: it was written before there was a chain, or a table has no event
  -- in it yet. A row of game whose tape has been removed keeps its head, and says since when.
  alter table tape add column hash bytea;
  alter table game add column head bytea, add column retired bigint;

  -- The links of events that follow on a hash, 32 bytes each, given what each of them is, 32 bytes each. A procedure, for each link needs the
  -- one before it.
  create function chain(head bytea, digests bytea) returns bytea language plpgsql immutable as $chain$
  declare
    links bytea := '';
  begin
    for n in 0 .. length(digests) / 32 - 1 loop
      head := sha256(coalesce(head, '') || substr(digests, 32 * n + 1, 32));
      links := links || head;
    end loop;
    return links;
  end $chain$;

  -- For the retention: tables by when they ended, and the takes of a table.
  create index result_ended on result (at, game);
  create index take_game on take (game);

  -- Nobody has ever read it. The column stays for replicas of an older program that still write it.
  alter table mark alter column at drop not null;`,
  `
  -- Tokens that were given out, without the tokens, and what was revoked of them. Both take their numbers from one sequence: a token
  -- with a smaller number than the revocation of its table was given out before it, whatever the clocks say.
  create sequence permit_n;
  create table permit (
    id      text collate "C" primary key,
    n       bigint not null default nextval('permit_n'),
    role    text not null, game text collate "C", seat int, view text,
    name    text not null, by_whom text not null,
    issued  bigint not null, until bigint not null
  );
  alter sequence permit_n owned by permit.n;
  create index permit_last on permit (n);
  create index permit_of_game on permit (game, n) where game is not null;
  create index permit_over on permit (until);
  create table revocation (
    n     bigint primary key,
    token text collate "C",                  -- either one token
    game  text collate "C", seat int,        -- or all of a table, or of one of its seats
    until bigint not null
  );
  create index revocation_of_token on revocation (token) where token is not null;
  create index revocation_of_game on revocation (game) where game is not null;

  -- What administrators have done. The database itself lets nobody change an entry.
  create table audit (
    n bigint generated always as identity primary key, id text collate "C" not null unique, at bigint not null,
    who text not null, token text not null, origin text not null, what text not null, about jsonb not null, outcome text not null
  );
  create function audit_stands() returns trigger language plpgsql as $audit$
  begin
    raise exception 'The audit log is only ever added to.';
  end $audit$;
  create trigger audit_stands before update or delete on audit for each row execute function audit_stands();`,
  `
  -- When somebody who runs tables last said that all is well, and the times in which nobody did: [{"from", "to"}], the last one first.
  create table pulse (
    one     boolean primary key default true check (one),
    at      bigint not null,
    outages jsonb not null
  );`,
  `
  -- What administrators do is written into audit before it is done, with the outcome "begun"; here is what came of it.
  create table audit_outcome (
    id text collate "C" primary key, at bigint not null, about jsonb not null, outcome text not null
  );
  create trigger audit_outcome_stands before update or delete on audit_outcome for each row execute function audit_stands();`,
  `
  -- The members of a room that minds play. Null in rooms that were opened before.
  alter table room add column minds jsonb;`,
  `
  -- By queue, when a heartbeat last found a consumer; and the times in which none did: [{"queue", "from", "to"}], the last one first.
  alter table pulse add column consumed jsonb not null default '{}', add column absences jsonb not null default '[]';

  -- Shows that tapes can be appended to: inserts an event of more than a page and takes it back, so that a file has to grow.
  create function append_probe() returns boolean language plpgsql as $probe$
  begin
    insert into tape (game, sequence, at, cause, event) values
      ('', -pg_backend_pid(), 0, (select string_agg(md5(random()::text), '') from generate_series(1, 512)), '{}');
    raise exception using errcode = 'MAW01';
  exception when sqlstate 'MAW01' then
    return true;
  end $probe$;`,
  `
  -- Pools of experience, and the decisions in them. A vector is base64 of 32-bit floats; null: the pool is searched by words.
  create table pool (
    name text collate "C", version int, at bigint not null, about jsonb not null,
    primary key (name, version)
  );
  create table experience (
    name text collate "C", version int, game text collate "C", n int, item jsonb not null, vector text,
    primary key (name, version, game, n)
  );`,
  `
  -- What minds learned to play roles by: named sets, and the versions of each, numbered over all roles. Parent 0: the recipe's own text.
  create table strategy_set (
    name text collate "C" primary key, frozen bigint
  );
  create table strategy (
    name text collate "C", version int, recipe text collate "C" not null, rules text collate "C" not null, role text collate "C" not null,
    parent int not null, game text collate "C" not null, round int not null, seat int not null, at bigint not null, lesson jsonb not null,
    primary key (name, version),
    unique (name, game, round, seat)
  );
  create index strategy_of_role on strategy (name, recipe, rules, role, version);`,
  `
  -- For the leaderboard, written when a table ends: the games of each kind of player for each side. Recipe or model empty: not chosen.
  -- Tables that ended before do not count: nothing of them may be told to anybody but administrators.
  create table score (
    game text collate "C", rules text collate "C", side text collate "C", kind text collate "C", recipe text collate "C", model text collate "C",
    games int not null, wins int not null,
    primary key (game, rules, side, kind, recipe, model)
  );`,
  `
  -- Outside agents at tables, and what they did not answer as they should. A set is of one table, of the same id.
  create table agent_set (
    game text collate "C" primary key, division text not null, at bigint not null, terms jsonb not null, agents jsonb not null, ended bigint
  );
  create index agent_set_running on agent_set (at, game) where ended is null;
  create table agent_fault (
    game text collate "C", n bigint generated always as identity, at bigint not null, round int not null, seat int not null,
    agent text not null, request text not null, question text collate "C" not null, fault text not null, detail text not null, instead text,
    primary key (game, n),
    unique (game, question, seat)
  );`,
  `
  -- Which table of its server a set is, from 1: a server that starts again goes on counting. 0: it never had a table. 1 where it began before.
  alter table agent_set add column number int not null default 1;`,
  `
  -- Contests, and the tables they play. One replica at a time works on a contest: the holder, until held. A result is written once.
  create table contest (
    id text collate "C" primary key, at bigint not null, contest jsonb not null, pairings int not null,
    state text not null, since bigint not null, why text, holder text, held bigint
  );
  create index contest_at on contest (at desc, id);
  create table pairing (
    contest text collate "C", number int, attempt int not null, game text collate "C", at bigint, result jsonb,
    primary key (contest, number)
  );
  create index pairing_begun on pairing (contest, number) where result is null;`,
  `
  -- Networks that choose discussion tactics, by name and version: what they are, and a safetensors file as base64.
  create table policy (
    name text collate "C", version int, at bigint not null, card jsonb not null, weights text not null,
    primary key (name, version)
  );`,
  `
  -- What was used of budgets: one row for each account, of its latest period, with the debt of earlier ones. Each writer had rows of its own before.
  alter table tally rename to tally_of_writers;
  create table tally (
    kind text collate "C", who text collate "C", period int not null, used bigint not null, most bigint not null,
    at bigint not null,        -- when it was last written
    constraint tally_account primary key (kind, who)
  );
  insert into tally
    select distinct on (kind, who) kind, who, period, sum(used) + max(carried), max(most), max(at)
    from tally_of_writers group by kind, who, period order by kind, who, period desc;
  drop table tally_of_writers;
  create index tally_at on tally (kind, at);`,
  `
  -- Keys of the gateway's HTTP API that administrators created. The digest is that of the secret, which is stored nowhere.
  create table gateway_key (
    id text collate "C" primary key, digest text collate "C" not null unique, at bigint not null, by_whom text not null, about jsonb not null
  );`,
  `
  -- What requests to models have used, by hour since the epoch, and by seat of a table; ms: slot time. Readers have only the views: when a seat asks
  -- by night tells its role, so they leave out the hour that runs and tables that are not over. A writer numbers its batches: each counts once.
  create table llm_usage (
    hour int, key text collate "C", model text collate "C", recipe text collate "C",
    requests bigint not null, failures bigint not null, prompt bigint not null, completion bigint not null, ms bigint not null,
    primary key (hour, key, model, recipe)
  );
  create table llm_usage_of_seat (
    game text collate "C", seat text collate "C", model text collate "C", recipe text collate "C",
    requests bigint not null, failures bigint not null, prompt bigint not null, completion bigint not null, ms bigint not null,
    primary key (game, seat, model, recipe)
  );
  create table llm_usage_writer (id text collate "C" primary key, batch bigint not null);
  create view llm_usage_past with (security_barrier) as select * from llm_usage where hour < floor(extract(epoch from now()) / 3600);
  create view llm_usage_of_seat_past with (security_barrier) as
    select * from llm_usage_of_seat where exists (select from game where game.id = llm_usage_of_seat.game and game.is_over);`,
  `
  -- The digest of the short code that stands for a token, keyed with a secret that is not in the database. The code itself is stored nowhere.
  alter table permit add column digest text collate "C";
  create unique index permit_of_code on permit (digest) where digest is not null;`,
];

/**
 * Migrates the schema. Services may do so concurrently: one migrates, the others wait.
 * A role that may not change the schema only checks its version.
 * @throws when the schema is newer than this program, or older and this role may not migrate it
 */
export async function migrate(sql: Sql): Promise<void> {
  const known = changes.length;
  // One statement and so one transaction. The lock comes first: concurrent `create table if not exists` can collide.
  await sql.query(`do $migrate$
  declare version int;
  begin
    if not coalesce(has_schema_privilege(current_schema(), 'create'), false) then
      ${ofOthers(known)}
      return;
    end if;
    perform pg_advisory_xact_lock(${LOCK});
    create table if not exists schema_version (version int primary key, at timestamptz not null);
    select coalesce(max(schema_version.version), 0) into version from schema_version;
    ${notNewer(known)}
    ${changes.map(step).join('\n    ')}
  end $migrate$`);
}

const notNewer = (known: number) => `if version > ${known} then
      raise exception 'The tables in this database are of version %, this program knows versions up to ${known}: start a newer program, or use another database.', version;
    end if;`;

/** For roles that may not change the schema. */
const ofOthers = (known: number) => `
      if to_regclass('schema_version') is null then
        raise exception 'There are no tables in this database, and the role % may not make them: run "maw migrate" as their owner first.', current_user;
      end if;
      if not has_table_privilege('schema_version', 'select') then
        raise exception 'The role % may not use the tables in this database: run "maw migrate" as their owner, which says what roles may do.', current_user;
      end if;
      select coalesce(max(schema_version.version), 0) into version from schema_version;
      ${notNewer(known)}
      if version < ${known} then
        raise exception 'The tables in this database are of version %, this program needs version ${known}, and the role % may not change them: run "maw migrate" as their owner.', version, current_user;
      end if;`;

const step = (change: string, i: number) => `if version < ${i + 1} then
      ${change}
      insert into schema_version values (${i + 1}, now());
    end if;`;

/** "maw" in ASCII. Advisory locks are local to a database. */
const LOCK = 0x6d_61_77;
