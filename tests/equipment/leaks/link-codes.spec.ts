import { expect, it } from '@jest/globals';
import { linkCode } from '@maw/contracts/http/link-code.ts';
import { registry } from '@maw/telemetry/metrics.ts';
import { ADMIN, inProcessWeb } from '../web/in-process-web.ts';
import { recordSpans, wiretap } from './wiretap.ts';

// A code of a short link opens a seat: operators, who may play, find none in spans, metrics, messages, tapes, lists or the audit log, whoever
// made or opened it, and none that somebody got wrong by a letter.

it('codes of short links are told to nobody but their makers', async () => {
  const spans = recordSpans();
  const tap = wiretap();
  const here = await inProcessWeb({}, { hub: tap.hub });
  try {
    const seats = [{ kind: 'person' }, { kind: 'person' }, { kind: 'person' }];
    const { table } = (await here.post('/tables', { rules: 'maw', seats, lobbyMs: 600_000 }, ADMIN)).body as { table: string };
    const ann = (await here.post(`/tables/${table}/seats`, { name: 'Ann' }, ADMIN)).body.token as string;
    const make = async (wanted: object, by: string) =>
      (await here.post('/tokens', { table, isLink: true, ...wanted }, by)).body.code as string;
    const codes = [
      await make({ role: 'join', seat: 1 }, ADMIN),
      await make({ role: 'seat', seat: 0 }, ADMIN),
      await make({ role: 'spectator' }, ann),
    ];
    const wrong = codes.map((code) => code.slice(0, -1) + (code.endsWith('0') ? '1' : '0'));
    const open = async (code: string, by?: string) => (await here.post('/links/open', { code }, by)).status;
    for (const code of codes) for (const by of [undefined, ADMIN, ann]) expect(await open(code, by)).toBe(201);
    for (const code of wrong) expect([404, 429]).toContain(await open(code));
    // As somebody might put it into an address by mistake.
    for (const path of ['/j', '/links/open', '/tokens']) await here.get(`${path}?code=${codes[0]}`, ADMIN);
    const guest = (await here.post('/links/open', { code: codes[0] })).body.token as string;
    expect((await here.post(`/tables/${table}/seats`, { name: 'Bo' }, guest)).status).toBe(201);

    const told: { readonly [where: string]: string } = {
      spans: spans.take().join('\n'),
      metrics: await registry.metrics(),
      messages: tap.heard.map(({ parcel }) => JSON.stringify(parcel.body.toString())).join('\n'),
      tape: JSON.stringify(await here.tapes.read(table)),
      tokens: (await here.get('/tokens', ADMIN)).text,
      links: (await here.get('/tokens', ann)).text,
      audit: (await here.get('/audit', ADMIN)).text,
    };
    for (const [where, text] of Object.entries(told)) {
      expect([where, text.length > 100]).toEqual([where, true]);
      for (const code of [...codes, ...wrong]) expect([where, text.toUpperCase().includes(code)]).toEqual([where, false]);
    }
    expect(told['audit']).toContain('POST /links/open');
    expect(codes.every((code) => code.length === linkCode(new Uint8Array(10)).length)).toBe(true);
  } finally {
    await here.close();
    await spans.close();
  }
});
