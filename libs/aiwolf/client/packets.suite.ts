/** Small games of both divisions as packets, written by hand. */
import type { Capture } from './captures.suite.ts';

type Conversation = Pick<Capture, 'division' | 'packets'>;

const conversation = (
  division: Capture['division'],
  packets: readonly { readonly request: string; readonly [field: string]: unknown }[],
): Conversation => ({ division, packets: packets.map((packet) => JSON.stringify(packet)) });

// ── Protocol: three players, agent 2 is the seer, agent 3 the werewolf ──

const setting = {
  playerNum: 3,
  roleNumMap: { VILLAGER: 1, SEER: 1, WEREWOLF: 1, FOX: 0, ANY: 0 },
  maxTalk: 10,
  maxTalkTurn: 20,
  maxWhisper: 10,
  maxWhisperTurn: 20,
  maxSkip: 2,
  maxRevote: 1,
  maxAttackRevote: 1,
  enableNoAttack: false,
  enableNoExecution: false,
  voteVisible: true,
  talkOnFirstDay: false,
  validateUtterance: true,
  timeLimit: -1,
  aKeyOfAnotherServer: 1,
};
const info = (day: number, more: object = {}) => ({
  agent: 2,
  day,
  statusMap: { 1: 'ALIVE', 2: 'ALIVE', 3: 'ALIVE' },
  roleMap: { 2: 'SEER' },
  executedAgent: -1,
  talkList: [],
  divineResult: null,
  ...more,
});
const said = (idx: number, turn: number, agent: number, text: string) => ({ agent, day: 1, idx, turn, text });
const votes = (...targets: readonly number[]) => targets.map((target, i) => ({ agent: i + 1, day: 1, target }));
const dead = { statusMap: { 1: 'ALIVE', 2: 'ALIVE', 3: 'DEAD' } };
const talkHistory = (...all: readonly object[]) => ({ talkHistory: all, whisperHistory: [] });

/** Of one set; a second game would begin with ROLE again. */
export const protocolGame = conversation('protocol', [
  { request: 'NAME' },
  { request: 'ROLE', gameInfo: null },
  { request: 'INITIALIZE', gameInfo: info(0), gameSetting: setting },
  { request: 'DAILY_INITIALIZE', gameInfo: info(0) },
  { request: 'DAILY_FINISH', ...talkHistory() },
  { request: 'DIVINE', ...talkHistory() },
  { request: 'DAILY_INITIALIZE', gameInfo: info(1, { divineResult: { agent: 2, day: 1, target: 1, result: 'HUMAN' } }) },
  { request: 'TALK', ...talkHistory(said(0, 0, 3, 'VOTE Agent[01]')) },
  { request: 'TALK', ...talkHistory(said(1, 0, 2, 'Skip'), said(2, 0, 1, 'Over')) },
  { request: 'DAILY_FINISH', ...talkHistory(said(3, 1, 2, 'Over')) },
  { request: 'VOTE', ...talkHistory() },
  { request: 'VOTE', gameInfo: info(1, { latestVoteList: votes(2, 3, 1), talkList: [said(3, 1, 2, 'Over')] }) },
  { request: 'DIVINE', gameInfo: info(1, { ...dead, latestVoteList: votes(3, 3, 2) }) },
  {
    request: 'FINISH',
    gameInfo: info(2, { ...dead, executedAgent: 3, voteList: votes(3, 3, 2), roleMap: { 1: 'VILLAGER', 2: 'SEER', 3: 'WEREWOLF' } }),
  },
]);

// ── Natural language: six players, Bob and Dot are the wolves; Bob sees it ──

const speech = (per_agent: number) => ({
  max_count: { per_agent, per_day: 20 },
  max_length: { count_in_word: false, count_spaces: false, base_length: 20, mention_length: 20 },
  max_skip: 0,
});
const terms = {
  role_num_map: { VILLAGER: 3, SEER: 1, WEREWOLF: 2, MEDIUM: 0 },
  vote_visibility: true,
  talk: speech(4),
  whisper: speech(4),
  vote: { max_count: 1, allow_self_vote: true },
  attack_vote: { max_count: 1, allow_self_vote: true, allow_no_target: false },
  timeout: { action: 60_000, response: 120_000 },
};
const alive = { Fay: 'ALIVE', Eve: 'ALIVE', Dot: 'ALIVE', Cid: 'ALIVE', Bob: 'ALIVE', Ann: 'ALIVE' };
const roles = { Bob: 'WEREWOLF', Dot: 'WEREWOLF' };
const about = (day: number, more: object = {}) => ({
  info: { game_id: 'G', day, agent: 'Bob', status_map: alive, role_map: roles, ...more },
});
const spoke = (day: number, idx: number, agent: string, text: string) => ({ day, idx, turn: 0, agent, text, skip: false, over: false });

/** The `idx` of the second whispering of day 0 begins at 0 again. */
export const naturalGame = conversation('natural', [
  { request: 'NAME' },
  { request: 'INITIALIZE', ...about(0, { profile: 'age: 30' }), setting: terms },
  { request: 'DAILY_INITIALIZE', ...about(0), setting: terms },
  { request: 'WHISPER', ...about(0), whisper_history: [spoke(0, 0, 'Dot', 'first')] },
  { request: 'TALK', ...about(0), talk_history: [spoke(0, 0, 'Eve', 'hi')] },
  { request: 'DAILY_FINISH', ...about(0), talk_history: [spoke(0, 0, 'Eve', 'hi'), spoke(0, 1, 'Bob', 'Over')], whisper_history: null },
  { request: 'WHISPER', ...about(0), whisper_history: [spoke(0, 0, 'Dot', 'second')] },
  { request: 'DAILY_INITIALIZE', ...about(1), setting: terms },
  { request: 'VOTE', ...about(1) },
  { request: 'ATTACK', ...about(1, { status_map: { ...alive, Ann: 'DEAD' } }), whisper_history: [] },
  {
    request: 'FINISH',
    ...about(2, {
      status_map: { ...alive, Ann: 'DEAD', Cid: 'DEAD' },
      role_map: { ...roles, Ann: 'VILLAGER', Cid: 'VILLAGER', Eve: 'SEER', Fay: 'VILLAGER' },
      executed_agent: 'Ann',
      attacked_agent: 'Cid',
      vote_list: [
        { day: 1, agent: 'Bob', target: 'Ann' },
        { day: 1, agent: 'Cid', target: 'Ann' },
      ],
      attack_vote_list: [
        { day: 1, agent: 'Bob', target: 'Cid' },
        { day: 1, agent: 'Dot', target: 'Cid' },
      ],
    }),
  },
]);

// ── The same at any time ──

const freeTerms = { ...terms, talk: { ...speech(2), duration: 10 }, whisper: speech(2) };
const broadcast = (place: 'talk' | 'whisper', idx: number, agent: string, text: string) => ({
  request: `${place.toUpperCase()}_BROADCAST`,
  ...about(0),
  [`new_${place}`]: spoke(0, idx, agent, text),
});

/** Day 0. One broadcast comes twice and one never; the end of the day tells all of its talk. */
export const anytimeDay = conversation('natural', [
  { request: 'NAME' },
  { request: 'INITIALIZE', ...about(0), setting: freeTerms },
  { request: 'DAILY_INITIALIZE', ...about(0), setting: freeTerms },
  { request: 'WHISPER_PHASE_START', ...about(0) },
  broadcast('whisper', 0, 'Dot', 'first'),
  { request: 'WHISPER_PHASE_END', ...about(0) },
  { request: 'TALK_PHASE_START', ...about(0) },
  broadcast('talk', 0, 'Eve', 'hi'),
  broadcast('talk', 0, 'Eve', 'hi'),
  broadcast('talk', 2, 'Eve', 'well'),
  { request: 'TALK_PHASE_END', ...about(0) },
  {
    request: 'DAILY_FINISH',
    ...about(0),
    talk_history: [spoke(0, 0, 'Eve', 'hi'), spoke(0, 1, 'Cid', 'Over'), spoke(0, 2, 'Eve', 'well')],
    whisper_history: [],
  },
]);
