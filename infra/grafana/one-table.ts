import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { attribute, span } from '@maw/telemetry/span-names.ts';
import type { Board } from './board.ts';
import { chosen, TEMPO } from './data-sources.ts';
import { logPanel, logTable, spanMatrix, spanTable, markdown } from './panels.ts';
import { stuckTables } from './stuck-tables.ts';

const table = `span.${attribute.table} = "$table"`;
const named = (name: string) => `name = "${name}"`;
/** What a mind was asked, what it did and how it ended are on the spans of the gamemaster and the player. */
const columns = [attribute.seat, attribute.verb, attribute.decision, attribute.reason].map((each) => `span.${each}`).join(', ');

export const oneTable: Board = {
  uid: 'maw-table',
  title: 'MAW: One table',
  says: 'One table by its id: its history, the time of each decision, and the traces.',
  variables: [
    new dashboard.QueryVariableBuilder('table')
      .label('Table')
      .description('A table with traces in this time, or any id as `maw tables` and the lines of the services show it')
      .datasource(chosen(TEMPO))
      // The values of an attribute: the second kind of query that the data source Tempo knows.
      .query({ refId: 'table', type: 1, label: attribute.table } as never)
      .refresh(dashboard.VariableRefresh.OnTimeRangeChanged)
      .sort(dashboard.VariableSort.AlphabeticalAsc),
  ],
  rows: [
    {
      title: 'Table $table',
      panels: [
        markdown({
          title: 'Note',
          says: 'Telemetry has no card, role or speech.',
          text: [
            'Choose a table above, or type its id. `maw watch ${table}` shows its cards to those who may see them.',
            '',
            'Questions that not everybody may know of, as by night, and acts of people leave no trace: they would reveal roles.',
            '',
            'If no decisions are listed, the collector does not keep this table (`TRACED_TABLES`), or there were no questions in this time. Failures and slow steps are kept of every table.',
          ].join('\n'),
        }),
        spanTable({
          title: 'Decisions',
          says: 'Every public question to a mind, with the time until the answer. A trace leads from the question to the act.',
          query: `{ ${table} && ${named(span.decide)} } | select(${columns}, span.${attribute.recipe})`,
        }),
        spanTable({
          title: 'Acts',
          says: 'Accepted acts of minds on public questions, and refused ones with the reason.',
          query: `{ ${table} && ${named(span.act)} } | select(${columns})`,
        }),
        spanMatrix({
          title: 'Who speaks to whom',
          says: 'Public talk: how often the seat at the left named the one at the top first; all: nobody. Private lines, and a line that begins a night, are not counted.',
          query: `{ ${table} && ${named(span.talk)} }`,
          down: attribute.seat,
          across: attribute.addressee,
        }),
        logTable({
          title: 'Stuck',
          says: 'While it is stuck: its phase, and by day which seats are to answer what. By night seats are not shown: whoever is awake has a role.',
          expr: stuckTables('| table = `$table`'),
          value: 'overdue',
          unit: 'ms',
        }),
        spanTable({
          title: 'Phases',
          says: 'Public phases of the table (`round` while no question is public, as by night). Each is a trace of its own.',
          query: `{ ${table} && ${named(span.phase)} } | select(span.${attribute.phase})`,
        }),
        spanTable({
          title: 'Model requests',
          says: 'Completions of the minds at this table, with waiting and repairs.',
          query: `{ span.${attribute.game} = "$table" && resource.service.name = "llm-gateway" } | select(span.${attribute.model}, span.${attribute.waitMs}, span.${attribute.error})`,
        }),
        spanTable({
          title: 'Failures',
          says: 'Spans of this table that ended with an error.',
          span: 24,
          query: `{ ${table} && status = error } | select(${columns})`,
        }),
        logPanel({
          title: 'Logs',
          says: 'Log lines about this table. A trace id links to its trace.',
          expr: `{service_name=~"gamemaster|chatroom|player|llm-gateway|web|aiwolf|contest"} |= "$table" | json`,
        }),
      ],
    },
  ],
};
