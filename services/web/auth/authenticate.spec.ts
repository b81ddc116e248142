import { describe, expect, it } from '@jest/globals';
import { authenticator } from './authenticate.ts';
import { tokenSigner } from './token.ts';

const signed = tokenSigner({ secret: Buffer.alloc(32, 1), now: Date.now });
const adminToken = 'sixteen or more letters'.replaceAll(' ', '-');
const closed = authenticator({ tokens: signed, adminToken, isOpen: false });
const open = authenticator({ tokens: signed, adminToken: undefined, isOpen: true });
const host = '127.0.0.1:8080';

describe('authenticator', () => {
  it('returns nobody for a request without a token', async () => {
    expect((await closed({ authorization: undefined, host })).pass).toEqual({ role: 'nobody' });
  });

  it('returns the administrator for the exact administrator token', async () => {
    expect((await closed({ authorization: `Bearer ${adminToken}`, host })).pass).toEqual({ role: 'admin' });
    expect((await closed({ authorization: `bearer ${adminToken}`, host })).pass).toEqual({ role: 'admin' });
    for (const wrong of [adminToken.slice(1), `${adminToken}x`, adminToken.toUpperCase()])
      await expect(closed({ authorization: `Bearer ${wrong}`, host })).rejects.toMatchObject({ reason: 'bad-token' });
  });

  it('returns no administrator when no administrator token is set', async () => {
    for (const token of ['undefined', adminToken, ''])
      await expect(open({ authorization: `Bearer ${token}`, host })).rejects.toMatchObject({ reason: 'bad-token' });
  });

  it('refuses other authorization headers with bad-token', async () => {
    for (const authorization of [adminToken, `Basic ${adminToken}`, 'Bearer', 'Bearer a b', ''])
      await expect(closed({ authorization, host })).rejects.toMatchObject({
        reason: 'bad-token',
        headers: { 'WWW-Authenticate': expect.stringContaining('invalid_token') },
      });
  });

  it('returns anybody when open and the Host is a loopback name', async () => {
    for (const name of ['127.0.0.1:8080', 'localhost', 'LOCALHOST:1', '[::1]:8080', '127.9.9.9'])
      expect((await open({ authorization: undefined, host: name })).pass).toEqual({ role: 'anybody' });
  });

  it('returns nobody when open and the Host is another name (DNS rebinding)', async () => {
    for (const name of ['evil.example', 'localhost.evil.example:8080', '127.0.0.1.evil.example', '10.0.0.1', undefined])
      expect((await open({ authorization: undefined, host: name })).pass).toEqual({ role: 'nobody' });
  });

  it('returns nobody when open and a page of another site makes a browser send the request', async () => {
    const from = async (site: string) => (await open({ 'authorization': undefined, host, 'sec-fetch-site': site })).pass.role;
    expect([await from('cross-site'), await from('same-origin'), await from('none')]).toEqual(['nobody', 'anybody', 'anybody']);
  });
});
