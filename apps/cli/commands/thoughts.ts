import type { CliConfig } from '../config.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { ThoughtDecision } from '../clients/web-shapes.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { columns, say } from '../output.ts';
import { sanitizeText } from '../transcript.ts';
import { describeStep } from './describe-step.ts';

interface ThoughtOptions extends ConnectOptions {
  readonly seat?: number;
  /** A number, an id, or `all`. */
  readonly decision?: string;
  readonly json: boolean;
}

type NameOf = (seat: number) => string;

/** `maw thoughts TABLE`. Returns the exit code. */
export function thoughts(table: string, options: ThoughtOptions, config: CliConfig): Promise<number> {
  return withWeb(options, config, async (web) => {
    const { players } = await web.table(table);
    const nameOf: NameOf = (seat) => sanitizeText(players.find((player) => player.seat === seat)?.name ?? '…');
    const { seat, decision } = options;
    if (decision !== undefined && decision !== 'all') {
      await printDecision(web, table, { seat, decision }, nameOf, options.json);
      return 0;
    }
    let count = 0;
    for await (const page of pagesOf(web, table, seat)) {
      if (decision === 'all')
        for (const one of page) await printDecision(web, table, { seat: one.seat, decision: one.decision }, nameOf, options.json);
      else if (options.json) for (const one of page) say(JSON.stringify(one));
      else listDecisions(page, nameOf, count === 0);
      count += page.length;
    }
    if (count === 0 && !options.json) say('No mind has thought here yet: seats of people think for themselves.');
    else if (decision === undefined && !options.json) say(`./maw thoughts ${table} --decision N shows what was thought in one of them.`);
    return 0;
  });
}

async function* pagesOf(web: WebClient, table: string, seat: number | undefined): AsyncGenerator<readonly ThoughtDecision[]> {
  for (let after = 0, more = true; more;) {
    const page = await web.thoughts(table, { seat, after });
    if (page.decisions.length > 0) yield page.decisions;
    after = page.decisions.at(-1)?.n ?? after;
    more = page.more && page.decisions.length > 0;
  }
}

function listDecisions(page: readonly ThoughtDecision[], nameOf: NameOf, isFirst: boolean): void {
  const rows = page.map((one) => [
    String(one.n),
    `${one.seat} ${nameOf(one.seat)}`,
    one.phase ?? '-',
    new Date(one.began).toISOString().slice(11, 19),
    `${((one.ended - one.began) / 1000).toFixed(1)} s`,
    String(one.steps),
  ]);
  const lines = columns([['decision', 'seat', 'phase', 'began', 'lasted', 'steps'], ...rows], '');
  for (const line of isFirst ? lines : lines.slice(1)) say(line);
}

async function printDecision(
  web: WebClient,
  table: string,
  wanted: { readonly seat: number | undefined; readonly decision: string },
  nameOf: NameOf,
  isJson: boolean,
): Promise<void> {
  const shown = new Map<string, number>();
  for (let after = 0, more = true; more;) {
    const page = await web.thoughts(table, { ...wanted, after });
    const [{ n, seat, decision, phase }] = page.decisions as [ThoughtDecision];
    if (after === 0 && !isJson)
      say(`\nDecision ${n}: ${nameOf(seat)} (seat ${seat})${phase === undefined ? '' : `, ${phase}`}; id ${decision}`);
    for (const step of page.thoughts) {
      if (isJson) say(JSON.stringify({ n, seat, decision, ...step }));
      else for (const line of describeStep(step, shown)) say(line);
      after = step.step;
    }
    more = page.more && page.thoughts.length > 0;
  }
}
