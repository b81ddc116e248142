import { z } from 'zod';
import { readConfig } from './config.ts';
import { busFields, storeTlsFields } from './config-fields.ts';

type BusGiven = z.output<z.ZodObject<typeof busFields>>;
type StoreGiven = z.output<z.ZodObject<typeof storeTlsFields>>;
type Env = Readonly<Record<string, string | undefined>>;

/** The options for `rabbitBus` from the configuration. */
export const brokerOptions = (given: BusGiven) => ({
  url: given.AMQP_URL,
  tls: ifAny({ ca: given.AMQP_CA, cert: given.AMQP_CERT, key: given.AMQP_KEY, serverName: given.AMQP_SERVER_NAME }),
  declare: given.AMQP_DECLARE,
  checkSender: given.AMQP_CHECK_SENDER,
});

/** The TLS options for the PostgreSQL store; undefined without any. */
export const databaseTlsOptions = (given: StoreGiven) =>
  ifAny({ ca: given.DATABASE_CA, cert: given.DATABASE_CERT, key: given.DATABASE_KEY });

/** The same from the environment, for programs other than services. @throws ConfigError */
export const readBrokerOptions = (env: Env) => brokerOptions(readConfig(z.object(busFields), env));
export const readDatabaseTlsOptions = (env: Env) => databaseTlsOptions(readConfig(z.object(storeTlsFields), env));

const ifAny = <T extends object>(all: T): T | undefined => (Object.values(all).some((each) => each !== undefined) ? all : undefined);
