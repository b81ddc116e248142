import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import type { OperatorSpan } from '@maw/tests/equipment/leaks/running-games.ts';
import { recordSpans } from '@maw/tests/equipment/leaks/wiretap.ts';
import { ADMIN, openStream, startTestWeb, type TestWeb } from '../web.suite.ts';

let here: TestWeb;
beforeEach(async () => {
  here = await startTestWeb({ lobbyEveryMs: 1, maxStreamsPerToken: 2 });
  here.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }] });
});
afterEach(() => here.close());

describe('GET /lobby', () => {
  it('sends the tables there are, then each that is opened or changes, once per change', async () => {
    const lobby = await openStream(here.url, '/lobby', ADMIN);
    await lobby.has('ready', 1);
    expect(lobby.sent.map(({ event, data }) => [event, data.table])).toEqual([
      ['table', 't1'],
      ['ready', undefined],
    ]);
    here.addTable('t2', { rules: 'avalon', seats: [{ kind: 'mind' }] });
    await here.ring('t1'); // nothing has changed
    await here.ring('t2');
    await lobby.has('table', 2);
    Object.assign(here.tables.get('t1')!.summary, { stage: 'over', winners: [0] });
    await here.ring('t1');
    await lobby.has('table', 3);
    expect(lobby.of('table').map(({ data }) => [data.table, data.stage])).toEqual([
      ['t1', 'lobby'],
      ['t2', 'lobby'],
      ['t1', 'over'],
    ]);
    await lobby.cut();
  });

  it('reads a changed table once for all readers, and none without readers', async () => {
    const lobbies = [await openStream(here.url, '/lobby', ADMIN), await openStream(here.url, '/lobby', ADMIN)];
    for (const lobby of lobbies) await lobby.has('ready', 1);
    Object.assign(here.tables.get('t1')!.summary, { round: 1 });
    await here.ring('t1');
    for (const lobby of lobbies) await lobby.has('table', 2);
    expect(here.heard('table.view')).toHaveLength(1);
    for (const lobby of lobbies) await lobby.cut();
    const last = await openStream(here.url, '/lobby', ADMIN); // its slot is free once the others have left
    await last.cut();
  });

  it('leaves no span of reading a table that moved: secret acts move it too', async () => {
    const spans = recordSpans();
    const lobby = await openStream(here.url, '/lobby', ADMIN);
    await lobby.has('ready', 1);
    spans.take();
    await inSpan('gamemaster', 'act', {}, () => here.ring('t1'));
    await pollUntil('the read', () => here.heard('table.view').length > 0);
    await lobby.cut();
    const names = spans.take().map((text) => (JSON.parse(text) as OperatorSpan).name);
    await spans.close();
    expect(names.filter((name) => name.includes('table.view'))).toEqual([]);
  });

  it('is for any token, within the limit of streams', async () => {
    const join = await here.mint({ role: 'join', table: 't1' });
    await (await openStream(here.url, '/lobby', join)).cut();
    const open = [await openStream(here.url, '/lobby', ADMIN), await openStream(here.url, '/lobby', ADMIN)];
    expect((await here.get('/lobby', ADMIN)).body.reason).toBe('limited');
    expect((await here.get('/lobby')).status).toBe(401);
    for (const each of open) await each.cut();
  });
});
