import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { attribute, span } from '@maw/telemetry/names.ts';
import type { Board } from './board.ts';
import { logLines, spansFound, words } from './panels.ts';

const table = `span.${attribute.table} = "$table"`;
const named = (name: string) => `name = "${name}"`;
/** What a mind was asked, what it did and how it ended are on the spans of the gamemaster and the player. */
const columns = [attribute.seat, attribute.verb, attribute.decision, attribute.reason].map((each) => `span.${each}`).join(', ');

export const oneTable: Board = {
  uid: 'maw-table',
  title: 'MAW: One table',
  says: 'A table by its id: what happened to it, what each decision took, and the traces behind them.',
  variables: [
    new dashboard.TextBoxVariableBuilder('table')
      .label('Table')
      .description('The id of a table, as `maw tables` and the lines of the services show it'),
  ],
  rows: [
    {
      title: 'Table $table',
      panels: [
        words({
          title: 'Where else to look',
          says: 'The table itself is not in the telemetry: no card, role or speech is.',
          text: [
            'Type the id of a table above. Its cards are shown to those who may see them, by `maw watch ${table}`.',
            '',
            'No decisions below: their traces were not recorded (`OTEL_TRACES_SAMPLER_ARG`), or the table was not asked anything in this time.',
          ].join('\n'),
        }),
        spansFound({
          title: 'Decisions',
          says: 'Every question to a seat, with the time until the mind had answered. A trace id leads from the question to the act.',
          query: `{ ${table} && ${named(span.decide)} } | select(${columns}, span.${attribute.recipe})`,
        }),
        spansFound({
          title: 'Acts',
          says: 'What was taken, and what was refused and why.',
          query: `{ ${table} && ${named(span.act)} } | select(${columns})`,
        }),
        spansFound({
          title: 'Phases',
          says: 'The timeline of the table: what it came to, as everybody at it knows (`round` while nobody is asked openly, as by night), and the alarms that were acted on. Each is a trace of its own, so where a share of traces is recorded it has gaps.',
          query: `{ ${table} && (${named(span.phase)} || ${named(span.process('table.tick'))}) } | select(span.${attribute.phase})`,
        }),
        spansFound({
          title: 'Model requests',
          says: 'Completions of the minds at this table, with waiting and repairs.',
          query: `{ span.${attribute.game} = "$table" && resource.service.name = "llm-gateway" } | select(span.${attribute.model}, span.${attribute.waitMs}, span.${attribute.outputTokens}, span.${attribute.error})`,
        }),
        spansFound({
          title: 'What failed',
          says: 'Spans of this table that ended with an error.',
          span: 24,
          query: `{ ${table} && status = error } | select(${columns})`,
        }),
        logLines({
          title: 'Lines',
          says: 'What the services wrote about this table. A trace id leads to its trace.',
          expr: `{service_name=~"gamemaster|chatroom|player|llm-gateway|web"} |= "$table" | json`,
        }),
      ],
    },
  ],
};
