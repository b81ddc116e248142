-- Written from libs/store/sql/roles.ts; do not edit. What each role may do with the tables. `maw migrate` does the same after it has brought the
-- tables up to date; by hand it is run as maw_owner.
begin;
-- maw_gamemaster: the gamemaster
revoke all on all tables in schema public from maw_gamemaster;
revoke all on all sequences in schema public from maw_gamemaster;
grant select on schema_version to maw_gamemaster;
grant select, insert, update on game to maw_gamemaster;
grant select, insert on tape to maw_gamemaster;
grant select, insert on result to maw_gamemaster;
grant select, insert on score to maw_gamemaster;
grant select, insert, update on pulse to maw_gamemaster;
grant select on strategy_set to maw_gamemaster;
grant select on strategy to maw_gamemaster;
grant select on pool to maw_gamemaster;
grant select on experience to maw_gamemaster;
grant select on policy to maw_gamemaster;
-- maw_chatroom: the chatroom
revoke all on all tables in schema public from maw_chatroom;
revoke all on all sequences in schema public from maw_chatroom;
grant select on schema_version to maw_chatroom;
grant select, insert, update on room to maw_chatroom;
grant select, insert, delete on line to maw_chatroom;
grant select, insert on line_archive to maw_chatroom;
grant select, insert, update on mark to maw_chatroom;
-- maw_player: the player, `maw experience`, `maw strategy` and `maw policy`
revoke all on all tables in schema public from maw_player;
revoke all on all sequences in schema public from maw_player;
grant select on schema_version to maw_player;
grant select, insert, update on thought to maw_player;
grant select, insert, update on memory to maw_player;
grant select, insert on pool to maw_player;
grant select, insert on experience to maw_player;
grant select, insert, update on strategy_set to maw_player;
grant select, insert on strategy to maw_player;
grant select, insert on policy to maw_player;
-- maw_llm_gateway: the llm-gateway, for recordings, what was used of budgets, and by whom, and created keys
revoke all on all tables in schema public from maw_llm_gateway;
revoke all on all sequences in schema public from maw_llm_gateway;
grant select on schema_version to maw_llm_gateway;
grant select, insert, update on take to maw_llm_gateway;
grant select, insert, update, delete on tally to maw_llm_gateway;
grant select, insert, update on llm_usage to maw_llm_gateway;
grant select, insert, update on llm_usage_of_seat to maw_llm_gateway;
grant select, insert, update on llm_usage_writer to maw_llm_gateway;
grant select on llm_usage_past to maw_llm_gateway;
grant select on llm_usage_of_seat_past to maw_llm_gateway;
grant select, insert, delete on gateway_key to maw_llm_gateway;
-- maw_web: the web
revoke all on all tables in schema public from maw_web;
revoke all on all sequences in schema public from maw_web;
grant select on schema_version to maw_web;
grant select, insert, update, delete on permit to maw_web;
grant select, insert, delete on revocation to maw_web;
grant select, insert on audit to maw_web;
grant select, insert on audit_outcome to maw_web;
grant usage on sequence permit_n to maw_web;
-- maw_aiwolf: the servers for outside agents
revoke all on all tables in schema public from maw_aiwolf;
revoke all on all sequences in schema public from maw_aiwolf;
grant select on schema_version to maw_aiwolf;
grant select, insert, update on agent_set to maw_aiwolf;
grant select, insert on agent_fault to maw_aiwolf;
-- maw_contest: the contests, and the pools of their agents that learn from game to game
revoke all on all tables in schema public from maw_contest;
revoke all on all sequences in schema public from maw_contest;
grant select on schema_version to maw_contest;
grant select, insert, update on contest to maw_contest;
grant select, insert, update on pairing to maw_contest;
grant select on policy to maw_contest;
grant select on tape to maw_contest;
grant select on thought to maw_contest;
grant select, insert on pool to maw_contest;
grant select, insert on experience to maw_contest;
grant select on strategy_set to maw_contest;
grant select on strategy to maw_contest;
-- maw_reader: dashboards, and `maw verify`
revoke all on all tables in schema public from maw_reader;
revoke all on all sequences in schema public from maw_reader;
grant select on schema_version to maw_reader;
grant select on game, tape, result, score, pulse, room, line, line_archive, mark, thought, memory, take, pool, experience, strategy_set, strategy, policy, agent_set, agent_fault, contest, pairing, tally, permit, revocation, audit, audit_outcome, llm_usage_past, llm_usage_of_seat_past to maw_reader;
-- maw_keeper: `maw retention`, `maw dead --drop` and `maw restore-test --live`
revoke all on all tables in schema public from maw_keeper;
revoke all on all sequences in schema public from maw_keeper;
grant select on schema_version to maw_keeper;
grant select on game, tape, result, score, pulse, room, line, line_archive, mark, thought, memory, take, pool, experience, strategy_set, strategy, policy, agent_set, agent_fault, contest, pairing, tally, permit, revocation, audit, audit_outcome, llm_usage, llm_usage_of_seat, llm_usage_writer to maw_keeper;
grant delete on game, tape, result, score, room, line, line_archive, mark, thought, memory, take, agent_set, agent_fault, permit, revocation, llm_usage_of_seat to maw_keeper;
grant update on game to maw_keeper;
grant insert on audit, audit_outcome to maw_keeper;
commit;
