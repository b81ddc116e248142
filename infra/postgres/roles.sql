-- Written from libs/store/sql/roles.ts; do not edit. Makes the roles of MAW. Run it in its database, once, as a role that may make roles.
-- Nobody comes in by a role until it is given a password: \password maw_gamemaster
do $roles$
begin
  if not exists (select from pg_roles where rolname = 'maw_owner') then create role maw_owner login; end if;
  if not exists (select from pg_roles where rolname = 'maw_gamemaster') then create role maw_gamemaster login; end if;
  if not exists (select from pg_roles where rolname = 'maw_chatroom') then create role maw_chatroom login; end if;
  if not exists (select from pg_roles where rolname = 'maw_player') then create role maw_player login; end if;
  if not exists (select from pg_roles where rolname = 'maw_llm_gateway') then create role maw_llm_gateway login; end if;
  if not exists (select from pg_roles where rolname = 'maw_web') then create role maw_web login; end if;
  if not exists (select from pg_roles where rolname = 'maw_aiwolf') then create role maw_aiwolf login; end if;
  if not exists (select from pg_roles where rolname = 'maw_contest') then create role maw_contest login; end if;
  if not exists (select from pg_roles where rolname = 'maw_reader') then create role maw_reader login; end if;
  if not exists (select from pg_roles where rolname = 'maw_keeper') then create role maw_keeper login; end if;
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to maw_owner, maw_gamemaster, maw_chatroom, maw_player, maw_llm_gateway, maw_web, maw_aiwolf, maw_contest, maw_reader, maw_keeper', current_database());
  -- It shows the age of the oldest transaction, whoever has it. Without this it sees its own.
  begin
    grant pg_read_all_stats to maw_gamemaster;
  exception when insufficient_privilege then raise notice 'maw_gamemaster cannot be given pg_read_all_stats';
  end;
end $roles$;
revoke all on schema public from public;
grant usage, create on schema public to maw_owner;
grant usage on schema public to maw_gamemaster, maw_chatroom, maw_player, maw_llm_gateway, maw_web, maw_aiwolf, maw_contest, maw_reader, maw_keeper;
