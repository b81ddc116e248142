import { type Model, withTag } from '../engine/model-spec.ts';
import { HttpError } from '../errors.ts';
import { flagIn, readBody, textIn } from '../http/body.ts';
import { NDJSON, openJsonStream } from '../http/json-stream.ts';
import { sendJson } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { SimulatedServer } from '../simulated-server.ts';

const STEPS = 4;

/** `POST /api/pull`. A status is sent before the lookup, so a missing model fails after a 200. */
export const pull: Route = {
  run: async (exchange) => {
    const { server, client } = exchange;
    const body = readBody(exchange.body, 'PullRequest', { model: 'string', name: 'string', stream: 'bool' });
    const name = textIn(body, 'model') || textIn(body, 'name');
    if (name === '') throw new HttpError(400, 'invalid model name');
    const model = inRegistry(server, withTag(name).toLowerCase());
    const isStreamed = flagIn(body, 'stream', true);
    const lines = openJsonStream(exchange, NDJSON);
    const report = async (status: object): Promise<void> => {
      if (isStreamed) await lines.write({ ...status });
    };
    await report({ status: 'pulling manifest' });
    if (model === undefined) throw new HttpError(500, 'pull model manifest: file does not exist');
    const layer = { status: `pulling ${model.digest.slice(0, 12)}`, digest: `sha256:${model.digest}`, total: model.sizeBytes };
    for (let step = 1; step <= STEPS; step++) {
      await server.engine.clock.wait(server.settings.pullMs / STEPS, client.signal);
      client.signal.throwIfAborted();
      await report({ ...layer, completed: Math.round((model.sizeBytes * step) / STEPS) });
    }
    for (const status of ['verifying sha256 digest', 'writing manifest']) await report({ status });
    server.models.set(model.name.toLowerCase(), model);
    if (!isStreamed) return sendJson(exchange, 200, { status: 'success' });
    await lines.last({ status: 'success' }, true);
    exchange.response.end();
  },
};

const inRegistry = (server: SimulatedServer, name: string): Model | undefined =>
  server.models.get(name) ?? server.settings.pullable.find((model) => model.name.toLowerCase() === name);
