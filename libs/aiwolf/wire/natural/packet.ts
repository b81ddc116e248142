/** Packets of the natural-language division's server: one JSON object per WebSocket message. Agents are names. */
import { z } from 'zod';
import { ASKS, list, maybe, readPacket, species, status, TELLS } from '../read-packet.ts';

/** Where everybody talks or whispers at any time, it begins, goes on and ends so. */
const ANYTIME = ['PHASE_START', 'BROADCAST', 'PHASE_END'] as const;
const REQUESTS = [...ASKS, ...TELLS, ...ANYTIME.flatMap((edge) => [`TALK_${edge}`, `WHISPER_${edge}`] as const)] as const;
export type NaturalRequest = (typeof REQUESTS)[number];

const name = z.string();
const talk = z.object({ agent: name, day: z.int(), idx: z.int(), turn: z.int(), text: z.string() });
const vote = z.object({ agent: name, day: z.int(), target: name });
const judge = z.object({ agent: name, day: z.int(), target: name, result: species });

const info = z.object({
  game_id: maybe(z.string()),
  agent: name,
  day: z.int(),
  /** By name of the agent. */
  status_map: z.record(z.string(), status),
  role_map: z.record(z.string(), z.string()),
  /** Of yesterday and of last night. */
  executed_agent: maybe(name),
  attacked_agent: maybe(name),
  divine_result: maybe(judge),
  medium_result: maybe(judge),
  vote_list: list(vote),
  attack_vote_list: list(vote),
});

const speech = z.object({
  max_count: z.object({ per_agent: z.int(), per_day: z.int() }),
  max_length: z.object({
    count_in_word: maybe(z.boolean()),
    count_spaces: maybe(z.boolean()),
    per_talk: maybe(z.int()),
    mention_length: maybe(z.int()),
    per_agent: maybe(z.int()),
    base_length: maybe(z.int()),
  }),
  max_skip: z.int(),
  /** Only where everybody talks at any time: how long that lasts, in milliseconds; a text where a server writes a unit. */
  duration: maybe(z.union([z.number(), z.string()])),
});

const ballot = z.object({ max_count: z.int(), allow_self_vote: z.boolean(), allow_no_target: maybe(z.boolean()) });

const setting = z.object({
  max_day: maybe(z.int()),
  role_num_map: z.record(z.string(), z.int()),
  vote_visibility: z.boolean(),
  talk: speech,
  whisper: speech,
  vote: ballot,
  attack_vote: ballot,
  /** Milliseconds for one answer. */
  timeout: z.object({ action: z.int() }),
});

const packet = z.object({
  request: z.enum(REQUESTS),
  info: maybe(info),
  setting: maybe(setting),
  /** What was said since the last history. */
  talk_history: list(talk),
  whisper_history: list(talk),
  /** In TALK_BROADCAST and WHISPER_BROADCAST: what was just said. */
  new_talk: maybe(talk),
  new_whisper: maybe(talk),
});
export type NaturalPacket = z.infer<typeof packet>;
export type Info = z.infer<typeof info>;
export type Setting = z.infer<typeof setting>;

/** @throws PacketError */
export const readNaturalPacket = (message: string): NaturalPacket => readPacket(packet, message);
