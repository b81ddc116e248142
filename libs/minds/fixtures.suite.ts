import {
  type Asking,
  type CompletionReply,
  type CompletionRequest,
  type Mind,
  type Moment,
  newMind,
  type Thought,
  type Tools,
} from './mind.ts';

/** A scripted model: one reply per call, the last one for ever. */
export function scripted(...replies: readonly (string | Error)[]) {
  const asked: CompletionRequest[] = [];
  const thoughts: Thought[] = [];
  const over = new AbortController();
  const tools: Tools = {
    async complete(completion): Promise<CompletionReply> {
      asked.push(completion);
      const reply = replies[Math.min(asked.length, replies.length) - 1] ?? '';
      if (reply instanceof Error) throw reply;
      return { content: reply, model: 'scripted', tokens: { prompt: 1, completion: 1 } };
    },
    embed: () => Promise.reject(new Error('the script has no embeddings')),
    record: async (thought) => void thoughts.push(thought),
    now: () => 0,
    signal: over.signal,
  };
  return { tools, asked, thoughts, over };
}

const names = ['Ann', 'Bob', 'Cid', 'Dot'];
const others = ['seat:1', 'seat:2', 'seat:3'].map((is, i) => ({ is, named: names[i + 1]! }));
const room = 'round-1/day-2/Village';

/** A question that is answered once. */
export const asking = (id: string, verb: Asking['verb'], options: Asking['options'] = [], more: Partial<Asking> = {}): Asking => ({
  id: `round-1/${id}`,
  verb,
  options,
  pick: 1,
  until: 60_000,
  final: true,
  maxChars: 500,
  ...more,
});

/** Questions to seat 0, Ann, on a day of MAW. */
export const vote = asking('day-2/vote', 'choose', others, { final: false, room });
export const talk: Asking = { ...vote, id: 'round-1/day-2/talk', verb: 'say', options: [], maxChars: 40 };
export const inspect = asking('day-2/inspect', 'choose', others);
export const whisper: Asking = { ...talk, id: 'round-1/day-2/whisper', verb: 'tell', options: others, room: 'round-1/day-2/Whisper-0' };

export const dayTwo: Moment = {
  recipe: 'algorithm-1',
  table: 'table',
  seat: 0,
  name: 'Ann',
  now: 0,
  until: 60_000,
  phase: 'round-1/day-2',
  round: 1,
  iteration: 0,
  questions: [vote, talk],
  standing: {},
  news: [],
  refused: [],
  brief: 'Your role: Villager.',
  rules: { name: 'maw', text: 'Four players.\nThe Villagers win when every Werewolf is dead.' },
  players: names.map((name, seat) => ({ seat, name, alive: seat !== 3 })),
  seed: 'seed',
  isTimeShort: false,
  mustChoose: false,
  contextTokens: 8192,
};

/** A mind that has heard somebody speak on that day: it may vote. */
export const afterTalk: Mind = { ...newMind, notes: { spokenIn: dayTwo.phase } };
