import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import type { CompletionReply, CompletionRequest, Thought, Tools } from '@maw/minds/mind.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { benchmark } from '../benchmark.ts';
import { integer, text } from '../options.ts';

interface Call {
  readonly step: string;
  readonly seconds: number;
}

interface TapeEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** How long one call may take, in milliseconds: the clock of the game stands meanwhile. */
const LONGEST_CALL_MS = 600_000;

export const talkTimes = benchmark({
  name: 'talk-times',
  description:
    'plays a game of maw with time-to-talk on every seat and a real model, while the clock of the game stands, and counts its calls',
  options: {
    model: text('the model', 'qwen2.5-coder:0.5b'),
    url: text('the Ollama server', process.env['OLLAMA_HOST'] ?? 'http://127.0.0.1:11434', 'URL'),
    mind: text('parameters of the recipe, as in when=rule;style=plain', ''),
    players: integer('players', { fallback: 5, min: 3 }),
    seconds: integer('length of a day; a night has half of it', { fallback: 120 }),
    days: integer('days at most', { fallback: 2 }),
    seed: text('the same seed deals the same roles', 'talk'),
  },
  async measure({ model, url, mind, players, seconds, days, seed }, { signal, say }) {
    const given = Object.fromEntries(mind.split(';').flatMap((one) => (one.includes('=') ? [one.split('=') as [string, string]] : [])));
    const recipe = findRecipe('time-to-talk', undefined, given);
    const calls: Call[] = [];
    const thoughts: Thought[] = [];
    const asked = async (request: CompletionRequest, step = ''): Promise<CompletionReply> => {
      const startedAt = performance.now();
      const reply = await askOllama(url, model, request, signal);
      calls.push({ step, seconds: (performance.now() - startedAt) / 1_000 });
      say(`${calls.length} ${step} ${calls.at(-1)!.seconds.toFixed(1)} s: ${reply.content.slice(0, 100)}`);
      return reply;
    };
    const toolsFor = (_: number, now: number): Tools => ({
      complete: (request, step) => asked(request, step),
      embed: () => Promise.reject(new Error('there are no embeddings')),
      record: async (thought) => void thoughts.push(thought),
      now: () => now,
      signal,
    });
    const options = { dayMs: seconds * 1_000, nightMs: seconds * 500, maxDays: days };
    const { tape } = await playGame({
      rules: ruleSetNamed('maw'),
      players,
      options,
      seed,
      recipeFor: () => recipe,
      toolsFor,
      paceMs: 5_000,
    });
    return { text: tableOf(calls, thoughts, tape), json: [{ model, calls, tape }] };
  },
});

async function askOllama(url: string, model: string, request: CompletionRequest, signal: AbortSignal): Promise<CompletionReply> {
  const { messages, format, temperature, seed, maxTokens } = request;
  const options = { temperature, seed, num_predict: maxTokens, num_ctx: 8192 };
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model, messages, format, options, stream: false }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_CALL_MS)]),
  });
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
  const {
    message,
    prompt_eval_count: prompt = 0,
    eval_count: completion = 0,
  } = (await response.json()) as {
    readonly message: { readonly content: string };
    readonly prompt_eval_count?: number;
    readonly eval_count?: number;
  };
  return { content: message.content, model, tokens: { prompt, completion } };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function tableOf(calls: readonly Call[], thoughts: readonly Thought[], tape: readonly TapeEvent[]): string {
  const floors = thoughts.filter(({ name }) => name === 'when').map(({ content }) => content);
  const told = (which: string) => floors.filter((one) => one['told'] === which);
  const says = (of: typeof floors, which: string) => of.filter((one) => one['says'] === which).length;
  const lines = tape.flatMap((event) => {
    const { answer, question = '' } = event as { readonly answer?: { readonly says: readonly string[] }; readonly question?: string };
    return event.type === 'answered' && question.endsWith('/talk') ? [answer!.says[0]!] : [];
  });
  const dropped = thoughts.flatMap(({ content }) => (typeof content['dropped'] === 'string' ? [content['dropped']] : []));
  const secondsOf = (step: string): string => median(calls.filter((call) => call.step === step).map((call) => call.seconds)).toFixed(1);
  const rows: readonly (readonly [string, string | number])[] = [
    [
      'calls of `when`, `write`, `decide`',
      ['when', 'write', 'decide'].map((step) => calls.filter((call) => call.step === step).length).join(', '),
    ],
    ['told to speak: says speak, wait', `${says(told('speak'), 'speak')}, ${says(told('speak'), 'wait')}`],
    ['told to wait: says speak, wait', `${says(told('wait'), 'speak')}, ${says(told('wait'), 'wait')}`],
    ['seconds of a call of `when`, `write`, `decide` (median)', ['when', 'write', 'decide'].map(secondsOf).join(', ')],
    ['lines said', lines.length],
    ['words a line (median)', median(lines.map((line) => line.split(/\s+/).length))],
    ['dropped: late, repeated, unfit', ['late', 'repeated', 'unfit'].map((why) => dropped.filter((one) => one === why).length).join(', ')],
  ];
  return [`| | |`, '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`), '', ...lines.map((line) => `> ${line}`)].join(
    '\n',
  );
}
