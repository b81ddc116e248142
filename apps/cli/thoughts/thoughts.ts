import type { CliConfig } from '../config.ts';
import type { ThoughtDecision } from '@maw/lab/thoughts/recorded-thoughts.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { columns, say } from '../output.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { describeStep } from './describe-step.ts';
import { exportThoughts } from './export-thoughts.ts';
import { allDecisions, decisionPages, readDecision, type WholeDecision } from '@maw/lab/thoughts/read-thoughts.ts';

export interface ThoughtOptions extends ConnectOptions {
  readonly seat?: number;
  /** A number, an id, or `all`. */
  readonly decision?: string;
  readonly json: boolean;
  /** A file; `-` is standard output. */
  readonly export?: string;
}

const NOTHING = 'No thoughts are kept here: no mind has thought yet, or maw retention removed them; seats of people think for themselves.';

type NameOf = (seat: number) => string;

/** `maw thoughts TABLE`. Returns the exit code: 1 when there is nothing to export. */
export function thoughts(table: string, options: ThoughtOptions, config: CliConfig): Promise<number> {
  return withWeb(options, config, async (web) => {
    const { players } = await web.table(table);
    const nameOf: NameOf = (seat) => sanitizeText(players.find((player) => player.seat === seat)?.name ?? '…');
    const { seat, decision, json, export: file } = options;
    const wanted = decision === undefined || decision === 'all' ? undefined : decision;
    const chosen = wanted === undefined ? allDecisions(web, table, seat) : [readDecision(web, table, { seat, decision: wanted })];
    if (file !== undefined) return exportThoughts(chosen, { table, nameOf, file });
    if (decision !== undefined) {
      let isEmpty = true;
      for await (const one of chosen) {
        isEmpty = false;
        await printDecision(one, nameOf, json);
      }
      if (isEmpty && !json) say(NOTHING);
      return 0;
    }
    let count = 0;
    for await (const page of decisionPages(web, table, seat)) {
      if (json) for (const one of page) say(JSON.stringify(one));
      else listDecisions(page, nameOf, count === 0);
      count += page.length;
    }
    if (!json) say(count === 0 ? NOTHING : `./maw thoughts ${table} --decision N shows what was thought in one of them.`);
    return 0;
  });
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

async function printDecision({ decision: one, steps }: WholeDecision, nameOf: NameOf, isJson: boolean): Promise<void> {
  const { n, seat, decision, phase } = one;
  const shown = new Map<string, number>();
  if (!isJson) say(`\nDecision ${n}: ${nameOf(seat)} (seat ${seat})${phase === undefined ? '' : `, ${phase}`}; id ${decision}`);
  for await (const step of steps) {
    if (isJson) say(JSON.stringify({ n, seat, decision, ...step }));
    else for (const line of describeStep(step, shown)) say(line);
  }
}
