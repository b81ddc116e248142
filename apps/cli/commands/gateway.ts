import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { csvLines } from '@maw/lab/charts/csv.ts';
import { USAGE_COUNTS } from '@maw/store/ports/budget-usage.ts';
import type { CliConfig } from '../config.ts';
import { say, sayColumns, sayList } from '../output.ts';
import { connectToGateway, type GatewayOptions, type ListedKey } from '../clients/gateway-client.ts';

type Options = GatewayOptions & { readonly json: boolean };
type Config = Pick<CliConfig, 'gatewayAt' | 'gatewayKey'>;

/** `maw gateway status`. */
export async function gatewayStatus(options: Options, config: Config): Promise<void> {
  const gateway = await connectToGateway(options, config);
  say(options.json ? JSON.stringify(await gateway.status()) : (await gateway.statusText()).trimEnd());
}

interface ServerOptions extends Options {
  readonly slots?: number;
  readonly kind?: string;
  readonly keyFile?: string;
}

const WANTED: { readonly [act: string]: string } = {
  add: 'an address, such as http://10.0.0.2:11434',
  drain: 'a name of the list',
  remove: 'a name of the list',
};

/** `maw gateway servers [list|add URL|drain NAME|remove NAME]`. @throws Error that says what is wrong */
export async function gatewayServers(act: string, server: string | undefined, options: ServerOptions, config: Config): Promise<void> {
  const given = Object.entries({ '--slots': options.slots, '--kind': options.kind, '--key-file': options.keyFile });
  const only = given.find(([, value]) => value !== undefined)?.[0];
  if (act !== 'list' && WANTED[act] === undefined) throw new Error(`servers ${act}: there is list, add, drain and remove`);
  if (act !== 'add' && only !== undefined) throw new Error(`${only} is for servers add URL`);
  if (act === 'list' && server !== undefined) throw new Error(`servers list shows all servers; leave out ${server}`);
  if (act !== 'list' && !server) throw new Error(`servers ${act}: ${WANTED[act]} is wanted`);
  if (options.keyFile !== undefined && !options.keyFile.startsWith('/'))
    throw new Error(`--key-file ${options.keyFile}: write the whole path; it is read on the gateway’s machine`);
  const gateway = await connectToGateway(options, config);
  const { slots, kind, keyFile } = options;
  const there = await gateway.servers(act === 'list' ? undefined : { act, server: server!, slots, kind, keyFile });
  if (options.json) for (const one of there) say(JSON.stringify(one));
  else sayColumns([['server', 'kind', 'slots', 'state'], ...there.map((one) => [one.server, one.kind, String(one.slots), one.state])]);
  if (!options.json && act === 'add' && there.at(-1)?.state === 'down') say('It is down; ./maw gateway status says why.');
}

interface KeyOptions extends Options {
  readonly tenant?: string;
  readonly models?: string;
  readonly expires?: string;
  readonly urgency?: string;
  readonly admin?: boolean;
}

/** `maw gateway keys [list|add AGENT [name=value ...]|revoke ID]`. @throws Error that says what is wrong */
export async function gatewayKeys(
  act: string,
  what: string | undefined,
  changes: readonly string[],
  options: KeyOptions,
  config: Config,
): Promise<void> {
  const { tenant, models, expires, urgency, admin } = options;
  const given = Object.entries({ '--tenant': tenant, '--models': models, '--expires': expires, '--urgency': urgency, '--admin': admin });
  const only = given.find(([, value]) => value !== undefined)?.[0] ?? changes[0];
  if (!/^(list|add|revoke)$/.test(act)) throw new Error(`keys ${act}: there is list, add and revoke`);
  if (act !== 'add' && only !== undefined) throw new Error(`${only} is for keys add AGENT`);
  if (act === 'list' && what !== undefined) throw new Error(`keys list shows all keys; leave out ${what}`);
  if (act !== 'list' && !what) throw new Error(`keys ${act}: ${act === 'add' ? 'the agent who gets it' : 'an id of the list'} is wanted`);
  const limits = changes.length > 0 ? Object.fromEntries(changes.map(pairOf)) : undefined;
  const until = expires === undefined || expires.includes('T') ? expires : `${expires}T00:00:00Z`;
  const gateway = await connectToGateway(options, config);
  if (act === 'list') return sayKeys(await gateway.keys(), options);
  if (act === 'revoke') {
    await gateway.revokeKey(what!);
    return say(options.json ? JSON.stringify({ id: what }) : `The key ${what} is revoked: it is refused from now on.`);
  }
  const made = await gateway.addKey({ agent: what, tenant, models: models?.split(','), expires: until, urgency, admin, limits });
  say(options.json ? JSON.stringify(made) : `${made.key}\nThis is key ${made.id}. It is shown only now; the gateway does not keep it.`);
}

const sayKeys = (keys: readonly ListedKey[], { json }: Options): void =>
  sayList(keys, json, {
    none: 'There is no key.',
    header: ['key', 'agent (* administrator)', 'models', 'limits', 'left today', 'expires', 'from'],
    row: ({ id, agent, admin, models = ['all'], limits, tokensLeft, urgency, expires = 'never', by }) => [
      id,
      admin ? `${agent}*` : agent,
      models.join(','),
      [...Object.entries(limits).map(([name, value]) => `${name}=${value}`), ...(urgency ? [`urgency=${urgency}`] : [])].join(' ') ||
        'none',
      tokensLeft == null ? '' : String(Math.floor(tokensLeft)),
      expires,
      by ?? 'the key file',
    ],
  });

/** `maw gateway limits [name=value ...]`. @throws Error that says what is wrong */
export async function gatewayLimits(changes: readonly string[], options: Options, config: Config): Promise<void> {
  const wanted = Object.fromEntries(changes.map(pairOf));
  const gateway = await connectToGateway(options, config);
  let limits = await gateway.limits();
  const unknown = Object.keys(wanted).find((name) => !Object.hasOwn(limits, name));
  if (unknown !== undefined) throw new Error(`there is no limit ${unknown}; there are ${Object.keys(limits).join(', ')}`);
  if (changes.length > 0) limits = await gateway.limits(wanted);
  if (options.json) say(JSON.stringify(limits));
  else sayColumns([['limit', 'value'], ...Object.entries(limits).map(([name, value]) => [name, value === 0 ? 'none' : String(value)])]);
}

interface UseOptions extends Options {
  readonly from?: string;
  readonly to?: string;
  readonly by?: string;
  readonly table?: string;
  readonly csv: boolean;
}

/** `maw gateway use`. */
export async function gatewayUse({ from, to, by, table, csv, json, ...options }: UseOptions, config: Config): Promise<void> {
  const gateway = await connectToGateway(options, config);
  const { by: names, use } = await gateway.use(omitUndefined({ from, to, by, table }));
  const header = [...names, ...USAGE_COUNTS];
  const row = (one: (typeof use)[number]): string[] => header.map((name) => String(one[name]));
  const none =
    table === undefined
      ? 'Nothing was used in the hours of these days that are over.'
      : `${table} is not over, or unknown, or used no model.`;
  if (csv) csvLines([header, ...use.map(row)]).forEach(say);
  else sayList(use, json, { none, header, row });
}

function pairOf(text: string): readonly [string, number] {
  const [, name, value] = /^(\w+)=(\d{1,15})$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`${text}: name=value is wanted, the value a whole number from 0: agentRpm=30`);
  return [name, Number(value)];
}
