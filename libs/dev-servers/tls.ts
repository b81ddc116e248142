import { ConfigError } from '@maw/service/config.ts';
import { readBrokerOptions, readDatabaseTlsOptions } from '@maw/service/connection-options.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Whom we trust to be the broker, and who we are there: AMQP_CA_FILE and its like. @throws Error when such a file cannot be read */
export const brokerTls = (env: Env) => plainly(() => readBrokerOptions({ ...env, AMQP_URL: undefined }).tls);

/** The same for the database: DATABASE_CA_FILE and its like. */
export const databaseTls = (env: Env) => plainly(() => readDatabaseTlsOptions(env));

/** A mistake in the environment is the user's: its words are enough. */
function plainly<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof ConfigError ? new Error(cause.message, { cause }) : cause;
  }
}
