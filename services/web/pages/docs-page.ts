import { createHash } from 'node:crypto';
import { escape } from '@maw/http/markup.ts';
import type { Json, Operation, OpenApiDocument } from '../openapi.ts';
import { describeSchema } from './describe-schema.ts';

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code{background:#8882;padding:.1em .3em}pre{background:#8881;padding:.5em;overflow-x:auto;white-space:pre-wrap}
pre code{background:none;padding:0}h3{margin:2rem 0 .3rem}table{border-collapse:collapse}
td,th{text-align:left;vertical-align:top;padding:.15rem .8rem .15rem 0}nav{columns:20rem}nav a{display:block}summary{cursor:pointer}`;

/** A style and nothing else. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The OpenAPI document as a page for people, made here: no script runs in it. */
export function docsPage({ info, paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>HTTP API of MAW</title>
<style>${STYLE}</style>
</head>
<body>
<h1>HTTP API of ${info.title}</h1>
<p>The same <a href="/openapi.json">for programs</a>, as OpenAPI 3.1. Times are milliseconds since the epoch. Send
${code('Authorization: Bearer TOKEN')}; every address says which tokens it takes. A field that may be absent has a question mark.</p>
<nav>
${operations.map(({ name, operation }) => `<a href="#${operation.operationId}"><code>${escape(name)}</code></a>`).join('\n')}
</nav>
${operations.map(sectionOf).join('\n')}
<h2 id="problems">Problems</h2>
<p>Every refusal is a problem document (RFC 9457), ${code('application/problem+json')}:</p>
<pre><code>${escape(describeSchema(components.schemas.Problem))}</code></pre>
</body>
</html>
`;
}

function sectionOf({ name, operation }: { readonly name: string; readonly operation: Operation }): string {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  const parts = [`<h3 id="${operationId}"><code>${escape(name)}</code></h3>`, `<p>${withCode(`${summary} ${description}`)}</p>`];
  if (parameters.length) parts.push(`<table>${parameters.map(parameterRow).join('')}</table>`);
  if (requestBody) parts.push(`<p>Body${requestBody.required ? '' : ' (optional)'}:</p>${schemasOf(requestBody.content)}`);
  const refusals: string[] = [];
  for (const [status, { description: says, content }] of Object.entries(responses)) {
    if (Number(status) >= 400) refusals.push(`<tr><th>${status}</th><td>${withCode(says)}</td></tr>`);
    else parts.push(`<p>${status}: ${withCode(says)}</p>${schemasOf(content)}`);
  }
  parts.push(`<details><summary>Refusals</summary><table>${refusals.join('')}</table></details>`);
  return parts.join('\n');
}

const parameterRow = ({ name, in: place, schema, description = '' }: NonNullable<Operation['parameters']>[number]): string =>
  `<tr><th>${code(name)}</th><td>${place}</td><td>${code(describeSchema(schema))}</td><td>${withCode(description)}</td></tr>`;

const schemasOf = (content: { readonly [type: string]: { readonly schema: Json } }): string =>
  Object.entries(content)
    .map(([type, { schema }]) =>
      type === 'application/json' ? `<pre><code>${escape(describeSchema(schema))}</code></pre>` : `<p>${code(type)}</p>`,
    )
    .join('');

const code = (text: string): string => `<code>${escape(text)}</code>`;
/** Text in which code is between backticks. */
const withCode = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
