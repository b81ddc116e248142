import { readDeadLetters, resendDeadLetters } from '@maw/bus/rabbitmq/dead-letter-admin.ts';
import type { CliConfig } from '../config.ts';
import { readConnectionFile } from '../clients/connection-file.ts';
import { brokerTls } from '../tls.ts';
import { sanitizeText } from '../transcript.ts';

export interface DeadOptions {
  readonly resend: readonly string[];
  readonly all: boolean;
  readonly limit: number;
  readonly json: boolean;
  readonly data: string;
}

/** A line of JSON; what a terminal might obey in it is written as \u009b, which is the same to a program. */
const jsonOf = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * `maw dead QUEUE`: what could not be handled, the oldest first, and why; `--resend ID` and `--all` send it to its queue again.
 * The only command that speaks to the broker: dead letters are there because no service could read them.
 */
export async function dead(queue: string, { resend, all, limit, json, data }: DeadOptions, config: CliConfig): Promise<number> {
  const address = config.amqpUrl ?? (await readConnectionFile(data))?.amqpUrl;
  if (address === undefined)
    throw new Error(`which broker? Set AMQP_URL, or name the folder of a running ./maw up with --data (${data} is not one)`);
  const url = { url: address, tls: config.amqpUrl === undefined ? undefined : brokerTls(config.all) };
  if (all || resend.length) {
    const sent = await resendDeadLetters(url, queue, all ? 'all' : { ids: resend });
    say(json ? jsonOf({ sent }) : sanitizeText(`${sent.length} sent to ${queue} again${sent.length ? `: ${sent.join(', ')}` : ''}`));
    const missing = resend.filter((id) => !sent.includes(id));
    if (missing.length) throw new Error(`no dead letter of ${queue} has the id ${missing.join(', ')}`);
    return 0;
  }
  const letters = await readDeadLetters(url, queue, limit);
  if (!letters.length && !json) say(`No dead letters of ${queue}.`);
  for (const letter of letters) {
    const { body, ...shown } = letter;
    say(
      json
        ? jsonOf({ ...shown, body: body.toString() })
        : sanitizeText(`${new Date(letter.at).toISOString()}  ${letter.id}  ${letter.type}  ${letter.reason}: ${letter.error}`),
    );
  }
  return 0;
}
