import { readFile } from 'node:fs/promises';
import { Unavailable } from '../strategy.ts';

/** A user of this machine. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** As root: the first of `names` that is a user of this machine. Undefined for any other user, who runs the server itself. */
export async function accountToRunAs(names: readonly string[], getuid = process.getuid): Promise<Account | undefined> {
  if (getuid?.() !== 0) return undefined;
  const account = pickAccount(await readFile('/etc/passwd', 'utf8'), names);
  if (!account) throw new Unavailable(`must not run as root, and there is no user ${names.join(' or ')} here`);
  return account;
}

/** Reads passwd(5). */
export function pickAccount(passwd: string, names: readonly string[]): Account | undefined {
  const accounts = passwd.split('\n').flatMap((line): Account[] => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
  return names.map((name) => accounts.find((account) => account.name === name)).find((account) => account !== undefined);
}
