import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brokerUsers, definitions } from '@maw/bus/rabbitmq/definitions.ts';

export interface DefinitionsOptions {
  readonly vhost: string;
  readonly passwords?: string;
}

/** `maw definitions`: what infra/rabbitmq/definitions.json says, with the hashes of passwords. */
export async function printDefinitions({ vhost, passwords: folder }: DefinitionsOptions): Promise<number> {
  const passwords = folder === undefined ? new Map<string, string>() : await passwordsIn(folder);
  const all = definitions({ vhost, passwordOf: (user) => passwords.get(user) });
  process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
  return 0;
}

/** @throws Error that names every file that is missing or empty */
async function passwordsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const wrong: string[] = [];
  for (const user of brokerUsers) {
    const file = join(folder, user);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => void wrong.push(`${file} (${error.code})`));
    const password = text?.replace(/\r?\n$/, '');
    if (password) found.set(user, password);
    else if (password === '') wrong.push(`${file} (empty)`);
  }
  if (wrong.length > 0) throw new Error(`each user needs a file with its password; there is none in ${wrong.join(', ')}`);
  return found;
}
