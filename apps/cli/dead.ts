import { readDead, resendDead } from '@maw/bus/dead.ts';
import type { CliConfig } from './config.ts';
import { leftIn } from './find-door.ts';
import { brokerTls } from './tls.ts';
import { plain } from './transcript.ts';

export interface DeadOptions {
  readonly resend: readonly string[];
  readonly all: boolean;
  readonly limit: number;
  readonly json: boolean;
  readonly data: string;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * `maw dead QUEUE`: what could not be handled, the oldest first, and why; `--resend ID` and `--all` send it to its queue again.
 * The only command that speaks to the broker: dead letters are there because no service could read them.
 */
export async function dead(queue: string, { resend, all, limit, json, data }: DeadOptions, config: CliConfig): Promise<number> {
  const address = config.amqpUrl ?? (await leftIn(data))?.amqpUrl;
  if (address === undefined) throw new Error(`which broker? Set AMQP_URL, or run this beside a ./maw up (nothing is noted in ${data})`);
  const url = { url: address, tls: config.amqpUrl === undefined ? undefined : brokerTls(config.all) };
  if (all || resend.length) {
    const sent = await resendDead(url, queue, all ? 'all' : { ids: resend });
    say(json ? JSON.stringify({ sent }) : `${sent.length} sent to ${queue} again${sent.length ? `: ${sent.join(', ')}` : ''}`);
    const missing = resend.filter((id) => !sent.includes(id));
    if (missing.length) throw new Error(`no dead letter of ${queue} has the id ${missing.join(', ')}`);
    return 0;
  }
  const letters = await readDead(url, queue, limit);
  if (!letters.length && !json) say(`No dead letters of ${queue}.`);
  for (const letter of letters) {
    const { body, ...shown } = letter;
    say(
      json
        ? JSON.stringify({ ...shown, body: body.toString() })
        : plain(`${new Date(letter.at).toISOString()}  ${letter.id}  ${letter.type}  ${letter.reason}: ${letter.error}`),
    );
  }
  return 0;
}
