import type { BodyOf } from '@maw/contracts/http/routes.ts';
import type { CliConfig } from '../config.ts';
import { aside, say, sayColumns } from '../output.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { sanitizeText } from '../transcript.ts';

type Options = ConnectOptions & { readonly json: boolean };

const when = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

interface MakeOptions extends Options {
  readonly role: string;
  readonly table?: string;
  readonly seat?: number;
  readonly view?: string;
  readonly name?: string;
  readonly hours?: number;
}

/** `maw tokens make`: prints the token alone, so that it can be handed on. @throws Error that says what is wrong */
export async function makeToken(options: MakeOptions, config: CliConfig): Promise<void> {
  const { role, table, seat, view, name, hours } = options;
  const wants = { seat: ['table', 'seat'], spectator: ['table'], join: ['table'], admin: ['name'] }[role];
  if (wants === undefined) throw new Error(`there is no role ${role}; there are admin, seat, spectator and join`);
  const given = { table, seat, view, name } as { readonly [option: string]: unknown };
  const missing = wants.find((option) => given[option] === undefined);
  if (missing !== undefined) throw new Error(`a token of ${role} needs --${missing}`);
  const ttlMs = hours === undefined ? undefined : Math.round(hours * 3_600_000);
  const wish = { role, table, seat, view, name, ttlMs } as BodyOf<'POST /tokens'>; // the server says what else is wrong
  return withWeb(options, config, async (web) => {
    const made = await web.makeToken(wish);
    say(options.json ? JSON.stringify(made) : made.token);
    aside(`token ${made.id} for ${sanitizeText(made.name)}, good until ${when(made.until)}`);
  });
}

/** `maw tokens revoke ID`, or all of a table or a seat. @throws Error that says what is wrong */
export async function revokeTokens(
  id: string | undefined,
  options: Options & { readonly table?: string; readonly seat?: number },
  config: CliConfig,
): Promise<void> {
  const { table, seat } = options;
  if ((id === undefined) === (table === undefined)) throw new Error('name a token by its id, or a table with --table: one of them');
  if (seat !== undefined && table === undefined) throw new Error('--seat is for --table TABLE');
  return withWeb(options, config, async (web) => {
    if (id !== undefined) await web.revokeToken(id);
    else await web.revokeTable(table!, seat);
    const revoked = id === undefined ? { table, seat } : { id };
    const says = id === undefined ? `all tokens of table ${table}${seat === undefined ? '' : `, seat ${seat},`} are` : `token ${id} is`;
    say(options.json ? JSON.stringify(revoked) : `${says} revoked`);
  });
}

/** `maw tokens list`: what was given out and has not ended, and what of it was revoked. */
export async function listTokens(options: Options & { readonly table?: string }, config: CliConfig): Promise<void> {
  return withWeb(options, config, async (web) => {
    const rows: string[][] = [];
    for (let before: number | undefined; ;) {
      const page = await web.tokens({ table: options.table, before });
      for (const one of page) {
        if (options.json) say(JSON.stringify(one));
        const where = [one.table, one.seat === undefined ? undefined : `seat ${one.seat}`, one.view].filter(Boolean).join(' ');
        rows.push([one.id, one.role, where, sanitizeText(one.name), when(one.until), one.isRevoked ? 'revoked' : 'good']);
      }
      before = page.at(-1)?.n;
      if (before === undefined) break;
    }
    if (options.json) return;
    if (rows.length === 0) say('There is no valid token.');
    else sayColumns([['id', 'role', 'where', 'for', 'until', ''], ...rows]);
  });
}

/** `maw audit`: what administrators have done, the last first. */
export async function printAudit(
  options: Options & { readonly limit: number; readonly before?: number },
  config: CliConfig,
): Promise<void> {
  return withWeb(options, config, async (web) => {
    const acts = await web.audit(options.limit, options.before);
    if (options.json) acts.forEach((act) => say(JSON.stringify(act)));
    else if (acts.length === 0) say('No administrator has done anything.');
    if (options.json || acts.length === 0) return;
    const rows = acts.map(({ n, at, who, from, what, about, outcome }) => [
      String(n),
      when(at),
      sanitizeText(who),
      sanitizeText(from),
      sanitizeText(what),
      outcome,
      sanitizeText(JSON.stringify(about)),
    ]);
    sayColumns([['n', 'at', 'who', 'from', 'what', 'outcome', 'about'], ...rows]);
  });
}
