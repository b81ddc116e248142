import type { AnswerOf, BodyOf } from '@maw/contracts/http/routes.ts';
import { linkAddress } from '@maw/contracts/http/link-code.ts';
import type { CliConfig } from '../config.ts';
import { aside, say, sayList } from '../output.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';

type Options = ConnectOptions & { readonly json: boolean };

const when = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

interface MakeOptions extends Options {
  readonly role: string;
  readonly table?: string;
  readonly seat?: number;
  readonly view?: string;
  readonly name?: string;
  readonly hours?: number;
  /** Whether the address of a short link is printed in place of the token. */
  readonly link?: boolean;
  readonly shell?: boolean;
}

/** `maw tokens make`: prints the token alone, so that it can be handed on. @throws Error that says what is wrong */
export async function makeToken(options: MakeOptions, config: CliConfig): Promise<void> {
  const { role, table, seat, view, name, hours, link, shell } = options;
  const wants = { seat: ['table', 'seat'], spectator: ['table'], join: ['table'], admin: ['name'], agent: ['name'] }[role];
  if (wants === undefined) throw new Error(`there is no role ${role}; there are admin, seat, spectator, join and agent`);
  const given = { table, seat, view, name } as { readonly [option: string]: unknown };
  const missing = wants.find((option) => given[option] === undefined);
  if (missing !== undefined) throw new Error(`a token of ${role} needs --${missing}`);
  if (shell && options.json) throw new Error('--shell and --json exclude each other');
  const ttlMs = hours === undefined ? undefined : Math.round(hours * 3_600_000);
  const wish = { role, table, seat, view, name, ttlMs, isLink: link } as BodyOf<'POST /tokens'>; // the server says what else is wrong
  return withWeb(options, config, async (web) => {
    const made = await web.makeToken(wish);
    const shown = made.code === undefined ? made.token : linkAddress(web.at, made.code);
    say(options.json ? JSON.stringify(made) : shell ? `export MAW_AT=${web.at} MAW_TOKEN=${made.token}` : shown);
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
    if (id !== undefined) await web.api.delete('/tokens/:id', { id });
    else await web.api.post('/tables/:table/revoke', { table: table! }, { seat });
    const revoked = id === undefined ? { table, seat } : { id };
    const says = id === undefined ? `all tokens of table ${table}${seat === undefined ? '' : `, seat ${seat},`} are` : `token ${id} is`;
    say(options.json ? JSON.stringify(revoked) : `${says} revoked`);
  });
}

/** `maw tokens list`: what was given out and has not ended, and what of it was revoked. */
export async function listTokens(options: Options & { readonly table?: string }, config: CliConfig): Promise<void> {
  return withWeb(options, config, async (web) => {
    const all: AnswerOf<'GET /tokens'>['tokens'][number][] = [];
    for (let before: number | undefined; ;) {
      const { tokens } = await web.api.get('/tokens', { limit: 1000, table: options.table, before });
      all.push(...tokens);
      before = tokens.at(-1)?.n;
      if (before === undefined) break;
    }
    sayList(all, options.json, {
      none: 'There is no valid token.',
      header: ['id', 'role', 'where', 'for', 'until', ''],
      row: ({ id, role, table, seat, view, name, until, isRevoked, isLink }) => {
        const where = [table, seat === undefined ? undefined : `seat ${seat}`, view].filter(Boolean).join(' ');
        return [id, role, where, sanitizeText(name), when(until), isRevoked ? 'revoked' : isLink ? 'link' : 'good'];
      },
    });
  });
}

/** `maw audit`: what administrators have done, the last first. */
export async function printAudit(
  options: Options & { readonly limit: number; readonly before?: number },
  config: CliConfig,
): Promise<void> {
  return withWeb(options, config, async (web) => {
    const { limit, before, json } = options;
    sayList((await web.api.get('/audit', { limit, before })).acts, json, {
      none: 'No administrator has done anything.',
      header: ['n', 'at', 'who', 'from', 'what', 'outcome', 'about'],
      row: ({ n, at, who, from, what, about, outcome }) =>
        [String(n), when(at), who, from, what, outcome, JSON.stringify(about)].map(sanitizeText),
    });
  });
}
