import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { ThoughtCall, ThoughtStep } from '@maw/lab/thoughts/recorded-thoughts.ts';
import { readDecision } from '@maw/lab/thoughts/read-thoughts.ts';
import type { CompletionReply, CompletionRequest } from '@maw/minds/mind.ts';
import { fillPrompt, parsePrompt } from '@maw/minds/prompts/prompt-file.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { readTextFile } from '@maw/text/text-file.ts';
import { startSeatModels } from '../clients/seat-models.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { CliConfig } from '../config.ts';
import { withWeb } from '../connect.ts';
import { chooseModels, type ModelOptions, requireModel } from '../models.ts';
import { aside, say } from '../output.ts';
import type { ThoughtOptions } from './thoughts.ts';

export interface AgainOptions extends ThoughtOptions, ModelOptions {
  /** `DECISION.STEP`, or the number of a decision: its last act. */
  readonly again: string;
  /** A file with the prompt; it is written when there is none. */
  readonly prompt?: string;
}

/** The longest that the answer is waited for, in milliseconds. */
const MAX_ANSWER_MS = 180_000;

/**
 * `maw thoughts TABLE --again 7.4`: asks what a mind was asked once more, of another model or with another prompt. The table does not change.
 * @returns the exit code: 1 when no reply came, 130 when it was interrupted
 * @throws Error when no model was asked then, or the prompt cannot be read
 */
export async function askAgain(table: string, options: AgainOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const { call, step } = await withWeb(options, config, (web) => findCall(web, table, options.again));
  const { prompt, json } = options;
  if (prompt !== undefined && !existsSync(prompt)) {
    await writeFile(prompt, call.messages.map(({ role, content }) => `# ${role}\n\n${content}\n`).join('\n'));
    aside(`maw: wrote the prompt to ${prompt}; change it, and the same command asks with it`);
    return 0;
  }
  const messages = prompt === undefined ? call.messages : promptIn(prompt);
  const model = options.model ?? call.reply?.model;
  const models = await chooseModels(config.all, { ...options, model }, undefined).catch((error: unknown) => {
    if (options.model !== undefined) throw error;
    throw new Error(`${model ?? 'a model'} was asked then, and it is not there now; name one with --model`, { cause: error });
  });
  requireModel(models, '--again');
  const request = requestOf(call, messages as CompletionRequest['messages'], models.model);
  const gateway = await startSeatModels(models);
  try {
    const user = { table, seat: 0, recipe: step.content.recipe ?? 'any', calls: 1, callMs: MAX_ANSWER_MS, signal };
    const now = await gateway.toolsFor(user).complete(request, step.name);
    if (json) say(JSON.stringify({ before: call.reply ?? { failed: call.failed }, now }));
    else for (const line of [`then  ${toldOf(call)}`, `now   ${replyLine(now)}`]) say(line);
    return 0;
  } catch (error) {
    if (signal.aborted) return 130;
    aside(`maw: no reply: ${sanitizeText((error as Error).message)}`);
    return 1;
  } finally {
    await gateway.close();
  }
}

/** The first call of the step that acted: later ones repair it. @throws Error when there is none */
async function findCall(web: WebClient, table: string, again: string): Promise<{ call: ThoughtCall; step: ThoughtStep }> {
  const [, decision, number] = /^([1-9]\d*)(?:\.(\d+))?$/.exec(again) ?? [];
  if (decision === undefined) throw new Error(`--again ${again.slice(0, 60)}: it is the number of an act as --why lists it, such as 7.4`);
  const { steps } = await readDecision(web, table, { decision });
  let found: ThoughtStep | undefined;
  for await (const step of steps)
    if (number === undefined ? step.kind === 'act' && step.content.calls?.length : step.step === Number(number)) found = step;
  const call = found?.content.calls?.find(({ messages }) => messages.length > 0);
  if (!found || !call)
    throw new Error(`--again ${again}: ${found || number === undefined ? 'no model was asked there' : 'there is no such step'}`);
  return { call, step: found };
}

const promptIn = (path: string) => fillPrompt(parsePrompt(path, readTextFile(path), readTextFile), () => undefined);

const requestOf = (
  { format, temperature, seed, maxTokens, ...call }: ThoughtCall,
  messages: CompletionRequest['messages'],
  model: string | undefined,
): CompletionRequest => {
  const { think, topP } = call as Pick<CompletionRequest, 'think' | 'topP'>;
  const given = { format, temperature, seed, maxTokens, think, topP, model };
  return { messages, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
};

const toldOf = ({ reply, failed }: ThoughtCall): string =>
  reply ? replyLine(reply) : `no reply: ${sanitizeText(failed ?? 'nobody knows why')}`;

const replyLine = ({ model, content, unfit }: Pick<CompletionReply, 'model' | 'content' | 'unfit'>): string =>
  sanitizeText(`${model}: ${content}${unfit === undefined ? '' : ` (which is not what was asked for: ${unfit})`}`);
