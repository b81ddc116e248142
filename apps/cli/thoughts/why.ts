import { allDecisions, readDecision } from '@maw/lab/thoughts/read-thoughts.ts';
import { type ActOutcome, type Why, whysOf } from '@maw/lab/thoughts/why.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { CliConfig } from '../config.ts';
import { withWeb } from '../connect.ts';
import { aside, say } from '../output.ts';
import type { ThoughtOptions } from './thoughts.ts';

/** Which acts are wanted; absent: all. */
export interface WhyOptions extends ThoughtOptions {
  readonly contest?: string;
  /** A player. */
  readonly name?: string;
  /** The step of a question, such as `vote`. */
  readonly kind?: string;
  readonly outcome?: ActOutcome;
}

/**
 * `maw thoughts TABLE --why`, or of all tables of a contest. Returns the exit code: 1 when nothing was found.
 * @throws Error when nobody at the table has the name
 */
export const explain = (given: string | undefined, options: WhyOptions, config: CliConfig): Promise<number> =>
  withWeb({ ...options, contests: options.contest !== undefined }, config, async (web, isReader) => {
    const { contest, name, kind, outcome, json } = options;
    const found = { acts: 0, kinds: new Set<string>(), names: new Set<string>() };
    for await (const table of given === undefined ? tablesOf(web, contest!) : [given]) {
      for await (const { who, why } of whysAt(web, table, options)) {
        found.names.add(who);
        for (const each of why.kinds) found.kinds.add(each);
        if (
          ![who, undefined].includes(name) ||
          (kind !== undefined && !why.kinds.includes(kind)) ||
          ![why.outcome, undefined].includes(outcome)
        )
          continue;
        found.acts++;
        const link = `${isReader ? '' : web.at}/t/${encodeURIComponent(table)}/inside?decision=${why.n}`;
        if (json) say(JSON.stringify({ table, name: who, ...why, link }));
        else for (const line of linesOf(why, who, link)) say(line);
      }
    }
    if (!found.acts) aside(`maw: ${nothingOf(found, options)}`);
    else if (isReader && !json) say(`\nThe addresses are those of the page of ./maw up --data ${options.data}.`);
    return found.acts ? 0 : 1;
  });

/** The tables of a contest: those that are over, then those that run. @throws ApiProblem when there is no such contest */
export async function* tablesOf(web: WebClient, contest: string): AsyncGenerator<string> {
  const { summary, tables } = await web.contest(contest);
  if (summary.play === 'arena')
    throw new Error(`${contest} was played in the arena, which keeps no thoughts; play: tables in its file keeps them`);
  const told = new Set<string>();
  for await (const { records = [] } of web.contestResults(contest)) for (const { table } of records) told.add(table);
  yield* told;
  for (const { table } of tables) if (!told.has(table)) yield table;
}

async function* whysAt(web: WebClient, table: string, { seat, decision }: WhyOptions): AsyncGenerator<{ who: string; why: Why }> {
  const { players } = await web.table(table);
  const names = players.map(({ name }, i) => sanitizeText(name ?? `Seat ${i}`));
  const one = async function* () {
    yield await readDecision(web, table, { seat, decision: decision! });
  };
  const decisions = decision === undefined || decision === 'all' ? allDecisions(web, table, seat) : one();
  for await (const why of whysOf(decisions, names)) yield { who: names[why.seat] ?? String(why.seat), why };
}

function linesOf({ n, step, at, phase, act, reason, belief, recipe, outcome, calls }: Why, who: string, link: string): readonly string[] {
  const how = [recipe, outcome ?? 'no model', `${calls} ${calls === 1 ? 'call' : 'calls'}`].join(', ');
  return [
    `${n}.${step}  ${new Date(at).toISOString().slice(11, 19)}  ${phase}  ${who}: ${act}  (${how})`,
    ...(reason ? [`      because  ${reason}`] : []),
    ...(belief ? [`      believes ${belief}`] : []),
    `      ${link}`,
  ];
}

interface Found {
  readonly kinds: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** Why nothing was found. */
function nothingOf({ kinds, names }: Found, { name, kind, outcome }: WhyOptions): string {
  const list = (of: ReadonlySet<string>): string => [...of].join(', ');
  if (!names.size) return 'no mind has acted here, or maw retention removed what was thought';
  if (name !== undefined && !names.has(name)) return `no mind called ${sanitizeText(name)} has acted here; there are ${list(names)}`;
  if (kind !== undefined && !kinds.has(kind)) return `nothing was asked that is called ${sanitizeText(kind)}; there were ${list(kinds)}`;
  return `nobody acted so${outcome === undefined ? '' : `: no act was ${outcome}`}`;
}
