/** The packets of the natural-language division's server (February 2026): what is empty is left out, agents are names. */
import { roleCountsFor, rolesIn } from '@maw/games/aiwolf/role-counts.ts';
import { type Finding, type Place, type Role, speciesOf } from '@maw/games/aiwolf/state.ts';
import { OVER, SKIP } from '@maw/games/aiwolf/turns.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { knownRoles, statusesOf } from './facts.ts';
import type { Request, Terms } from './terms.ts';
import { type Ballot, newsOf, type Utterance, type View } from './view.ts';

/** Which histories a packet carries. */
const HISTORIES: { readonly [request in Request]?: readonly Place[] } = {
  TALK: ['talk'],
  WHISPER: ['whisper'],
  ATTACK: ['whisper'],
  DAILY_FINISH: ['talk', 'whisper'],
};

const placesOf = (terms: Terms, v: View, request: Request): readonly Place[] =>
  (HISTORIES[request] ?? []).filter((place) => place === 'talk' || v.game.roles[terms.seat] === 'werewolf');

/** @param names by seat @param roles of all seats, at the end of the game */
export function naturalPacket(terms: Terms, v: View, request: Request, round: number, names: readonly string[], roles?: readonly string[]) {
  const places = placesOf(terms, v, request);
  const history = (place: Place) => v.said[place].slice(v.sent[place]).map((each) => talk(terms, each, names));
  return {
    request,
    info: infoOf(terms, v, request, round, names, roles),
    ...(request === 'INITIALIZE' || request === 'DAILY_INITIALIZE' ? { setting: settingOf(terms) } : {}),
    ...(request === 'TALK_BROADCAST' ? { new_talk: talk(terms, v.said.talk.at(-1)!, names) } : {}),
    ...(places.includes('talk') ? { talk_history: history('talk') } : {}),
    ...(places.includes('whisper') ? { whisper_history: history('whisper') } : {}),
  };
}

/** Which utterances the agent has been sent once it has this packet. The published server takes both kinds as sent with either. */
export function naturalSent(terms: Terms, v: View, request: Request): View['sent'] {
  const places = placesOf(terms, v, request);
  const isSent = (place: Place) => places.includes(place) || (terms.isStrict && places.length > 0);
  return {
    talk: isSent('talk') ? v.said.talk.length : v.sent.talk,
    whisper: isSent('whisper') ? v.said.whisper.length : v.sent.whisper,
  };
}

const talk = ({ isStrict }: Terms, { idx, day, turn, by, text, at }: Utterance, names: readonly string[]) => ({
  idx,
  day,
  turn,
  agent: names[by]!,
  text,
  skip: text === SKIP,
  over: text === OVER,
  ...(isStrict ? {} : { time: at }), // only newer servers have it, and newer agents need it
});

const sorted = <T>(values: readonly (T | undefined)[], names: readonly string[]): { [name: string]: T } =>
  Object.fromEntries(
    values
      .flatMap((value, seat): [string, T][] => (value === undefined ? [] : [[names[seat]!, value]]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

const filled = <T extends object>(list: readonly T[]): readonly T[] | undefined => (list.length ? list : undefined);

function infoOf(terms: Terms, v: View, request: Request, round: number, names: readonly string[], roles?: readonly string[]) {
  const { executed, killed, divined } = newsOf(v);
  const named = (seat: Seat | undefined) => (seat === undefined ? undefined : names[seat]);
  const votes = (ballots: readonly Ballot[]) =>
    filled(ballots.map(({ by, day, target }) => ({ day, agent: names[by], target: names[target] })));
  const judge = (finding: Finding | undefined, by: Seat | undefined) =>
    finding && { day: finding.day - 1, agent: named(by), target: named(finding.seat), result: finding.found.toUpperCase() };
  const medium = identifiedIn(terms, v, roles);
  const isSpeech = request === 'TALK' || request === 'WHISPER';
  const speech = isSpeech ? v.game.speech : undefined;
  const mine = terms.seat;
  return {
    game_id: terms.ids(round).id,
    day: v.day,
    agent: names[mine],
    profile: request === 'INITIALIZE' ? terms.profile : undefined,
    medium_result: judge(medium, medium?.seat),
    divine_result: judge(divined, divined?.by),
    executed_agent: named(executed),
    attacked_agent: named(killed.at(-1)), // there is room for one; the status_map tells of all
    vote_list: votes(v.votesBefore),
    attack_vote_list: votes(v.attackVotesBefore),
    remain_count: speech && speech.left[mine]! - 1,
    remain_length: speech?.share?.[mine],
    remain_skip: speech && Math.max(0, terms.options.skips - speech.skips[mine]!),
    status_map: sorted(statusesOf(v), names),
    role_map: sorted(
      (roles ?? knownRoles(v)).map((role) => role?.toUpperCase()),
      names,
    ),
  };
}

/** What the medium knows: also of an execution that has ended the game, after which no morning comes. */
function identifiedIn({ seat }: Terms, v: View, roles: readonly string[] | undefined): Finding | undefined {
  const { executed, identified } = newsOf(v);
  if (identified || !roles || executed === undefined || roles[seat] !== 'medium') return identified;
  return { day: v.day, by: seat, seat: executed, found: speciesOf(roles[executed] as Role) };
}

function settingOf({ players, options, answerMs, signMs }: Terms) {
  const counts = roleCountsFor(players, options.roles, options.preset);
  const limit = (length: number) => length || undefined;
  const speech = (perAgent: number, perDay: number) => ({
    max_count: { per_agent: perAgent, per_day: perAgent ? perDay : 0 },
    max_length: {
      count_in_word: options.lengthIn === 'words',
      count_spaces: options.lengthIn === 'characters',
      per_talk: limit(options.lengthPerTalk),
      mention_length: limit(options.mentionLength),
      per_agent: limit(options.lengthPerDay),
      base_length: limit(options.baseLength),
    },
    max_skip: perAgent ? options.skips : 0,
  });
  return {
    agent_count: players,
    max_day: options.maxDays < NO_LAST_DAY ? options.maxDays : undefined,
    vote_visibility: options.voteVisible,
    talk: { ...speech(options.utterances, options.turns), duration: options.talk === 'anytime' ? options.talkMs : undefined },
    whisper: speech(options.whispers, options.whisperTurns),
    vote: { max_count: options.revotes + 1, allow_self_vote: options.selfVotes },
    attack_vote: { max_count: options.attackRevotes + 1, allow_self_vote: options.selfVotes, allow_no_target: options.noAttack },
    timeout: { action: answerMs, response: signMs },
    role_num_map: Object.fromEntries(
      rolesIn(counts)
        .map((role): [string, number] => [role.toUpperCase(), counts[role]])
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** So many days stand for no limit. */
const NO_LAST_DAY = 1000;

/** What an agent is asked when it connects, and again when it is late. */
export const namePacket = { request: 'NAME' } as const;

/** One message. */
export const writeNaturalPacket = (packet: object): string => JSON.stringify(packet);
