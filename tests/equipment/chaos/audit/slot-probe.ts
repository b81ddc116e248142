import { randomUUID } from 'node:crypto';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import type { Findings } from './table-audits.ts';
import { slotsWhole } from './system-audits.ts';

/** How long the gateway is waited for, in milliseconds. */
const ANSWER_MS = 240_000;

/**
 * Looks for lost slots: the gateway says that all are idle, then answers as many requests at once as there are slots, then says so again.
 * @param should how many model servers there are, and how many slots each has
 */
export async function slotsLost(url: string, should: { readonly servers: number; readonly slots: number }): Promise<Findings> {
  const bus = await rabbitBus({ url, service: 'chaos', log: logger('chaos', { level: 'silent' }) });
  const about = (source: string) => ({ id: randomUUID(), source, subject: '-', at: Date.now(), replyBy: Date.now() + ANSWER_MS });

  async function idle(): Promise<Findings> {
    const until = Date.now() + ANSWER_MS;
    for (;;) {
      const reply = await bus.request(contracts.write('llm.status', {}, about('llm-gateway')));
      // What a server has just finished may take the gateway a moment to hear; a slot that is lost stays lost.
      const wrong = reply.performative === 'inform' ? slotsWhole(reply.data, should) : ['the gateway does not say how it is'];
      if (!wrong.length || Date.now() > until) return wrong;
      await new Promise((done) => setTimeout(done, 250));
    }
  }

  async function complete(n: number): Promise<Findings> {
    const asked = { agent: `chaos:${n}`, messages: [{ role: 'user' as const, content: `Are you there? ${n}` }], maxTokens: 8 };
    const { performative, data } = await bus.request(contracts.write('llm.complete', asked, about('web')));
    return performative === 'agree' ? [] : [`a completion after the storm was answered ${performative} ${JSON.stringify(data)}`];
  }

  try {
    const before = await idle();
    const asked = await Promise.all(Array.from({ length: should.servers * should.slots }, (_, n) => complete(n)));
    return [...before, ...asked.flat(), ...(await idle())];
  } catch (error) {
    return [`the gateway cannot be asked: ${(error as Error).message}`];
  } finally {
    await bus.close();
  }
}
