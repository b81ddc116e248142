import { connect } from 'amqplib';
import { parseBrokerUrl, type TlsOptions } from '@maw/bus/rabbitmq/broker-url.ts';
import { rabbitmqInDocker } from './docker/containers.ts';
import type { ServerKind } from './server-kind.ts';
import { findRabbitmq } from './local/find-programs.ts';
import { pollUntilReady, retryOnPortConflict } from './start-supervised.ts';
import { startRabbitmq } from './local/rabbitmq.ts';

/** RabbitMQ. */
export const broker: ServerKind = {
  name: 'RabbitMQ',
  variable: 'AMQP_URL',
  debianPackage: 'rabbitmq-server',
  configuredUrl: (config) => config.amqpUrl,
  useUrl: async (url, config) => {
    const serverVersion = await pollUntilReady(() => brokerVersion(url, config.tls.broker()), 10_000);
    return { url, describe: `RabbitMQ ${serverVersion} at ${new URL(url).host}, given in AMQP_URL`, close: async () => undefined };
  },
  startInDocker: (config, dataFolder, say) => rabbitmqInDocker(config, brokerVersion, dataFolder, say),
  startInstalled: async (config, dataFolder, say) => {
    const programs = await findRabbitmq(config.path);
    return retryOnPortConflict(() => startRabbitmq(programs, brokerVersion, dataFolder, say));
  },
};

/** The version of the server at this address. @throws Error when it does not answer or rejects the login */
export async function brokerVersion(url: string, tls?: TlsOptions): Promise<string> {
  const { product, version } = await probeBroker(url, tls, 5_000);
  return product === 'RabbitMQ' ? version : `(${product}) ${version}`;
}

/** What the server at this address says it is. @throws Error when it does not answer or rejects the login */
export async function probeBroker(
  url: string,
  tls: TlsOptions | undefined,
  timeoutMs: number,
): Promise<{ readonly product: string; readonly version: string }> {
  const at = parseBrokerUrl({ url, tls }, 5);
  const connection = await connect(at.url, { ...at.socket, noDelay: true, timeout: timeoutMs });
  connection.on('error', () => undefined);
  const { product, version } = connection.connection.serverProperties;
  await connection.close();
  return { product, version };
}
