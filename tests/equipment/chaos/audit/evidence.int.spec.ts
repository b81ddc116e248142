import { randomUUID } from 'node:crypto';
import amqp from 'amqplib';
import { expect, it } from '@jest/globals';
import { brokerForTests } from '@maw/bus/rabbitmq/rabbit-fixture.suite.ts';
import { messagesIn } from './evidence.ts';

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
if (!brokerForTests) it.skip('messages in a queue: skipped, because AMQP_URL is not set', () => undefined);
else
  it('messagesIn names what lies in a queue with a single active consumer, and leaves it there', async () => {
    const model = await amqp.connect(brokerForTests!);
    const channel = await model.createConfirmChannel();
    const queue = `left-${randomUUID()}`;
    await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum', 'x-single-active-consumer': true } });
    try {
      for (const messageId of ['t/1', 't/2']) channel.sendToQueue(queue, Buffer.from('{}'), { type: 'llm.complete', messageId });
      await channel.waitForConfirms();
      const which = await messagesIn(brokerForTests!, queue, 2);
      expect(which).toEqual(['t/1', 't/2'].map((id) => `llm.complete ${id}, delivered 0 times before`));
      expect((await messagesIn(brokerForTests!, queue, 2)).map((name) => name.replace(/,.*/, ''))).toEqual([
        'llm.complete t/1',
        'llm.complete t/2',
      ]);
    } finally {
      await channel.deleteQueue(queue);
      await model.close();
    }
  });
