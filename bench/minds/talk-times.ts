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
    return { text: tableOf(calls, thoughts, tape, options.dayMs), json: [{ model, calls, tape }] };
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

interface Line {
  readonly phase: string;
  readonly by: number;
  readonly at: number;
  readonly text: string;
  /** Who could have spoken. */
  readonly of: number;
  /** Since when one could speak. */
  readonly since: number;
}

/** What was said, with who could have spoken; a night has half of the time of a day. */
function linesOf(tape: readonly TapeEvent[], dayMs: number): readonly Line[] {
  const asked = new Map<string, { readonly of: number; readonly since: number }>();
  return tape.flatMap((event) => {
    const { type, question } = event;
    if (type === 'asked') {
      const { id, of, until } = question as { readonly id: string; readonly of: readonly number[]; readonly until: number };
      asked.set(id, { of: of.length, since: until - (/(^|\/)night/.test(id) ? dayMs / 2 : dayMs) });
    }
    if (type !== 'answered' || typeof question !== 'string' || !question.endsWith('/talk')) return [];
    const { by, says } = event['answer'] as { readonly by: number; readonly says: readonly string[] };
    return [{ phase: question, by, at: event['at'] as number, text: says[0]!, ...asked.get(question)! }];
  });
}

/** Who spoke how much, and when, by day; in seconds of the game. */
function timesOf(lines: readonly Line[]): readonly (readonly [string, string])[] {
  const days = [...Map.groupBy(lines, ({ phase }) => phase).values()];
  const gaps = days.flatMap((day) => day.slice(1).map(({ at }, i) => (at - day[i]!.at) / 1_000));
  const silences = days.map((day) => Math.max(...day.map(({ at, since }, i) => at - (day[i - 1]?.at ?? since))) / 1_000);
  const shares = days.flatMap((day) => {
    const own = Map.groupBy(day, ({ by }) => by);
    return Array.from({ length: day[0]!.of }, (_, n) => (([...own.values()][n]?.length ?? 0) * day[0]!.of) / day.length);
  });
  const number = (value: number): string => (Number.isNaN(value) ? 'none' : value.toFixed(2));
  return [
    ['share of the talk of a day times n: median, least, most', `${number(median(shares))}, ${shares.length ? number(Math.min(...shares)) : 'none'}, ${shares.length ? number(Math.max(...shares)) : 'none'}`], // prettier-ignore
    ['seconds between two lines (median)', number(median(gaps))],
    ['longest silence of a day before its last line, seconds (median)', number(median(silences))],
    ['seconds from the dawn to the first line (median)', number(median(days.map(([line]) => (line!.at - line!.since) / 1_000)))],
  ];
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function tableOf(calls: readonly Call[], thoughts: readonly Thought[], tape: readonly TapeEvent[], dayMs: number): string {
  const floors = thoughts.filter(({ name }) => name === 'when').map(({ content }) => content);
  const told = (which: string) => floors.filter((one) => one['told'] === which);
  const says = (of: typeof floors, which: string) => of.filter((one) => one['says'] === which).length;
  const spoken = linesOf(tape, dayMs);
  const lines = spoken.map(({ text: said }) => said);
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
    ...timesOf(spoken),
    ['words a line (median)', median(lines.map((line) => line.split(/\s+/).length))],
    ['dropped: late, repeated, unfit', ['late', 'repeated', 'unfit'].map((why) => dropped.filter((one) => one === why).length).join(', ')],
  ];
  return [`| | |`, '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`), '', ...lines.map((line) => `> ${line}`)].join(
    '\n',
  );
}
