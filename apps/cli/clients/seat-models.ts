import type { ModelTools, ModelUser, SeatModels } from '@maw/aiwolf/client/minds/seat-models.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { type Reason, Refusal } from '@maw/contracts/refusal.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { logger } from '@maw/telemetry/log.ts';
import { startGateway } from '../in-process-gateway.ts';
import type { Models } from '../models.ts';

/** The longest kind that `llm.complete` takes, in characters. */
const MAX_KIND = 40;

/** Starts a gateway in this process, in front of the models. */
export async function startSeatModels(models: Models): Promise<SeatModels> {
  const hub = memoryHub();
  const log = logger('aiwolf', { level: 'error', destination: process.stderr });
  const gatewayBus = memoryBus({ service: 'llm-gateway', hub, log });
  const bus = memoryBus({ service: 'player', hub, log });
  const gateway = await startGateway({ bus: gatewayBus, log, models });

  function toolsFor({ table, seat, recipe, calls, callMs, signal }: ModelUser): ModelTools {
    const agent = `${table}:${seat}`.slice(-100);
    const head = () => {
      const at = Date.now();
      return { id: crypto.randomUUID(), source: 'player', subject: table, at, replyBy: at + callMs };
    };
    return {
      async complete({ messages, format, ...rest }, step = 'any') {
        const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
        const data = {
          agent,
          kind: `${recipe}/${step}`.slice(0, MAX_KIND),
          urgency: 'critical' as const,
          messages: messages.map((message) => ({ ...message })),
          ...given,
          ...(format ? { format: { ...format } } : {}),
          ...(calls === undefined ? {} : { calls }),
        };
        return dataOf(await bus.request(contracts.write('llm.complete', data, head()), { signal }));
      },
      async embed(texts, model) {
        const data = { agent, urgency: 'critical' as const, input: [...texts], ...(model === undefined ? {} : { model }) };
        return dataOf(await bus.request(contracts.write('llm.embed', data, head()), { signal }));
      },
    };
  }

  return {
    toolsFor,
    async close() {
      await bus.close();
      await gateway.close();
      await gatewayBus.close();
    },
  };
}

type Refused = Extract<Reply, { readonly performative: 'refuse' | 'failure' }>;
const isRefused = <D>(reply: Reply<D>): reply is Refused => reply.performative === 'refuse' || reply.performative === 'failure';

/** @throws Refusal when the gateway has no answer */
function dataOf<D>(reply: Reply<D>): D {
  if (isRefused(reply)) throw new Refusal(reply.data.reason as Reason, reply.data.detail ?? '');
  return reply.data;
}
