import { afterEach, expect, it } from '@jest/globals';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../fakes/otlp-receiver.ts';
import { ADMIN, inProcessWeb } from './in-process-web.ts';

let receiver: OtlpReceiver;
afterEach(() => receiver.close());

it('goes on with the trace of who asks, from the door to the tape, and tells no secret', async () => {
  receiver = await startOtlpReceiver();
  const telemetry = startTelemetry({ service: 'web', endpoint: receiver.url, protocol: 'http/json' });
  const here = await inProcessWeb();
  const [traceId, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const { table } = (await here.post('/tables', { rules: 'maw', players: 3, people: 3 }, ADMIN)).body;
  const { token } = (await here.post(`/tables/${table}/seats`, { name: 'Ann' }, ADMIN)).body;
  const said = await fetch(`${here.url}/tables/${table}/speech`, {
    method: 'POST',
    headers: { 'Authorization': `Bearer ${token}`, 'Content-Type': 'application/json', 'traceparent': `00-${traceId}-${parent}-01` },
    body: JSON.stringify({ room: 'Lobby', text: 'The secret word is xyzzy.' }),
  });
  expect(said.status).toBe(200);
  await here.close();
  await telemetry.close();

  const ours = receiver.spans().filter((span) => span.traceId === traceId);
  const [door] = ours.filter(({ kind }) => kind === 'server');
  expect(door).toMatchObject({
    name: 'POST /tables/:table/speech',
    service: 'web',
    parentSpanId: parent,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/tables/:table/speech',
      'http.response.status_code': 200,
      'maw.table': table,
    },
  });
  // The same trace reaches the gamemaster by way of the chatroom.
  expect(ours.map(({ service, name }) => `${service}: ${name}`)).toEqual(
    expect.arrayContaining(['chatroom: process room.speak', 'gamemaster: process table.act']),
  );
  const everything = receiver
    .requests()
    .map(({ body }) => body.toString())
    .join('');
  expect(everything).toContain('POST /tables/:table/speech');
  for (const secret of ['xyzzy', token, ADMIN]) expect(everything).not.toContain(secret);
});
