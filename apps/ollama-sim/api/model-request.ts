import { z } from 'zod';
import type { ChatMessage, ThinkLevel } from '../answer/answer.ts';
import { type Capability, findModel, type Model, spokenName } from '../engine/model-spec.ts';
import { type ModelOptions, readOptions } from '../engine/model-options.ts';
import { HttpError } from '../errors.ts';
import { field } from '../http/exchange.ts';
import type { SimulatedServer } from '../simulated-server.ts';

/** A validated inference request of either API. */
export interface ModelRequest {
  /** `model` in the response. */
  readonly label: string;
  readonly model: Model;
  readonly messages: readonly ChatMessage[];
  readonly options: ModelOptions;
  readonly keepAliveMs: number | undefined;
  /** As received; checked only when the model is loaded. */
  readonly format: unknown;
  readonly think: ThinkLevel | undefined;
  readonly truncate: boolean;
}

const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:[nuµμm]?s|m|h))+|0)$/;

/** `keep_alive` (seconds, or a Go duration) in milliseconds. Negative: Infinity; absent: undefined. */
export const keepAlive = z
  .union([z.number().transform((seconds) => seconds * 1000), z.string().regex(DURATION, 'is not a duration').transform(goDuration)])
  .nullish()
  .transform((ms) => (ms == null ? undefined : ms < 0 ? Infinity : ms));

function goDuration(text: string): number {
  const parts = [...text.matchAll(/([\d.]+)([^\d.]+)/g)];
  const ms = parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (UNIT_MS[unit] ?? 0), 0);
  return text.startsWith('-') ? -ms : ms;
}

/** The fields that all inference requests of the native API share. */
export const commonFields = {
  model: field.text,
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high', 'max'])]).nullish(),
  keep_alive: keepAlive,
  format: z.unknown().optional(),
  options: field.any,
  stream: field.flag(true),
  truncate: field.flag(true),
};
type CommonFields = Omit<z.output<z.ZodObject<typeof commonFields>>, 'stream'>;

/** Finds the model. @throws HttpError, which is `missing` */
export const readModel = (server: SimulatedServer, name: string, missing: (name: string) => HttpError): Model => {
  const model = findModel(server.models, name);
  if (model === undefined) throw missing(name);
  return model;
};

/** Validates the rest in Ollama's order: thinking, capabilities, options. @throws HttpError */
export const readModelRequest = (model: Model, body: CommonFields, messages: readonly ChatMessage[]): ModelRequest => {
  const { model: name, think: wanted } = body;
  const lacks = (capability: Capability): boolean => !model.capabilities.includes(capability);
  if (lacks('thinking') && wanted != null && wanted !== false)
    throw new HttpError(400, `${JSON.stringify(name)} does not support thinking`);
  if (lacks('completion')) throw new HttpError(400, `${JSON.stringify(name)} does not support chat`);
  return {
    label: spokenName(name),
    model,
    messages,
    options: readOptions(body.options),
    keepAliveMs: body.keep_alive,
    format: body.format,
    think: lacks('thinking') || wanted === false ? undefined : typeof wanted === 'string' ? wanted : 'medium',
    truncate: body.truncate,
  };
};
