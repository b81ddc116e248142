import type { Sql } from './sql.ts';

/**
 * Every change of the tables there has ever been, in order. A change that has been released is never edited; a new one is added below it.
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
];

/**
 * Brings the tables up to date. Any number of services may do it at once: one does, the others wait for it.
 * @throws when a newer program has been here before
 */
export async function migrate(sql: Sql): Promise<void> {
  const known = changes.length;
  // One statement and so one transaction, on whichever connection it lands. The lock comes first: `if not exists` alone can collide.
  await sql.query(`do $migrate$
  declare version int;
  begin
    perform pg_advisory_xact_lock(${LOCK});
    create table if not exists schema_version (version int primary key, at timestamptz not null);
    select coalesce(max(schema_version.version), 0) into version from schema_version;
    if version > ${known} then
      raise exception 'The tables in this database are of version %, this program knows versions up to ${known}: start a newer program, or use another database.', version;
    end if;
    ${changes.map(step).join('\n    ')}
  end $migrate$`);
}

const step = (change: string, i: number) => `if version < ${i + 1} then
      ${change}
      insert into schema_version values (${i + 1}, now());
    end if;`;

/** "maw" in ASCII. Advisory locks are of one database, so every service of a database meets here. */
const LOCK = 0x6d_61_77;
