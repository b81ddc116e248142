import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The passwords of some users, each from the file in a folder that has the name of the user.
 * @throws Error that names every file that is missing or empty
 */
export async function readPasswords(folder: string, users: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const passwords = new Map<string, string>();
  const wrong: string[] = [];
  for (const user of users) {
    const file = join(folder, user);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => void wrong.push(`${file} (${error.code})`));
    const password = text?.replace(/\r?\n$/, '');
    if (password) passwords.set(user, password);
    else if (password === '') wrong.push(`${file} (empty)`);
  }
  if (wrong.length > 0) throw new Error(`each user or role needs a file with its password; there is none in ${wrong.join(', ')}`);
  return passwords;
}
