import { brokerUsers, definitions } from '@maw/bus/rabbitmq/definitions.ts';
import { say } from '../output.ts';
import { readPasswords } from './passwords.ts';

interface DefinitionsOptions {
  readonly vhost: string;
  readonly passwords?: string;
}

/** `maw definitions`: what infra/rabbitmq/definitions.json says, with the hashes of passwords. */
export async function printDefinitions({ vhost, passwords: folder }: DefinitionsOptions): Promise<void> {
  const passwords = folder === undefined ? undefined : await readPasswords(folder, brokerUsers);
  say(JSON.stringify(definitions({ vhost, passwordOf: (user) => passwords?.get(user) }), undefined, 2));
}
