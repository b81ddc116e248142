import { type Model, withTag } from '../engine/model.ts';
import { Failure } from '../errors.ts';
import { stillThere } from '../engine/caller.ts';
import { flagIn, readBody, textIn } from '../http/body.ts';
import { NDJSON, openLines } from '../http/json-stream.ts';
import { sendJson } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { World } from '../world.ts';

const STEPS = 4;

/** `POST /api/pull`: whatever the simulator has or may have can be pulled; a status comes before the lookup, so a missing model fails after a 200. */
export const pull: Route = {
  run: async (exchange) => {
    const { world, caller } = exchange;
    const body = readBody(exchange.text, 'PullRequest', { model: 'string', name: 'string', stream: 'bool' });
    const name = textIn(body, 'model') || textIn(body, 'name');
    if (name === '') throw new Failure(400, 'invalid model name');
    const model = inRegistry(world, withTag(name).toLowerCase());
    const missing = new Failure(500, 'pull model manifest: file does not exist');
    if (!flagIn(body, 'stream', true)) {
      if (model === undefined) throw missing;
      await world.machine.clock.wait(world.settings.pullMs, caller.signal);
      stillThere(caller);
      world.models.set(model.name.toLowerCase(), model);
      return sendJson(exchange, 200, { status: 'success' });
    }
    const lines = openLines(exchange, NDJSON);
    await lines.line({ status: 'pulling manifest' });
    if (model === undefined) throw missing;
    const layer = { status: `pulling ${model.digest.slice(0, 12)}`, digest: `sha256:${model.digest}`, total: model.sizeBytes };
    for (let step = 1; step <= STEPS; step++) {
      await world.machine.clock.wait(world.settings.pullMs / STEPS, caller.signal);
      stillThere(caller);
      await lines.line({ ...layer, completed: Math.round((model.sizeBytes * step) / STEPS) });
    }
    for (const status of ['verifying sha256 digest', 'writing manifest']) await lines.line({ status });
    world.models.set(model.name.toLowerCase(), model);
    await lines.last({ status: 'success' }, true);
    exchange.response.end();
  },
};

const inRegistry = (world: World, name: string): Model | undefined =>
  world.models.get(name) ?? world.settings.pullable.find((model) => model.name.toLowerCase() === name);
