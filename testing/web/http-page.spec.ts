import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { kinds } from '@maw/web/problem.ts';
import { allRoutes, type RouteDeps } from '@maw/web/routes/all-routes.ts';
import { inProcessWeb } from './in-process-web.ts';
import { root } from '../source/repository.ts';

const page = readFileSync(join(root, 'docs/http.md'), 'utf8');
/** Only what the routes are is asked for; none of them is run. */
const routes = allRoutes({} as RouteDeps);

describe('docs/http.md', () => {
  it('has a section for exactly the existing routes', () => {
    const told = [...page.matchAll(/^### (GET|POST|DELETE) (\S+)$/gm)].map(([, method, path]) => `${method} ${path}`);
    expect(told.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path.replace('*room', ':room')}`).toSorted());
  });

  it('says for every route which token it needs, and none answers without one', async () => {
    const told = [...page.matchAll(/^\|(?: `(?:GET|POST|DELETE) \S+`,?)+ *\| .*`?(?:any|seat|join|admin)`?/gm)].flatMap(([row]) =>
      [...row.matchAll(/`((?:GET|POST|DELETE) \S+)`/g)].map(([, route]) => route!),
    );
    const all = routes.map(({ method, path }) => `${method} ${path.replace('*room', ':room')}`);
    expect(told.toSorted()).toEqual(all.toSorted());
    const here = await inProcessWeb({ addressBurst: 100 });
    for (const route of all) {
      const [method, path] = route.split(' ') as [string, string];
      const { status } = await fetch(here.url + path.replaceAll(/:\w+/g, 'x'), { method });
      expect([route, status]).toEqual([route, 401]);
    }
    expect((await fetch(`${here.url}/`)).status).toBe(200);
    await here.close();
  });

  it('lists the status of every reason', () => {
    for (const [reason, { status }] of Object.entries(kinds)) expect(page).toMatch(new RegExp(`\\| ${status} +\\|[^|]*\`${reason}\``));
  });
});
