import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { sendJson, sendText } from '@maw/http/response.ts';
import { sendStaticFile, type StaticFiles } from './static-files.ts';

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}code{background:#8882;padding:.1em .3em}';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>MAW</title>
<style>${STYLE}</style>
</head>
<body>
<h1>MAW</h1>
<p>Language-model agents and people play Werewolf, Avalon and related games at the same table. This is the HTTP API of a running
system: it is made for programs, and there is nothing to play with in a browser here.</p>
<h2>To play</h2>
<p>In a clone of the repository, in a terminal, with a token that an administrator gave you:</p>
<pre><code>./maw play --at ADDRESS --token TOKEN --human NAME</code></pre>
<h2>To write a program</h2>
<p><a href="/docs">The reference</a> lists every address, with what it takes and who may use it; programs read it as <a
href="/openapi.json">OpenAPI</a>. Almost all need the header <code>Authorization: Bearer TOKEN</code>. Begin with <code>GET /rules</code> and
<code>GET /tables</code>.</p>
</body>
</html>
`;

/** No script, no other source, no form, no frame. */
const PAGE_HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Vary': 'Accept',
};

const DOCUMENT = {
  name: 'MAW',
  description: 'The HTTP API of a system in which agents and people play Werewolf, Avalon and related games.',
  authorization: 'Every address of a link below needs the header `Authorization: Bearer TOKEN`.',
  documentation: '/docs',
  openapi: '/openapi.json',
  links: { rules: '/rules', tables: '/tables' },
};

/** Says what this address is: with a page to browsers, the console if there is one, with JSON to programs. Returns the status. */
export function sendHomePage(req: Request, res: Response, console: StaticFiles | undefined): number {
  const isBrowser = req.accepts(['json', 'html']) === 'html';
  if (isBrowser && console) return sendStaticFile(console.index, req, res);
  if (isBrowser) sendText(res, 200, PAGE, 'text/html; charset=utf-8', PAGE_HEADERS);
  else sendJson(res, 200, DOCUMENT, { Vary: 'Accept' });
  return 200;
}
