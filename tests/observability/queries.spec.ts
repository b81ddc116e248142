import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { attribute } from '@maw/telemetry/span-names.ts';
import { repositoryFiles, root } from '../equipment/source/repository.ts';
import { codeBlocksOf } from '../docs/code-blocks.ts';
import { errorsIn, expressions, filled, logErrorsIn, logQueries, traceErrorsIn, traceQueries } from './expressions.ts';
import { readTraceQuery } from './trace-query.ts';

/** What Grafana reads with the grammars of its own editors, and queries that they must not accept. */
const languages = [
  { language: 'promql', queries: expressions, errors: errorsIn, wrong: ['sum by (a (b)', 'rate(a[1m'] },
  {
    language: 'traceql',
    queries: traceQueries,
    errors: traceErrorsIn,
    wrong: ['{ name = decide }', '{ statuss = error }', '{ name = "a" } | selct(span.b)', '{ name = "a" && }'],
  },
  { language: 'logql', queries: logQueries, errors: logErrorsIn, wrong: ['{a=b}', '{a="b"} | jsn', '{a="b" |= "c"'] },
] as const;

const pages = repositoryFiles()
  .filter((path) => path.endsWith('.md'))
  .flatMap((path) => codeBlocksOf(readFileSync(join(root, path), 'utf8')).map((block) => ({ path, ...block })));

describe.each(languages)('the queries in $language', ({ language, queries, errors, wrong }) => {
  it('of the boards are valid', () => {
    expect(queries.length).toBeGreaterThan(1);
    for (const { board, panel, expr } of queries) expect([board, panel, expr, errors(filled(expr))]).toEqual([board, panel, expr, []]);
  });

  it('of the documentation are valid', () => {
    for (const { path, line, text } of pages.filter((block) => block.language === language))
      expect([path, line, errors(text.trim())]).toEqual([path, line, []]);
  });

  it.each(wrong)('are told from %s', (query) => expect(errors(query)).not.toEqual([]));
});

describe('the queries for spans', () => {
  const known = new Set<string>(Object.values(attribute));

  it('select and compare attributes that spans have', () => {
    for (const { panel, expr } of traceQueries) {
      const { conditions, selected } = readTraceQuery(expr);
      const compared = conditions.flatMap(({ field }) => (field.startsWith('span.') ? [field.slice('span.'.length)] : []));
      expect([panel, [...compared, ...selected].filter((name) => !known.has(name))]).toEqual([panel, []]);
    }
  });

  it('are read as the boards write them', () => {
    expect(
      readTraceQuery('{ span.a = "$table" && name =~ "b" && status = error } | select(span.c, span.d.e) with (most_recent=true)'),
    ).toEqual({
      conditions: [
        { field: 'span.a', is: '=', value: '$table' },
        { field: 'name', is: '=~', value: 'b' },
        { field: 'status', is: '=', value: 'error' },
      ],
      selected: ['c', 'd.e'],
    });
    expect(() => readTraceQuery('{ name = "a" || name = "b" }')).toThrow('only &&');
  });
});
