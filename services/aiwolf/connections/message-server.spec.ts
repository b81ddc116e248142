import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { WebSocket } from 'ws';
import type { AgentServer } from './agent-connection.ts';
import { agentConnectionSuite } from './agent-connection.suite.ts';
import { connectMessages, serverRig } from './agents.suite.ts';
import { startMessageServer } from './message-server.ts';

const LIMITS = { answerMs: 1000, extraMs: 0, signMs: 0 };
const SECRET = 'short';
const NOW = 1_900_000_000_000;

describe('over WebSocket', () => {
  agentConnectionSuite(startMessageServer, (url) => connectMessages(url));
});

let server: AgentServer;
const begin = async (options: { readonly secret?: string; readonly now?: () => number } = {}) => {
  const rig = serverRig();
  server = await startMessageServer({ ...rig.options, ...options });
  const arrive = async (url = server.url, headers = {}) => {
    const agent = await connectMessages(url, headers);
    await agent.next();
    agent.send('fox1');
    return { agent, connection: await rig.agents.next() };
  };
  return { rig, arrive };
};

describe('a WebSocket', () => {
  afterEach(() => server.close());

  it('takes no page of another site, but agents that name the address that they connect to', async () => {
    server = await startMessageServer(serverRig().options);
    const { host } = new URL(server.url);
    for (const origin of ['http://evil.example', `http://evil.example/?${host}`, 'null'])
      await expect(connectMessages(server.url, { origin })).rejects.toThrow('403');
    const agent = await connectMessages(server.url, { origin: `http://${host}` });
    expect(await agent.next()).toContain('NAME');
  });

  it('is closed with 1000 after a game, with 1001 by a server that closes', async () => {
    const { arrive } = await begin();
    const { agent, connection } = await arrive();
    const { agent: other } = await arrive();
    await connection.close('the game is over');
    expect(await agent.closed).toEqual({ code: 1000, reason: 'the game is over' });
    await server.close();
    expect(await other.closed).toEqual({ code: 1001, reason: 'the server is closing' });
  });

  it('says why an agent is sent away', async () => {
    await begin();
    const agent = await connectMessages(server.url);
    await agent.next();
    agent.send('');
    expect(await agent.closed).toEqual({ code: 1008, reason: 'NAME: the name is empty' });
  });

  it('answers pings, and does not compress', async () => {
    await begin();
    const socket = new WebSocket(server.url, { perMessageDeflate: true });
    await once(socket, 'open');
    expect(socket.extensions).toBe('');
    socket.ping('x');
    expect(String((await once(socket, 'pong'))[0])).toBe('x');
    socket.terminate();
  });

  it('is closed by a text frame that is not UTF-8, which is a fault', async () => {
    const { rig } = await begin();
    const socket = new WebSocket(server.url);
    await once(socket, 'open');
    socket.send('fox1');
    const connection = await rig.agents.next();
    const answer = connection.request('asked', LIMITS);
    socket.send(Buffer.from([0xc3, 0x28]), { binary: false });
    expect(await answer).toMatchObject({ fault: 'not-text' });
    expect((await once(socket, 'close'))[0]).toBe(1007);
  });

  it('is at /ws only', async () => {
    await begin();
    await expect(connectMessages(server.url.replace('/ws', '/'))).rejects.toThrow('404');
    const page = await fetch(server.url.replace('ws:', 'http:'));
    expect([page.status, await page.text()]).toEqual([426, 'Agents connect here by WebSocket, to /ws.\n']);
  });
});

describe('a token', () => {
  afterEach(() => server.close());

  const sign = (claims: object, { alg = 'HS256', secret = SECRET, expires = NOW / 1000 + 60 } = {}) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg }).setExpirationTime(expires).sign(new TextEncoder().encode(secret));
  const claims = { team: 'fox', role: 'PLAYER' };
  const withSecret = () => begin({ secret: SECRET, now: () => NOW });

  it.each(['HS256', 'HS384', 'HS512'])('signed with %s lets its team in, by the address or a header', async (alg) => {
    const { arrive } = await withSecret();
    const token = await sign(claims, { alg });
    expect((await arrive(`${server.url}?token=${token}`)).connection.team).toBe('fox');
    expect((await arrive(server.url, { Authorization: `Bearer ${token}` })).connection.name).toBe('fox1');
  });

  it.each([
    ['missing', 401, () => ''],
    ['no token', 401, () => 'fox'],
    ['of another key', 401, () => sign(claims, { secret: 'other' })],
    ['expired', 401, () => sign(claims, { expires: NOW / 1000 - 1 })],
    ['not signed', 401, () => new UnsecuredJWT(claims).encode()],
    ['for a viewer', 403, () => sign({ ...claims, role: 'RECEIVER' })],
    ['without a team', 403, () => sign({ role: 'PLAYER' })],
  ])('that is %s is refused with %i, before anything else', async (_kind, status, make) => {
    const { rig, arrive } = await withSecret();
    const token = await make();
    await expect(connectMessages(`${server.url}?token=${token}`)).rejects.toThrow(`${status}`);
    if (token) expect(rig.logged()).not.toContain(token);
    expect((await arrive(`${server.url}?token=${await sign(claims)}`)).connection.name).toBe('fox1'); // the first that is handed over
  });

  it.each(['RS256', 'PS256', 'ES256', 'HS1', 'none'])('signed with %s is refused as such, even if its key is the secret', async (alg) => {
    const { secret, token } = await signedOtherwise(alg, claims);
    const { rig } = await begin({ secret, now: () => NOW });
    await expect(connectMessages(`${server.url}?token=${token}`)).rejects.toThrow('401');
    expect(rig.logged()).toContain('the token is not signed with one of HS256, HS384, HS512');
  });

  it('that is checked while the server closes lets nobody in', async () => {
    const { rig } = await begin({
      secret: SECRET,
      now() {
        void server.close();
        return NOW;
      },
    });
    await expect(connectMessages(`${server.url}?token=${await sign(claims)}`)).rejects.toThrow('503');
    await server.close();
    expect(rig.logged()).toBe('');
  });

  it('of one team is no use for another', async () => {
    const { rig, arrive } = await withSecret();
    const agent = await connectMessages(`${server.url}?token=${await sign({ ...claims, team: 'owl' })}`);
    await agent.next();
    agent.send('fox1');
    expect(await agent.closed).toEqual({ code: 1008, reason: 'NAME: the token is for another team' });
    await arrive(`${server.url}?token=${await sign(claims)}`);
    expect(rig.logged()).toContain('the token is for another team');
  });
});

/** A token with a signature that is right for its algorithm, and the secret with which it could be checked. */
async function signedOtherwise(alg: string, claims: JWTPayload): Promise<{ readonly secret: string; readonly token: string }> {
  const [, payload] = new UnsecuredJWT(claims).encode().split('.');
  const text = `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${payload}`;
  if (alg === 'none') return { secret: SECRET, token: `${text}.` };
  if (alg === 'HS1') return { secret: SECRET, token: `${text}.${createHmac('sha1', SECRET).update(text).digest('base64url')}` };
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return { secret: await exportSPKI(publicKey), token: await new SignJWT(claims).setProtectedHeader({ alg }).sign(privateKey) };
}
