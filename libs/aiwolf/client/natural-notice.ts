import { type Info, type NaturalPacket, type NaturalRequest, readNaturalPacket, type Setting } from '../wire/natural/packet.ts';
import { PacketError, wantsAnswer } from '../wire/read-packet.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import {
  type Judgement,
  type Notice,
  type Request,
  roleOf,
  rolesFrom,
  type Situation,
  speciesFrom,
  type Terms,
  type Utterance,
  type Vote,
} from './notice.ts';

/** A message of the natural-language division's server. @throws PacketError */
export function naturalNotice(message: string): Notice {
  const { request, info, setting, talk_history, whisper_history, new_talk, new_whisper } = readNaturalPacket(message);
  const phase = phaseOf(request);
  if (request === 'INITIALIZE' && !(info && setting)) throw new PacketError(`INITIALIZE has no ${info ? 'setting' : 'info'}`);
  const names = namesIn(info);
  return {
    request: isOfPhase(request) ? 'OTHER' : request,
    wantsAnswer: wantsAnswer(request),
    ...(phase ? { phase } : {}),
    ...(setting ? { terms: termsOf(setting, names, info) } : {}),
    situation: info && situationOf(info, names),
    talk: [...talk_history, ...(new_talk ? [new_talk] : [])].map((said) => utterance(said, names)),
    whispers: [...whisper_history, ...(new_whisper ? [new_whisper] : [])].map((said) => utterance(said, names)),
  };
}

/** The names in the order of their seats: the server does not tell an order of its own. */
const namesIn = (info: Info | undefined): readonly string[] => Object.keys(info?.status_map ?? {}).toSorted();

const isOfPhase = (request: NaturalRequest): request is Exclude<NaturalRequest, Request> => /_(?:START|END|BROADCAST)$/.test(request);

function phaseOf(request: NaturalRequest): Notice['phase'] {
  const [, place, edge] = /^(TALK|WHISPER)_PHASE_(START|END)$/.exec(request) ?? [];
  return place === undefined ? undefined : { place: place === 'TALK' ? 'talk' : 'whisper', isBegun: edge === 'START' };
}

function termsOf(setting: Setting, names: readonly string[], info: Info | undefined): Terms {
  const { talk, whisper, vote, attack_vote: attack } = setting;
  const { max_length: length } = talk;
  const limitMs = setting.timeout.action;
  return {
    names,
    options: {
      preset: 'nlp-2026',
      roles: rolesFrom(setting.role_num_map),
      ...(talk.duration ? { talk: 'anytime' } : {}),
      ...(typeof talk.duration === 'number' && talk.duration >= 10 ? { talkMs: Math.round(talk.duration) } : {}),
      utterances: talk.max_count.per_agent,
      turns: Math.max(1, talk.max_count.per_day),
      whispers: whisper.max_count.per_agent,
      whisperTurns: Math.max(1, whisper.max_count.per_day),
      skips: talk.max_skip,
      revotes: Math.max(0, vote.max_count - 1),
      attackRevotes: Math.max(0, attack.max_count - 1),
      selfVotes: vote.allow_self_vote,
      noAttack: attack.allow_no_target ?? false,
      voteVisible: setting.vote_visibility,
      baseLength: length.base_length ?? 0,
      mentionLength: length.mention_length ?? 0,
      lengthPerDay: length.per_agent ?? 0,
      lengthPerTalk: length.per_talk ?? 0,
      lengthIn: length.count_in_word ? 'words' : length.count_spaces ? 'characters' : 'visible',
      maxDays: setting.max_day ?? 1000,
      turnMs: Math.max(10, limitMs),
    },
    limitMs,
    game: info?.game_id,
  };
}

function situationOf(info: Info, names: readonly string[]): Situation {
  const seat = (name: string | undefined) => (name === undefined ? undefined : seatOf(name, names));
  const vote = ({ agent, target }: Info['vote_list'][number]): Vote => ({ by: seatOf(agent, names), seat: seatOf(target, names) });
  const judgement = (result: Info['divine_result']): Judgement | undefined =>
    result && { seat: seatOf(result.target, names), found: speciesFrom(result.result) };
  return {
    me: seatOf(info.agent, names),
    day: info.day,
    living: names.flatMap((name, each) => (info.status_map[name] === 'ALIVE' ? [each] : [])),
    roles: names.map((name) => (info.role_map[name] === undefined ? 'hidden' : roleOf(info.role_map[name]))),
    executed: seat(info.executed_agent),
    attacked: undefined,
    guarded: undefined,
    divined: judgement(info.divine_result),
    identified: judgement(info.medium_result),
    votes: info.vote_list.map(vote),
    attackVotes: info.attack_vote_list.map(vote),
    votesToday: [],
    attackVotesToday: [],
  };
}

const utterance = ({ agent, ...said }: NaturalPacket['talk_history'][number], names: readonly string[]): Utterance => ({
  ...said,
  by: seatOf(agent, names),
});

function seatOf(name: string, names: readonly string[]): Seat {
  const seat = names.indexOf(name);
  if (seat < 0) throw new PacketError(`${name} is not in the status_map, which names ${names.join(', ')}`);
  return seat;
}
