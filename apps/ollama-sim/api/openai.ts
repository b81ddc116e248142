import { findModel, type Model, spokenName } from '../engine/model-spec.ts';
import { readOptions } from '../engine/model-options.ts';
import { HttpError, ollamaErrors } from '../errors.ts';
import { numberIn } from '../json-schema/schema.ts';
import { readModel } from './model-request.ts';
import { readBody, textIn } from '../http/body.ts';
import { embedAll, readInputs } from './embed.ts';
import { sendJson, sendWhole } from '../http/reply.ts';
import type { Route } from '../http/route.ts';

/** An error in OpenAI's format. */
export const openaiError = (error: Error, status: number): object => {
  const type = status === 400 ? 'invalid_request_error' : status === 404 ? 'not_found_error' : 'api_error';
  return { error: { message: error.message, type, param: null, code: null } };
};

const described = (model: Model): object => ({
  id: model.name,
  object: 'model',
  created: Math.floor(Date.parse(model.modifiedAt) / 1000),
  owned_by: 'library',
});

/** `GET /v1/models` */
export const openaiModels: Route = {
  error: openaiError,
  run: (exchange) => sendJson(exchange, 200, { object: 'list', data: [...exchange.server.models.values()].map(described) }),
};

/** `GET /v1/models/:id` */
export const openaiModel: Route = {
  error: openaiError,
  run: (exchange) => {
    const id = decodeURIComponent(exchange.path.slice('/v1/models/'.length));
    const model = findModel(exchange.server.models, id);
    if (model === undefined) throw ollamaErrors.noModel(id);
    sendJson(exchange, 200, described(model));
  },
};

/** `POST /v1/embeddings` */
export const openaiEmbeddings: Route = {
  inference: true,
  error: openaiError,
  run: async (exchange) => {
    const body = readBody(exchange.body, 'EmbedRequest', { model: 'string', dimensions: 'int', encoding_format: 'string' });
    const inputs = readInputs(body['input']);
    if (inputs.length === 0) throw new HttpError(400, 'invalid input');
    const name = textIn(body, 'model');
    const model = readModel(exchange.server, name, ollamaErrors.noModelTryPull);
    const dimensions = numberIn(body, 'dimensions') ?? 0;
    const ask = { model, options: readOptions({}), keepAliveMs: undefined, inputs, truncate: true, dimensions };
    const { vectors, tokens } = await embedAll(exchange, ask);
    const encode = (vector: readonly number[]): unknown =>
      body['encoding_format'] === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
    const data = vectors.map((vector, index) => ({ object: 'embedding', embedding: encode(vector), index }));
    const value = { object: 'list', data, model: spokenName(name), usage: { prompt_tokens: tokens, total_tokens: tokens } };
    await sendWhole(exchange, value, value, true);
  },
};
