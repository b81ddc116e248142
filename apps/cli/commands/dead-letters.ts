import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { DeadLetter } from '@maw/bus/core/dead-letter.ts';
import { type BrokerOptions, parseBrokerUrl } from '@maw/bus/rabbitmq/broker-url.ts';
import {
  type DeadLetterSelection,
  type Dropped,
  dropDeadLetters,
  readDeadLetters,
  resendDeadLetters,
} from '@maw/bus/rabbitmq/dead-letter-admin.ts';
import { OUTCOME_PENDING, storable } from '@maw/store/ports/audit-log.ts';
import type { CliConfig } from '../config.ts';
import { readConnectionFile } from '../clients/connection-file.ts';
import { openStore } from '../maintenance/open-store.ts';
import { brokerTls } from '@maw/dev-servers/tls.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { say } from '../output.ts';

interface DeadOptions {
  readonly resend: readonly string[];
  readonly all: boolean;
  readonly drop: readonly string[];
  readonly dropUnreadable: boolean;
  readonly limit: number;
  readonly json: boolean;
  readonly data: string;
}

/** One line of JSON; control characters are written as \u009b, which is the same to a program. */
const jsonOf = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * `maw dead QUEUE`: lists dead letters, the oldest first; sends them to their queue again (`--resend ID`, `--all`); or removes them for good
 * (`--drop ID`, `--drop-unreadable`), which needs a database for the audit log.
 */
export async function dead(queue: string, options: DeadOptions, config: CliConfig): Promise<void> {
  const { resend, all, drop, dropUnreadable, data } = options;
  const isSending = all || resend.length > 0;
  const isDropping = dropUnreadable || drop.length > 0;
  if (isSending && isDropping)
    throw new Error('--resend and --all send letters again, --drop and --drop-unreadable remove them: one of them');
  if (dropUnreadable && drop.length > 0) throw new Error('--drop-unreadable and --drop exclude each other');
  const address = config.amqpUrl ?? (await readConnectionFile(data))?.amqpUrl;
  if (address === undefined)
    throw new Error(`which broker? Set AMQP_URL, or name the folder of a running ./maw up with --data (${data} is not one)`);
  const broker = { url: address, tls: config.amqpUrl === undefined ? undefined : brokerTls(config.all) };
  if (isSending) {
    const sent = await resendDeadLetters(broker, queue, all ? 'all' : { ids: resend });
    return report(queue, resend, options, { sent }, `sent to ${queue} again`);
  }
  if (isDropping) {
    const { dropped, failure } = await dropAudited(
      broker,
      queue,
      dropUnreadable ? { reason: 'unreadable' } : { ids: drop },
      options,
      config,
    );
    report(queue, failure ? [] : drop, options, { dropped }, `dropped from ${queue}`);
    if (failure) throw failure;
    return;
  }
  printLetters(await readDeadLetters(broker, queue, options.limit), queue, options);
}

/** Writes each letter to the audit log before it is removed, and the outcome afterwards. @throws Error without a database to write to */
async function dropAudited(
  broker: BrokerOptions,
  queue: string,
  selection: DeadLetterSelection,
  options: DeadOptions,
  config: CliConfig,
): Promise<Dropped> {
  const store = await openStore(options, config);
  try {
    const by = storable({ who: parseBrokerUrl(broker, 5).user, token: '', from: hostname(), what: `maw dead ${queue} --drop` });
    const record = async ({ body, ...letter }: DeadLetter): Promise<() => Promise<void>> => {
      const act = { id: randomUUID(), about: storable({ ...letter, bytes: body.length }) };
      await store.auditLog.write({ ...act, ...by, at: await store.now(), outcome: OUTCOME_PENDING }).catch((cause: Error) => {
        throw new Error(
          `the dead letter stays where it is: the audit log cannot be written (${cause.message}); connect to the database as maw_keeper`,
          {
            cause,
          },
        );
      });
      return async () => store.auditLog.finish({ ...act, at: await store.now(), outcome: 'done' });
    };
    return await dropDeadLetters(broker, queue, selection, record);
  } finally {
    await store.close();
  }
}

/** Prints the ids of the letters that were handled. @throws Error that names wanted ids without a letter */
function report(
  queue: string,
  wanted: readonly string[],
  { json }: DeadOptions,
  result: { readonly [outcome: string]: readonly string[] },
  says: string,
): void {
  const ids = Object.values(result).flat();
  say(json ? jsonOf(result) : sanitizeText(`${ids.length} ${says}${ids.length ? `: ${ids.join(', ')}` : ''}`));
  const missing = wanted.filter((id) => !ids.includes(id));
  if (missing.length) throw new Error(`no dead letter of ${queue} has the id ${missing.join(', ')}`);
}

function printLetters(letters: readonly DeadLetter[], queue: string, { json }: DeadOptions): void {
  if (!letters.length && !json) say(`No dead letters of ${queue}.`);
  for (const { body, ...shown } of letters) {
    const { at, id, type, reason, error } = shown;
    if (json) say(jsonOf({ ...shown, body: body.toString() }));
    else say(sanitizeText(`${new Date(at).toISOString()}  ${id}  ${type}  ${reason}: ${error}`));
  }
}
