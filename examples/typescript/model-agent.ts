import { type Agent, type Answer, type Observation, play } from '../../clients/typescript/agent.ts';

// Asks a model behind an OpenAI-compatible API: OPENAI_BASE_URL (such as http://127.0.0.1:11434/v1), OPENAI_API_KEY and MODEL.
// Get MAW_AT and MAW_TOKEN from `maw tokens make --role agent --name fox --shell`.

const { MAW_AT: at = '', MAW_TOKEN: key = '', OPENAI_BASE_URL: base = 'http://127.0.0.1:11434/v1' } = process.env;
const { OPENAI_API_KEY: apiKey = 'none', MODEL: model = 'llama3.1' } = process.env;
/** The latest sentences that the model is shown. */
const MEMORY = 80;
/** What each seat has seen. */
const memories = new Map<string, string[]>();

const agent: Agent = async (seen) => {
  const { table, seat, rules, brief, question, news, players, aheadMs, refused } = seen;
  const memory = [...(memories.get(`${table}/${seat}`) ?? []), ...news.flatMap(({ text }) => text ?? [])];
  memories.set(`${table}/${seat}`, memory);
  const lines = [
    ...memory.slice(-MEMORY),
    `You are asked: ${question.id.split('/').at(-1)} (${question.verb}).`,
    ...(question.options.length ? [`You may choose: ${question.options.map(({ is, named }) => `${is} (${named})`).join(', ')}.`] : []),
    ...(refused === undefined ? [] : [`Your last answer was not legal: ${refused}`]),
    `Reply with JSON alone: {"answer": ...}, where the answer fits this JSON schema: ${JSON.stringify(question.answer)}`,
  ];
  const system = `You play at seat ${seat} as ${players[seat]}. The rules:\n${rules}\n${brief}`;
  return ask(system, lines.join('\n'), question.until - aheadMs - Date.now() - 1_000).catch(() => fallback(seen));
};

/** @throws Error when the model does not answer in time, or not in JSON */
async function ask(system: string, user: string, ms: number): Promise<Answer> {
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Authorization': `Bearer ${apiKey}` },
    body: JSON.stringify({
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      response_format: { type: 'json_object' },
    }),
    signal: AbortSignal.timeout(Math.max(1, ms)),
  });
  const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
  return (JSON.parse(choices[0].message.content) as { answer: Answer }).answer;
}

/** A legal answer without a model: the first options, or nothing. */
function fallback({ question: { verb, options, pick } }: Observation): Answer | undefined {
  const names = options.map(({ is }) => is);
  if (verb !== 'choose') return undefined;
  return pick === 1 ? names[0] : names.slice(0, pick);
}

await play(agent, { at, key, games: Number(process.argv[2] ?? 1), onProblem: (error) => process.stderr.write(`${String(error)}\n`) });
