import { z } from 'zod';
import { findModel, type Model } from '../engine/model-spec.ts';
import type { Runner } from '../engine/scheduler.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { type Exchange, field, readBody, type Route } from '../http/exchange.ts';
import { sendJson } from '../http/reply.ts';

/** The Ollama whose protocol this is. */
const VERSION = '0.33.0';

export const version: Route = { run: (exchange) => sendJson(exchange, 200, { version: VERSION }) };

const FAMILY = 'simulated';
const SIZE = 5_000_000_000;
const MODIFIED_AT = '2026-08-01T12:00:00Z';

const details = {
  parent_model: '',
  format: 'gguf',
  family: FAMILY,
  families: [FAMILY],
  parameter_size: '8.0B',
  quantization_level: 'Q4_K_M',
};

/** `GET /api/tags` */
export const tags: Route = {
  run: (exchange) => {
    const listed = [...exchange.server.models.values()].map((model) => ({
      name: model.name,
      model: model.name,
      modified_at: MODIFIED_AT,
      size: SIZE,
      digest: model.digest,
      details: { ...details, context_length: model.contextLength, embedding_length: model.dimensions },
      capabilities: model.capabilities,
    }));
    sendJson(exchange, 200, { models: listed });
  },
};

/** `GET /api/ps`: blocks while a model is loading. */
export const ps: Route = {
  run: async (exchange) => {
    const { server, client, fault } = exchange;
    if (fault?.name === 'ps-blocks') await server.faults.cleared('ps-blocks', client.signal);
    await server.engine.scheduler.settled(client);
    const runners = server.engine.scheduler.runners().toSorted((a, b) => expiry(exchange, b) - expiry(exchange, a));
    const listed = runners.map((runner) => ({
      name: runner.model.name,
      model: runner.model.name,
      size: SIZE,
      digest: runner.model.digest,
      details,
      expires_at: new Date(expiry(exchange, runner)).toISOString(),
      size_vram: SIZE,
      context_length: runner.numCtx,
    }));
    sendJson(exchange, 200, { models: listed });
  },
};

/** Go's longest duration, 292 years, stands for "for ever". */
const FOREVER_MS = 2 ** 63 / 1e6;

const expiry = ({ server }: Exchange, runner: Runner): number => {
  const { clock } = server.engine;
  const leftMs = runner.clients.size > 0 ? runner.keepAliveMs : runner.expiresAt - clock.now();
  return clock.wall() + Math.min(leftMs, FOREVER_MS);
};

const naming = z.object({ model: field.text, name: field.text });

/** `POST /api/show` */
export const show: Route = {
  run: (exchange) => {
    const body = readBody(exchange, naming);
    const name = body.model || body.name;
    if (name === '') throw new HttpError(400, 'model is required');
    const model = findModel(exchange.server.models, name);
    if (model === undefined) throw ollamaErrors.noModel(name);
    sendJson(exchange, 200, {
      license: 'No weights: this model is a simulation.',
      modelfile: `# A simulation of a model.\nFROM ${model.name}\n`,
      parameters: 'temperature                    0.8',
      template: '{{ range .Messages }}{{ .Role }}: {{ .Content }}\n{{ end }}assistant:',
      details,
      model_info: {
        'general.architecture': FAMILY,
        'general.basename': 'simulated',
        [`${FAMILY}.context_length`]: model.contextLength,
        [`${FAMILY}.embedding_length`]: model.dimensions,
      },
      capabilities: model.capabilities,
      modified_at: MODIFIED_AT,
    });
  },
};

/** An error in OpenAI's format. */
export const openaiError = (error: Error, status: number): object => {
  const type = status === 400 ? 'invalid_request_error' : status === 404 ? 'not_found_error' : 'api_error';
  return { error: { message: error.message, type, param: null, code: null } };
};

const described = (model: Model): object => ({
  id: model.name,
  object: 'model',
  created: Math.floor(Date.parse(MODIFIED_AT) / 1000),
  owned_by: 'library',
});

/** `GET /v1/models` */
export const openaiModels: Route = {
  error: openaiError,
  run: (exchange) => sendJson(exchange, 200, { object: 'list', data: [...exchange.server.models.values()].map(described) }),
};
