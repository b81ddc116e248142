import { afterEach, expect, it } from '@jest/globals';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../equipment/fakes/otlp-receiver.ts';
import { ADMIN, inProcessWeb } from '../equipment/web/in-process-web.ts';

let receiver: OtlpReceiver;
afterEach(() => receiver.close());

const PARENT = 'b7ad6b7169203331';
const [OPENING, SPEECH] = ['0af7651916cd43dd8448eb211c80319c', '1bf7651916cd43dd8448eb211c80319d'];

it('continues the trace of a request to the gamemaster, except for acts of seats', async () => {
  receiver = await startOtlpReceiver();
  const telemetry = startTelemetry({ service: 'web', endpoint: receiver.url, protocol: 'http/json' });
  const here = await inProcessWeb();
  const post = async (path: string, body: object, bearer: string, traceId: string) => {
    const headers = {
      'Authorization': `Bearer ${bearer}`,
      'Content-Type': 'application/json',
      'traceparent': `00-${traceId}-${PARENT}-01`,
    };
    const response = await fetch(`${here.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.ok).toBe(true);
    return (await response.json()) as { table: string; token: string };
  };
  const { table } = await post('/tables', { rules: 'maw', players: 3, people: 3 }, ADMIN, OPENING);
  const { token } = (await here.post(`/tables/${table}/seats`, { name: 'Ann' }, ADMIN)).body;
  await post(`/tables/${table}/speech`, { room: 'Lobby', text: 'The secret word is xyzzy.' }, token, SPEECH);
  await here.close();
  await telemetry.close();

  const of = (traceId: string) => receiver.spans().filter((span) => span.traceId === traceId);
  expect(of(OPENING).filter(({ kind }) => kind === 'server')).toMatchObject([
    {
      name: 'POST /tables',
      service: 'web',
      parentSpanId: PARENT,
      attributes: { 'http.request.method': 'POST', 'http.route': '/tables', 'http.response.status_code': 201 },
    },
  ]);
  expect(of(OPENING).map(({ service, name }) => `${service}: ${name}`)).toContain('gamemaster: process commands:table.open:gamemaster');
  expect(of(SPEECH)).toEqual([]);
  const everything = receiver
    .requests()
    .map(({ body }) => body.toString())
    .join('');
  expect(everything).not.toContain('/speech');
  for (const secret of ['xyzzy', token, ADMIN]) expect(everything).not.toContain(secret);
});
