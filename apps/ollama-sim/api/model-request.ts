import type { Message } from '../answer/read-prompt.ts';
import type { ThinkLevel } from '../answer/answer.ts';
import { type Capability, findModel, fullName, isModelName, type Model, spokenName } from '../engine/model-spec.ts';
import { type ModelOptions, readOptions } from '../engine/model-options.ts';
import { HttpError } from '../errors.ts';
import type { SimulatedServer } from '../simulated-server.ts';
import { type Body, fieldsIn, flagIn } from '../http/body.ts';
import { keepAliveMs } from './keep-alive.ts';

/** A validated inference request of either API. */
export interface ModelRequest {
  /** `model` in the response. */
  readonly label: string;
  readonly model: Model;
  readonly messages: readonly Message[];
  readonly options: ModelOptions;
  readonly keepAliveMs: number | undefined;
  /** As received; checked only when the model is loaded. */
  readonly format: unknown;
  readonly think: ThinkLevel | undefined;
  readonly tools: readonly unknown[];
  readonly truncate: boolean;
  readonly shift: boolean;
  /** The number of alternatives per token; undefined: no log probabilities. */
  readonly logprobs: number | undefined;
}

const LEVELS: readonly ThinkLevel[] = ['low', 'medium', 'high', 'max'];
const WHAT_THINK_MAY_BE = '"high", "medium", "low", "max", true, or false';

/** Parses `think`; undefined when absent. @throws HttpError 400 */
const readThink = (value: unknown): ThinkLevel | boolean | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') throw new HttpError(400, `think must be a boolean or string (${WHAT_THINK_MAY_BE})`);
  const level = LEVELS.find((one) => one === value);
  if (level === undefined) throw new HttpError(400, `invalid think value: ${JSON.stringify(value)} (must be ${WHAT_THINK_MAY_BE})`);
  return level;
};

/** The fields that Ollama checks while it parses the body, before the model. */
interface EarlyFields {
  readonly keepAliveMs: number | undefined;
  readonly think: ThinkLevel | boolean | undefined;
  readonly logprobs: number | undefined;
}

export const readEarlyFields = (body: Body): EarlyFields => ({
  think: readThink(body['think']),
  keepAliveMs: keepAliveMs(body['keep_alive']),
  logprobs: readTopLogprobs(body),
});

const readTopLogprobs = (body: Body): number | undefined => {
  const top = body['top_logprobs'] ?? 0;
  if (typeof top !== 'number' || top < 0 || top > 20) throw new HttpError(400, 'top_logprobs must be between 0 and 20');
  return body['logprobs'] === true ? top : undefined;
};

/** Finds the model. @throws HttpError 400 for an invalid name, `missing` for an unknown one */
export const readModel = (server: SimulatedServer, name: string, missing: (name: string) => HttpError): Model => {
  if (!isModelName(name)) throw new HttpError(400, 'invalid model name');
  const model = findModel(server.models, name);
  if (model === undefined) throw missing(name);
  return model;
};

/** Validates the rest in Ollama's order: thinking, capabilities, options. @throws HttpError */
export const readModelRequest = (
  model: Model,
  name: string,
  messages: readonly Message[],
  body: Body,
  early: EarlyFields,
  verb: 'chat' | 'generate',
): ModelRequest => {
  const wanted = early.think;
  const thinks = model.capabilities.includes('thinking');
  if (!thinks && wanted !== undefined && wanted !== false) throw new HttpError(400, `${JSON.stringify(name)} does not support thinking`);
  const tools = Array.isArray(body['tools']) ? (body['tools'] as readonly unknown[]) : [];
  const lacks = (capability: Capability): boolean => !model.capabilities.includes(capability);
  if (lacks('completion')) throw new HttpError(400, `${JSON.stringify(name)} does not support ${verb}`);
  if (tools.length > 0 && lacks('tools')) throw new HttpError(400, `${fullName(model)} does not support tools`);
  if (typeof body['suffix'] === 'string' && body['suffix'] !== '' && lacks('insert'))
    throw new HttpError(400, `${fullName(model)} does not support insert`);
  return {
    label: spokenName(name),
    model,
    messages,
    options: readOptions(fieldsIn(body, 'options')),
    keepAliveMs: early.keepAliveMs,
    format: body['format'],
    think: thinks && wanted !== false ? (typeof wanted === 'string' ? wanted : 'medium') : undefined,
    tools,
    truncate: flagIn(body, 'truncate', true),
    shift: flagIn(body, 'shift', true),
    logprobs: early.logprobs,
  };
};
