import { type ChannelModel, connect } from 'amqplib';
import { deadLetterQueueOf, queueFor } from '@maw/bus/core/topology.ts';

const { queue, parts } = queueFor('gamemaster', [], false);
const NAMES = [queue, ...parts.map((part) => part.queue)];

/** How many messages wait in the queues of the gamemaster, retries included. */
export async function observeQueues(url: string) {
  const connection = await connect(url);
  connection.on('error', () => {});
  const names: string[] = [];
  for (const name of NAMES) if ((await lengthOf(connection, name)) !== undefined) names.push(name);
  let most = 0;
  return {
    async waiting(): Promise<number> {
      const channel = await connection.createChannel();
      let sum = 0;
      for (const name of names) sum += (await channel.checkQueue(name)).messageCount;
      await channel.close();
      most = Math.max(most, sum);
      return sum;
    },
    most: () => most,
    /** Of all services. */
    async deadLetters(): Promise<number> {
      let sum = 0;
      for (const service of ['gamemaster', 'chatroom', 'player', 'web', 'llm-gateway'])
        sum += (await lengthOf(connection, deadLetterQueueOf(service))) ?? 0;
      return sum;
    },
    close: () => connection.close().catch(() => {}),
  };
}

/** Undefined: there is no such queue. */
async function lengthOf(connection: ChannelModel, name: string): Promise<number | undefined> {
  const channel = await connection.createChannel();
  channel.on('error', () => {});
  try {
    const { messageCount } = await channel.checkQueue(name);
    await channel.close();
    return messageCount;
  } catch {
    return undefined;
  }
}
