import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '@maw/web/openapi.ts';
import { kinds } from '@maw/web/problem.ts';
import { allRoutes, type RouteDeps } from '@maw/web/routes/all-routes.ts';
import { inProcessWeb } from '../equipment/web/in-process-web.ts';
import { root } from '../equipment/source/repository.ts';

const page = readFileSync(join(root, 'docs/http.md'), 'utf8');
const { paths } = openApiDocument(allRoutes({} as RouteDeps));
/** Every address, with the tokens that it takes. */
const addresses = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description = '', security }]) => [
      `${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}`,
      security ? 'none' : description.replace(/^Token: (.*)\.$/, '$1'),
    ]),
  ),
);

describe('docs/http.md', () => {
  it('has a section for exactly the existing addresses', () => {
    const sections = [...page.matchAll(/^### (GET|POST|DELETE) (\S+)$/gm)].map(([, method, path]) => `${method} ${path}`);
    expect(sections.toSorted()).toEqual([...addresses.keys()].toSorted());
  });

  it('says for every address which token it needs, and none of the others answers without one', async () => {
    const rows = [...page.matchAll(/^\|((?: `(?:GET|POST|DELETE) \S+`,?)+) *\| (.+?) *\|$/gm)];
    const told = rows.flatMap(([, routes, token]) =>
      [...routes!.matchAll(/`((?:GET|POST|DELETE) \S+)`/g)].map(([, address]) => [address, token] as const),
    );
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(addresses));
    const here = await inProcessWeb({ addressBurst: 100 });
    for (const [address, token] of addresses) {
      const [method, path] = address.split(' ') as [string, string];
      const { status } = await fetch(here.url + path.replaceAll(/:\w+/g, 'x'), { method });
      expect([address, status]).toEqual([address, token !== 'none' ? 401 : method === 'GET' ? 200 : 400]);
    }
    await here.close();
  });

  it('lists exactly the existing reasons, each with its status', () => {
    const told = [...page.matchAll(/^\| (\d{3}) +\|(.*)\|$/gm)].flatMap(([, status, reasons]) =>
      [...reasons!.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, reason]) => [reason, Number(status)] as const),
    );
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(Object.entries(kinds).map(([reason, { status }]) => [reason, status])));
  });
});
