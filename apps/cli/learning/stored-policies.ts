import { join } from 'node:path';
import { readPolicy, readPolicyFiles } from '@maw/learning/policy/policy.ts';
import { servedPolicy } from '@maw/learning/policy/served-policy.ts';
import { pgliteStore } from '@maw/store/pglite.ts';
import type { CliConfig } from '../config.ts';
import { hasStore, withStore } from '../maintenance/open-store.ts';
import { say, sayColumns } from '../output.ts';
import { prepareFolder } from '../prepare-folder.ts';

interface Common {
  readonly data: string;
  readonly json: boolean;
}

/** `maw policy import`. @throws Error that says what is wrong with the policy, or its name */
export async function importPolicy(
  folder: string,
  { as: name, ...options }: Common & { readonly as: string },
  config: CliConfig,
): Promise<void> {
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(name))
    throw new Error(`a policy has a name of letters, digits, _ and -, at most 60; ${name.slice(0, 60)} is none`);
  readPolicy(folder); // its messages name the files
  const { card, weights } = readPolicyFiles(folder);
  const file = { card: card as { readonly [field: string]: unknown }, weights: weights.toString('base64') };
  servedPolicy({ ...file, name, version: 0 });
  if (!(await hasStore(options, config))) {
    await prepareFolder(options.data, '--data');
    await (await pgliteStore({ folder: join(options.data, 'tables'), service: 'maw' })).close();
  }
  const version = await withStore(options, config, async (store) => store.policies.add({ name, at: await store.now(), ...file }));
  if (options.json) say(JSON.stringify({ policy: `${name}@${version}` }));
  else say(`It is ${name}@${version}. Seat it with tactic=rl and policy=${name}@${version}.`);
}

/** `maw policy list`. */
export const listPolicies = (options: Common, config: CliConfig): Promise<void> =>
  withStore(options, config, async ({ policies }) => {
    const all = await policies.list();
    if (options.json) return all.forEach((policy) => say(JSON.stringify(policy)));
    if (!all.length) return say('There is no policy; maw policy import FOLDER --as NAME stores one.');
    const rows = all.map(({ name, version, at, card }) => {
      const {
        encoder,
        training = {},
        data = {},
      } = card as { encoder?: string; training?: { method?: string; rho?: number }; data?: { source?: string } };
      const method = training.method === 'cloning' ? 'cloning' : `rho ${training.rho}`;
      return [`${name}@${version}`, new Date(at).toISOString().slice(0, 10), String(encoder), method, String(data.source)];
    });
    sayColumns([['policy', 'stored', 'encoder', 'trained by', 'on'], ...rows]);
  });
